// Counts what a guest at the door would notice in a year of homes with booked stays, and what a calendar costs a lock.
import type { AccessCode } from '../../src/domain/codes/access-code.ts';
import type { Stay } from '../../src/features/stays/policy/stay.ts';
import type { StayHome } from '../homes/stay-home.ts';
import { PINS_OF_OTHERS } from './portal-habits.ts';
import { type HomeFacts, nameOf, type Truth, type YearFault, type YearFigures } from './stay-year-facts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** One reading, the changes on the lock, and the two lists that prove a removal. */
const POLLED_MS = 17 * MINUTE_MS;

/** Six readings over four hours. */
const DOUBTED_MS = 5 * 60 * MINUTE_MS;
const TO_MIDNIGHT_MS = 15 * 60 * MINUTE_MS;

/** What reaches a lock depends on it and on its portal alone. */
const LONG_KNOWN = { knownAt: -Infinity };

export interface JudgedYear {
  readonly figures: YearFigures;
  readonly stand: StayHome;
  readonly homes: readonly HomeFacts[];
  /** Whether guests have names, by which one is told from another. */
  readonly isNamed: (home: HomeFacts) => boolean;
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

  isNamed(home: HomeFacts): boolean {
    return this.#year.isNamed(home);
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
      ({ pin, schedule }) =>
        schedule.kind === 'temporary' &&
        schedule.from <= now &&
        now < schedule.until &&
        !home.reservePins.has(pin),
    );
    const present = home.truths.find(
      (truth) => !truth.isCancelled && arrivalAt(truth) <= now && now < departureAt(truth),
    );
    this.#noteServed(home, codes);
    const areTwins = new Set(codes.map(({ pin }) => pin)).size < codes.length;
    const isInDoubt = home.truths.some((truth) => this.#wasSeenTooLate(home, truth));
    if (areTwins || (open.length > 1 && !isInDoubt)) {
      this.fail('doubled', home, present);
    } else if (open.length > 1) {
      this.#year.figures.keptInDoubt += 1;
    }
    this.#judgeGuest(home, present, open[0]?.pin ?? null);
    const wasRecent = home.truths.some(
      (truth) => !truth.isCancelled && now - departureAt(truth) < POLLED_MS && now >= departureAt(truth),
    );
    const isKnown = [LONG_KNOWN, ...home.truths].every((one) => this.#couldKnow(home, one));
    const spent = [...home.reservePins].filter(([, until]) => now - until >= 2 * POLLED_MS);
    if (isKnown && codes.some(({ pin }) => spent.some(([reserve]) => reserve === pin))) {
      this.fail('openAfter', home, present);
    }
    if (present === undefined && open.length > 0 && !wasRecent && isKnown) {
      if (isInDoubt) {
        this.#year.figures.keptInDoubt += 1;
      } else {
        this.fail('openAfter', home, present);
      }
    }
  }

  #noteServed({ kind, truths }: HomeFacts, codes: readonly AccessCode[]): void {
    const { arrivalAt, departureAt } = this.#year;
    // On a full lock a code may give its place to an earlier stay.
    const isOpen = (one: Truth): boolean => !one.wasServed || (kind === 'full' && arrivalAt(one) > this.#now);
    for (const truth of truths.filter((one) => isOpen(one) && !one.isCancelled)) {
      truth.wasServed = codes.some(
        ({ pin, schedule }) =>
          !truth.othersPins.has(pin) &&
          schedule.kind === 'temporary' &&
          schedule.from === arrivalAt(truth) &&
          schedule.until === departureAt(truth),
      );
    }
  }

  /** A cancellation of these nights that a portal in trouble showed on the day of the check-in: the code stays until a person skips it. */
  #wasSeenTooLate(home: HomeFacts, truth: Truth): boolean {
    const { arrivalAt, departureAt } = this.#year;
    const troubleUntil = Math.max(home.goodSince ?? Infinity, home.waveredAt);
    // What came back is doubted for a day.
    const seenAt = truth.knownAt - troubleUntil < DAY_MS ? troubleUntil + DAY_MS : truth.knownAt;
    const isOfNow = arrivalAt(truth) <= this.#now && this.#now < departureAt(truth);
    return truth.isCancelled && isOfNow && seenAt + DOUBTED_MS > arrivalAt(truth) - TO_MIDNIGHT_MS;
  }

