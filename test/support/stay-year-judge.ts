// Counts what a guest at the door would notice in a year of homes with booked stays, and what a calendar costs a lock.
import type { StayHome } from '../homes/stay-home.ts';
import { type HomeFacts, nameOf, type Truth, type YearFault, type YearFigures } from './stay-year-facts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** One reading, the changes on the lock, and the two lists that prove a removal. */
const POLLED_MS = 17 * MINUTE_MS;

/** Six readings over four hours. */
const DOUBTED_MS = 5 * 60 * MINUTE_MS;
const TO_MIDNIGHT_MS = 15 * 60 * MINUTE_MS;

export interface JudgedYear {
  readonly figures: YearFigures;
  readonly stand: StayHome;
  readonly homes: readonly HomeFacts[];
  /** Whether guests have names, by which one is told from another. */
  readonly isNamed: boolean;
  readonly arrivalAt: (truth: Truth) => number;
  readonly departureAt: (truth: Truth) => number;
}

export class StayYearJudge {
  readonly faults: string[] = [];
  readonly #year: JudgedYear;
  #today = 0;

  constructor(year: JudgedYear) {
    this.#year = year;
  }

  /** What stands at each door now. */
  judge(): void {
    for (const home of this.#year.homes) {
      this.#judgeDoor(home);
    }
  }

  #judgeDoor(home: HomeFacts): void {
    const { stand, arrivalAt, departureAt } = this.#year;
    const now = this.#now;
    const codes = stand.home.service(home.lock).codesOf;
    const open = codes.filter(
      ({ schedule }) => schedule.kind === 'temporary' && schedule.from <= now && now < schedule.until,
    );
    const present = home.truths.find(
      (truth) => !truth.isCancelled && arrivalAt(truth) <= now && now < departureAt(truth),
    );
    for (const truth of home.truths.filter((one) => !one.wasServed && !one.isCancelled)) {
      truth.wasServed = codes.some(
        ({ pin, schedule }) =>
          !truth.othersPins.has(pin) &&
          schedule.kind === 'temporary' &&
          schedule.from === arrivalAt(truth) &&
          schedule.until === departureAt(truth),
      );
    }
    if (new Set(codes.map(({ pin }) => pin)).size < codes.length || open.length > 1) {
      this.#fail('doubled', home, present);
    }
    this.#judgeGuest(home, present, open[0]?.pin ?? null);
    const wasRecent = home.truths.some(
      (truth) => !truth.isCancelled && now - departureAt(truth) < POLLED_MS && now >= departureAt(truth),
    );
    const isKnown = home.truths.every((one) => this.#couldKnow(home, one));
    if (present === undefined && open.length > 0 && !wasRecent && isKnown) {
      if (home.truths.some((truth) => this.#wasSeenTooLate(home, truth))) {
        this.#year.figures.keptInDoubt += 1;
      } else {
        this.#fail('openAfter', home, present);
      }
    }
  }

  /** A cancellation of these nights that a portal in trouble showed on the day of the check-in: the code stays until a person skips it. */
  #wasSeenTooLate(home: HomeFacts, truth: Truth): boolean {
    const { arrivalAt, departureAt } = this.#year;
    const seenAt = Math.max(truth.knownAt, home.goodSince ?? Infinity, home.waveredAt);
    const isOfNow = arrivalAt(truth) <= this.#now && this.#now < departureAt(truth);
    return truth.isCancelled && isOfNow && seenAt + DOUBTED_MS > arrivalAt(truth) - TO_MIDNIGHT_MS;
  }

