// Homes with booked stays over months, on a clock moved by hand: bookings that move and end, portals that fail, locks that are
// offline, and kills. Counts what a guest at the door would notice.
import { type LockId, lockId } from '../../src/domain/locks/lock.ts';
import { instantsOf } from '../../src/domain/time/schedule-time.ts';
import { GuestHome } from '../homes/guest-home.ts';
import { aCalendar, entry, StayHome } from '../homes/stay-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const ZONE = 'Europe/Paris';
/** One reading, the changes on the lock, and the two lists that prove a removal. */
const POLLED_MS = 17 * MINUTE_MS;

export interface YearFigures {
  stays: number;
  moves: number;
  cancellations: number;
  brokenReadings: number;
  kills: number;
  /** Of guests at their check-in. */
  arrivals: number;
  withoutCode: number;
  /** Codes that open although their stay is over. */
  openAfter: number;
  changedMidStay: number;
  doubled: number;
  /** Stays that could not be judged: their lock was away, or the booking came too late. */
  unjudged: number;
}

/** The true facts of a booking, whatever the portal shows. */
interface Truth {
  readonly uid: string;
  readonly lock: LockId;
  /** Days since the beginning. */
  from: number;
  until: number;
  isCancelled: boolean;
  /** When the guest could first be served with what is true now, on the clock. */
  knownAt: number;
  pinAtArrival: string | null;
}

interface HomeFacts {
  readonly calendar: string;
  readonly lock: LockId;
  truths: Truth[];
  /** Since when the portal's calendar is true. */
  goodSince: number | null;
  /** Since when the lock is online. */
  onlineSince: number | null;
}

/** mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

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
  #lastUid = 0;

  constructor({
    homes,
    days,
    seed,
  }: { readonly homes: number; readonly days: number; readonly seed: number }) {
    this.#random = randomOf(seed);
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
    }));
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
          description: Number(uid.slice(1)) % 3 === 0 ? '' : description,
        });
      });
  }

  /** Once an hour. */
  async #happen(today: number): Promise<void> {
    for (const home of this.#homes) {
      if (this.#isLikely(1 / 24)) {
        this.#bookAhead(home, today);
        this.#show(home);
      }
      this.#change(home, today);
      this.#failOrHeal(home);
      this.#connect(home);
    }
    if (this.#isLikely(1 / 72)) {
      this.figures.kills += 1;
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
    }
    truth.knownAt = this.#now;
    this.#show(home);
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
      this.#stand.home.connect(home.lock, isOnline);
    }
  }

  /** Whether what is true of a booking has had the time to reach the lock. */
  #couldKnow(home: HomeFacts, { knownAt }: Truth): boolean {
    const since = Math.max(knownAt, home.goodSince ?? Infinity, home.onlineSince ?? Infinity);
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
    kind: 'withoutCode' | 'openAfter' | 'changedMidStay' | 'doubled',
    home: HomeFacts,
    truth?: Truth,
  ): void {
    this.figures[kind] += 1;
    const at = new Date(this.#now).toISOString();
    this.faults.push(`${at} ${kind} ${home.calendar} ${truth === undefined ? '' : JSON.stringify(truth)}`);
  }
}