  #judgeGuest(home: HomeFacts, present: Truth | undefined, openPin: string | null): void {
    if (present === undefined) {
      return;
    }
    // Nothing can be taken from a lock that is away.
    const isOthers = present.othersPins.has(openPin ?? '') || this.#isOfNoBooking(home, openPin);
    const isLeftThere = isOthers && !this.#couldKnow(home, present);
    const pin = isLeftThere ? null : openPin;
    const owner = this.isNamed(home) ? home.owners.get(pin ?? '') : undefined;
    if (owner !== undefined && owner !== summaryOf(present)) {
      this.fail('opensForOther', home, present);
    }
    // A stay that became longer while its lock was away ends there when it would have.
    const isDue = present.wasServed || this.#couldKnow(home, present);
    if (present.pinAtArrival === null) {
      this.#judgeArrival(home, present, { pin, isDue });
    } else if (pin !== present.pinAtArrival && isDue) {
      this.fail('changedMidStay', home, present);
      present.pinAtArrival = pin;
    }
  }

  /** Without names and ids, a booking that moves is another guest's: the host was given other digits. */
  #isOfNoBooking(home: HomeFacts, openPin: string | null): boolean {
    const stays = this.#year.stand.store.stays();
    return !this.isNamed(home) && !stays.some(({ pin, isCancelled }) => pin === openPin && !isCancelled);
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
      this.fail('withoutCode', home, present);
    } else if (pin === null) {
      figures.unjudged += 1;
      this.#judgeWarning(home, present);
      this.#useReserve(home, present);
    }
  }

  /** A code that was missing two hours before the check-in was told to the host. */
  #judgeWarning(home: HomeFacts, present: Truth): void {
    const since = Math.max(present.knownAt, home.goodSince ?? Infinity, home.waveredAt);
    const isLate = this.#now - since < 3 * HOUR_MS;
    const stay = this.#stayOf(home, present);
    if (!isLate && stay?.warnedHours === undefined) {
      this.fail('untold', home, present);
    }
  }

  /** The host gives the guest the code in reserve, where there is one. */
  #useReserve(home: HomeFacts, present: Truth): void {
    const { stand, figures, departureAt } = this.#year;
    const stay = this.#stayOf(home, present);
    if (home.kind !== 'reserve' || stay === undefined || stand.stays.decisions.useReserve(stay.id) !== null) {
      return;
    }
    const reserve = stand.home.guests.list().find(({ id }) => id === this.#stayOf(home, present)?.reserveId);
    const pin = reserve === undefined ? '' : stand.home.guests.reveal(reserve.id);
    figures.reserves += 1;
    home.reservePins.set(pin, departureAt(present));
    if (!stand.home.service(home.lock).codesOf.some((code) => code.pin === pin)) {
      this.fail('withoutCode', home, present);
    }
  }

  #stayOf(home: HomeFacts, truth: Truth): Stay | undefined {
    const { stand, arrivalAt } = this.#year;
    return stand.store
      .stays()
      .filter(({ calendarId, isCancelled }) => calendarId === home.calendar && !isCancelled)
      .find(({ window }) => window.opensAt === arrivalAt(truth));
  }

  /** Once a day, at the most: digits of two guests, bookings that vanished, and commands that nothing explains. */
  judgeDay(today: number): void {
    const { stand } = this.#year;
    const days = today - this.#today;
    if (days === 0) {
      return;
    }
    this.#today = today;
    const stays = Map.groupBy(stand.store.stays(), ({ calendarId }) => calendarId);
    for (const home of this.#year.homes) {
      const own = stays.get(home.calendar) ?? [];
      const named = this.isNamed(home) ? own.filter((stay) => stay.pin !== null) : [];
      for (const { pin, booking } of named) {
        const owner = home.owners.get(pin ?? '');
        if ((owner !== undefined && owner !== booking.summary) || PINS_OF_OTHERS.includes(pin ?? '')) {
          this.fail('shared', home);
        }
        home.owners.set(pin ?? '', booking.summary);
      }
      this.#judgeBookings(home, own);
      this.#judgeCommands(home, today, days);
    }
  }

  #judgeBookings(home: HomeFacts, own: readonly Stay[]): void {
    const { arrivalAt } = this.#year;
    // Without a name it is known by its nights: one that moved twice within a day keeps the longer span.
    const isKnown = this.isNamed(home)
      ? (truth: Truth) => own.some(({ booking }) => booking.summary === summaryOf(truth))
      : (truth: Truth) =>
          own.some(({ window }) => window.opensAt <= arrivalAt(truth) && arrivalAt(truth) < window.closesAt);
    const coming = home.truths.filter(
      (one) => !one.isCancelled && arrivalAt(one) > this.#now && this.#couldKnow(home, one),
    );
    for (const truth of coming.filter((one) => !isKnown(one))) {
      this.fail('lost', home, truth);
    }
  }

  /** Two a day from a calendar that wavers, and two for each stay that is given or ends, or that a portal in trouble may have lost. */
  #judgeCommands(home: HomeFacts, today: number, days: number): void {
    const sent = this.#year.stand.home.service(home.lock).sent.length;
    const wasInTrouble = this.#now - (home.goodSince ?? Infinity) <= (days + 1) * DAY_MS;
    const isDue = ({ from, until, knownAt }: Truth): boolean =>
      this.#now - knownAt <= (days + 1) * DAY_MS ||
      (wasInTrouble && until > today && from - 7 <= today) ||
      [from - 7 - today, until - today].some((ahead) => ahead <= 1 && ahead >= -days);
    const due = home.truths.filter(isDue).length;
    if (sent - home.sent > 2 * days + 2 * due && this.#now - home.disturbedAt > (days + 1) * DAY_MS) {
      this.fail('busyDays', home);
    }
    home.sent = sent;
  }

  get #now(): number {
    return this.#year.stand.clock.now();
  }

  /** Whether what is true of a booking has had the time to reach the lock. */
  #couldKnow(home: HomeFacts, { knownAt }: Pick<Truth, 'knownAt'>): boolean {
    const since = Math.max(knownAt, home.goodSince ?? Infinity, home.onlineSince ?? Infinity, home.waveredAt);
    return this.#now - since >= 2 * POLLED_MS;
  }

  fail(kind: YearFault, home: HomeFacts, truth?: Truth): void {
    this.#year.figures[kind] += 1;
    const at = new Date(this.#now).toISOString();
    this.faults.push(`${at} ${kind} ${home.calendar} ${truth === undefined ? '' : JSON.stringify(truth)}`);
  }
}

/** The title of a booking, where guests have names. */
export const summaryOf = ({ uid }: Pick<Truth, 'uid'>): string => `Reserved - ${nameOf(uid)}`;
