// Homes with booked stays over months, on a clock moved by hand: bookings that move and end, portals that fail, locks that are
// offline, and kills. Counts what a guest at the door would notice.
import { lockId } from '../../src/domain/locks/lock.ts';
import type { CalendarEntry } from '../../src/domain/stays/calendar-ports.ts';
import { instantsOf } from '../../src/domain/time/schedule-time.ts';
import { GuestHome } from '../homes/guest-home.ts';
import { aCalendar, entry, StayHome } from '../homes/stay-home.ts';
import { asShown, type Habit, WAVERING } from './portal-habits.ts';
import {
  type HomeFacts,
  nameOf,
  randomOf,
  type Truth,
  type YearFigures,
  type YearOptions,
} from './stay-year-facts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const ZONE = 'Europe/Paris';
/** One reading, the changes on the lock, and the two lists that prove a removal. */
const POLLED_MS = 17 * MINUTE_MS;

export class StayYear {
  readonly figures: YearFigures = {
    stays: 0,
    moves: 0,
    cancellations: 0,
    brokenReadings: 0,
    kills: 0,
    arrivals: 0,
    withoutCode: 0,
    openAfter: 0,
    changedMidStay: 0,
    doubled: 0,
    shared: 0,
    lost: 0,
    busyDays: 0,
    unjudged: 0,
  };
  readonly faults: string[] = [];
  readonly #random: () => number;
  readonly #homes: HomeFacts[];
  readonly #stand: StayHome;
  readonly #days: number;
  readonly #startAt: number;
  /** Time zones are slow to ask. */
  readonly #instants = new Map<number, number>();
  readonly #habits: readonly Habit[];
  #lastUid = 0;