  #judgeGuest(home: HomeFacts, present: Truth | undefined, openPin: string | null): void {
    if (present === undefined) {
      return;
    }
    // Nothing can be taken from a lock that is away.
    const isLeftThere = present.othersPins.has(openPin ?? '') && !this.#couldKnow(home, present);
    const pin = isLeftThere ? null : openPin;
    const owner = this.#year.isNamed ? home.owners.get(pin ?? '') : undefined;
    if (owner !== undefined && owner !== summaryOf(present)) {
      this.#fail('opensForOther', home, present);
    }
    // A stay that became longer while its lock was away ends there when it would have.
    const isDue = present.wasServed || this.#couldKnow(home, present);
    if (present.pinAtArrival === null) {
      this.#judgeArrival(home, present, { pin, isDue });
    } else if (pin !== present.pinAtArrival && isDue) {
      this.#fail('changedMidStay', home, present);
      present.pinAtArrival = pin;
    }
  }

  #judgeArrival(
    home: HomeFacts,
    present: Truth,
    { pin, isDue }: { readonly pin: string | null; readonly isDue: boolean },
  ): void {
    const { figures, arrivalAt } = this.#year;
    if (this.#now - arrivalAt(present) >= 15 * MINUTE_MS) {
      return;
    }
    figures.arrivals += 1;
    present.pinAtArrival = pin;
    if (pin === null && isDue) {
      this.#fail('withoutCode', home, present);
    } else if (pin === null) {
      figures.unjudged += 1;
    }
  }

  /** Once a day, at the most: digits of two guests, bookings that vanished, and commands that nothing explains. */
  judgeDay(today: number): void {
    const { stand, isNamed } = this.#year;
    const days = today - this.#today;
    if (!isNamed || days === 0) {
      return;
    }
    this.#today = today;
    const stays = Map.groupBy(stand.store.stays(), ({ calendarId }) => calendarId);
    for (const home of this.#year.homes) {
      const own = stays.get(home.calendar) ?? [];
      for (const { pin, booking } of own.filter((stay) => stay.pin !== null)) {
        const owner = home.owners.get(pin ?? '');
        if (owner !== undefined && owner !== booking.summary) {
          this.#fail('shared', home);
        }
        home.owners.set(pin ?? '', booking.summary);
      }
      this.#judgeBookings(home, new Set(own.map(({ booking }) => booking.summary)));
      this.#judgeCommands(home, today, days);
    }
  }

  #judgeBookings(home: HomeFacts, names: ReadonlySet<string>): void {
    const coming = home.truths.filter(
      (one) => !one.isCancelled && this.#year.arrivalAt(one) > this.#now && this.#couldKnow(home, one),
    );
    for (const truth of coming.filter((one) => !names.has(summaryOf(one)))) {
      this.#fail('lost', home, truth);
    }
  }

  /** Two a day from a calendar that wavers, and two for each stay that is given or ends. */
  #judgeCommands(home: HomeFacts, today: number, days: number): void {
    const sent = this.#year.stand.home.service(home.lock).sent.length;
    const isDue = ({ from, until, knownAt }: Truth): boolean =>
      this.#now - knownAt <= (days + 1) * DAY_MS ||
      [from - 7 - today, until - today].some((ahead) => ahead <= 1 && ahead >= -days);
    const due = home.truths.filter(isDue).length;
    if (sent - home.sent > 2 * days + 2 * due && this.#now - home.disturbedAt > 2 * DAY_MS) {
      this.#fail('busyDays', home);
    }
    home.sent = sent;
  }

  get #now(): number {
    return this.#year.stand.clock.now();
  }

  /** Whether what is true of a booking has had the time to reach the lock. */
  #couldKnow(home: HomeFacts, { knownAt }: Truth): boolean {
    const since = Math.max(knownAt, home.goodSince ?? Infinity, home.onlineSince ?? Infinity, home.waveredAt);
    return this.#now - since >= 2 * POLLED_MS;
  }

  #fail(kind: YearFault, home: HomeFacts, truth?: Truth): void {
    this.#year.figures[kind] += 1;
    const at = new Date(this.#now).toISOString();
    this.faults.push(`${at} ${kind} ${home.calendar} ${truth === undefined ? '' : JSON.stringify(truth)}`);
  }
}

/** The title of a booking, where guests have names. */
export const summaryOf = ({ uid }: Pick<Truth, 'uid'>): string => `Reserved - ${nameOf(uid)}`;