  /** `habits`: of the portals, which each of them changes about once in ten days. */
  constructor({ homes, days, seed, habits = ['plain'] }: YearOptions) {
    this.#random = randomOf(seed);
    this.#habits = habits;
    this.#days = days;
    const locks = Array.from({ length: homes }, (_, index) => lockId(`lock-${String(index)}`));
    const guests = new GuestHome(...locks);
    guests.zone = ZONE;
    guests.listedEveryMs = 5 * MINUTE_MS;
    const calendars = locks.map((lock, index) => aCalendar(`home-${String(index)}`, [lock]));
    this.#stand = new StayHome(guests, calendars);
    this.#startAt = this.#stand.clock.now();
    this.#homes = locks.map((lock, index) => ({
      calendar: `home-${String(index)}`,
      lock,
      truths: [],
      goodSince: this.#startAt,
      onlineSince: this.#startAt,
      habit: 'plain',
      readings: 0,
      waveredAt: -Infinity,
      former: [],
      owners: new Map(),
      disturbedAt: this.#startAt,
      sent: 0,
    }));
    for (const home of this.#homes) {
      this.#stand.portal(home.calendar).show = (entries) => this.#shown(home, entries);
    }
  }

  /** Lives all days, in steps of a quarter of an hour. */
  async live(): Promise<void> {
    for (const home of this.#homes) {
      this.#bookAhead(home, 0);
      this.#show(home);
    }
    const steps = this.#days * 96;
    for (let step = 0; step < steps; step += 1) {
      await this.#stand.clock.advance(15 * MINUTE_MS);
      if (step % 4 === 0) {
        await this.#happen(Math.floor(step / 96));
      }
      if (step % 96 === 95) {
        this.#judgeDay(Math.floor(step / 96));
      }
      this.#judge();
    }
    this.#stand.close();
  }

  get #now(): number {
    return this.#stand.clock.now();
  }

  #dayAt(day: number, hour: number): number {
    const known = this.#instants.get(day * 24 + hour);
    if (known !== undefined) {
      return known;
    }
    const date = new Date(Date.UTC(2026, 3, 14 + day));
    const local = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    const { at } = instantsOf(ZONE, { ...local, hour, minute: 0 });
    this.#instants.set(day * 24 + hour, at);
    return at;
  }

  #arrivalAt = ({ from }: Truth): number => this.#dayAt(from, 15);
  #departureAt = ({ until }: Truth): number => this.#dayAt(until, 11);

  #isLikely(chance: number): boolean {
    return this.#random() < chance;
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  /** Up to 60 days ahead the calendar fills with stays, some with no night between them. */
  #bookAhead(home: HomeFacts, today: number): void {
    let day = Math.max(today + 1, ...home.truths.map(({ until }) => until));
    const limit = Math.min(today + 60, this.#days - 8);
    while (day < limit) {
      day += this.#isLikely(0.5) ? 0 : this.#below(4);
      const until = day + 1 + this.#below(6);
      this.#lastUid += 1;
      const uid = `u${String(this.#lastUid)}`;
      home.truths.push({
        uid,
        lock: home.lock,
        from: day,
        until,
        isCancelled: false,
        knownAt: this.#now,
        pinAtArrival: null,
      });
      this.figures.stays += 1;
      day = until;
    }
  }

  #show(home: HomeFacts): void {
    const dated = (day: number): string => new Date(Date.UTC(2026, 3, 14 + day)).toISOString().slice(0, 10);
    this.#stand.portal(home.calendar).entries = home.truths
      .filter(({ isCancelled, until }) => !isCancelled && this.#dayAt(until, 11) > this.#now - 2 * DAY_MS)
      .map(({ uid, from, until }) => {
        const description = `Phone Number (Last 4 Digits): ${String(1_000 + ((Number(uid.slice(1)) * 37) % 9_000))}`;
        return entry(uid, dated(from), dated(until), {
          summary: this.#habits.length > 1 ? `Reserved - ${nameOf(uid)}` : 'Reserved',
          description: Number(uid.slice(1)) % 3 === 0 ? '' : description,
        });
      });
    home.former.push({ at: this.#now, entries: this.#stand.portal(home.calendar).entries });
  }

  #shown(home: HomeFacts, entries: readonly CalendarEntry[]): readonly CalendarEntry[] {
    home.readings += 1;
    if (WAVERING.has(home.habit)) {
      home.waveredAt = this.#now;
    }
    const former = home.former.findLast(({ at }) => at <= this.#now - 3 * HOUR_MS)?.entries ?? entries;
    return asShown(home.habit, entries, {
      now: this.#now,
      number: home.readings,
      former,
      random: this.#random,
    });
  }

  /** Once an hour. */
  async #happen(today: number): Promise<void> {
    for (const home of this.#homes) {
      if (this.#isLikely(1 / 24)) {
        this.#bookAhead(home, today);
        this.#show(home);
      }
      if (this.#habits.length > 1 && this.#isLikely(1 / 240)) {
        home.habit = this.#habits[this.#below(this.#habits.length)] ?? 'plain';
        home.disturbedAt = this.#now;
      }
      this.#change(home, today);
      this.#failOrHeal(home);
      this.#connect(home);
    }
    if (this.#isLikely(1 / 72)) {
      this.figures.kills += 1;
      for (const home of this.#homes) {
        home.disturbedAt = this.#now;
      }
      await this.#stand.crash();
    }
  }

  #change(home: HomeFacts, today: number): void {
    const index = this.#below(home.truths.length || 1);
    const truth = home.truths[index];
    if (truth === undefined || truth.isCancelled || !this.#isLikely(0.02) || truth.from <= today + 1) {
      return;
    }
    const room =
      (home.truths.slice(index + 1).find(({ isCancelled }) => !isCancelled)?.from ?? truth.until + 3) -
      truth.until;
    if (room > 0 && this.#isLikely(0.6)) {
      truth.until += 1;
      truth.from += truth.until - truth.from > 2 && this.#isLikely(0.5) ? 1 : 0;
      this.figures.moves += 1;
    } else {
      truth.isCancelled = true;
      this.figures.cancellations += 1;
      if (this.#habits.length > 1 && this.#isLikely(0.5)) {
        this.#replace(home, truth);
      }
    }
    home.disturbedAt = this.#now;
    truth.knownAt = this.#now;
    this.#show(home);
  }

  /** Another guest takes the same nights. */
  #replace(home: HomeFacts, truth: Truth): void {
    this.#lastUid += 1;
    const uid = `u${String(this.#lastUid)}`;
    home.truths.splice(home.truths.indexOf(truth), 0, {
      ...truth,
      uid,
      isCancelled: false,
      knownAt: this.#now,
    });
    this.figures.stays += 1;
  }

  /** A portal that fails does so for some hours; one that loses stays, for less than it takes to be believed. */
  #failOrHeal(home: HomeFacts): void {
    const portal = this.#stand.portal(home.calendar);
    if (portal.fault !== null) {
      if (portal.fault !== 'broken' || this.#isLikely(0.3)) {
        portal.fault = null;
        home.goodSince = this.#now;
      }
      return;
    }
    if (this.#isLikely(0.01)) {
      portal.fault = (['broken', 'empty', 'half'] as const)[this.#below(3)] ?? null;
      home.goodSince = null;
      this.figures.brokenReadings += 1;
    }
  }

  /** A lock is away for up to five days. */
  #connect(home: HomeFacts): void {
    if (home.onlineSince === null ? this.#isLikely(1 / 40) : this.#isLikely(1 / 400)) {
      const isOnline = home.onlineSince === null;
      home.onlineSince = isOnline ? this.#now : null;
      home.disturbedAt = this.#now;
      this.#stand.home.connect(home.lock, isOnline);
    }
  }

  /** Whether what is true of a booking has had the time to reach the lock. */
  #couldKnow(home: HomeFacts, { knownAt }: Truth): boolean {
    const since = Math.max(knownAt, home.goodSince ?? Infinity, home.onlineSince ?? Infinity, home.waveredAt);
    return this.#now - since >= 2 * POLLED_MS;
  }

  #judge(): void {
    const now = this.#now;
    for (const home of this.#homes) {
      const codes = this.#stand.home.service(home.lock).codesOf;
      const open = codes.filter(
        ({ schedule }) => schedule.kind === 'temporary' && schedule.from <= now && now < schedule.until,
      );
      const present = home.truths.find(
        (truth) => !truth.isCancelled && this.#arrivalAt(truth) <= now && now < this.#departureAt(truth),
      );
      if (new Set(codes.map(({ pin }) => pin)).size < codes.length || open.length > 1) {
        this.#fail('doubled', home, present);
      }
      this.#judgeGuest(home, present, open[0]?.pin ?? null);
      const wasRecent = home.truths.some(
        (truth) =>
          !truth.isCancelled && now - this.#departureAt(truth) < POLLED_MS && now >= this.#departureAt(truth),
      );
      if (
        present === undefined &&
        open.length > 0 &&
        !wasRecent &&
        home.truths.every((one) => this.#couldKnow(home, one))
      ) {
        this.#fail('openAfter', home, present);
      }
    }
  }

  /** Digits of two guests, bookings that vanished, and commands that nothing explains. */
  #judgeDay(today: number): void {
    if (this.#habits.length === 1) {
      return;
    }
    const stays = Map.groupBy(this.#stand.store.stays(), ({ calendarId }) => calendarId);
    for (const home of this.#homes) {
      const own = stays.get(home.calendar) ?? [];
      for (const { pin, booking } of own) {
        const owner = pin === null ? undefined : home.owners.get(pin);
        if (pin !== null && owner !== undefined && owner !== booking.summary) {
          this.#fail('shared', home);
        }
        home.owners.set(pin ?? '', pin === null ? '' : booking.summary);
      }
      const names = new Set(own.map(({ booking }) => booking.summary));
      const coming = home.truths.filter(
        (one) => !one.isCancelled && this.#dayAt(one.from, 15) > this.#now && this.#couldKnow(home, one),
      );
      for (const truth of coming.filter(({ uid }) => !names.has(`Reserved - ${nameOf(uid)}`))) {
        this.#fail('lost', home, truth);
      }
      const sent = this.#stand.home.service(home.lock).sent.length;
      const due = home.truths.filter(({ from, until }) =>
        [from - 7 - today, until - today].some((days) => Math.abs(days) <= 1),
      ).length;
      if (sent - home.sent > 2 + 2 * due && this.#now - home.disturbedAt > 2 * DAY_MS) {
        this.#fail('busyDays', home);
      }
      home.sent = sent;
    }
  }

  #judgeGuest(home: HomeFacts, present: Truth | undefined, pin: string | null): void {
    if (present === undefined) {
      return;
    }
    if (present.pinAtArrival === null && this.#now - this.#arrivalAt(present) < 15 * MINUTE_MS) {
      this.figures.arrivals += 1;
      if (pin !== null) {
        present.pinAtArrival = pin;
      } else if (this.#couldKnow(home, present)) {
        this.#fail('withoutCode', home, present);
      } else {
        this.figures.unjudged += 1;
      }
    } else if (present.pinAtArrival !== null && pin !== present.pinAtArrival) {
      this.#fail('changedMidStay', home, present);
      present.pinAtArrival = pin;
    }
  }

  #fail(
    kind: 'withoutCode' | 'openAfter' | 'changedMidStay' | 'doubled' | 'shared' | 'lost' | 'busyDays',
    home: HomeFacts,
    truth?: Truth,
  ): void {
    this.figures[kind] += 1;
    const at = new Date(this.#now).toISOString();
    this.faults.push(`${at} ${kind} ${home.calendar} ${truth === undefined ? '' : JSON.stringify(truth)}`);
  }
}
