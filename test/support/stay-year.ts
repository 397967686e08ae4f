// Homes with booked stays over months, on a clock moved by hand: bookings that move and end, portals that fail, locks that are
// offline, and kills.
import { lockId } from '../../src/domain/locks/lock.ts';
import type { CalendarEntry } from '../../src/domain/stays/calendar-ports.ts';
import { instantsOf } from '../../src/domain/time/schedule-time.ts';
import { GuestHome } from '../homes/guest-home.ts';
import { aCalendar, entry, StayHome } from '../homes/stay-home.ts';
import { asShown, type Habit, WAVERING } from './portal-habits.ts';
import {
  CALM,
  DENSE,
  type Happening,
  type HomeFacts,
  NO_FIGURES,
  type Rates,
  randomOf,
  type Truth,
  type YearFigures,
  type YearOptions,
} from './stay-year-facts.ts';
import { StayYearJudge, summaryOf } from './stay-year-judge.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = 15 * MINUTE_MS;

const ZONE = 'Europe/Paris';
/** The code of a stay is put on its lock so many days before. */
const DAYS_AHEAD = 7;
/** After something has happened, nothing is passed over for so long: two readings, and the changes on the lock. */
const AWAKE_MS = 2 * STEP_MS + MINUTE_MS;
/** After a booking has changed: its loss is doubted for up to four hours as well. */
const AWAKE_AFTER_CHANGE_MS = 5 * HOUR_MS;

export class StayYear {
  readonly figures: YearFigures = { ...NO_FIGURES };
  readonly #random: () => number;
  readonly #homes: HomeFacts[];
  readonly #stand: StayHome;
  readonly #judge: StayYearJudge;
  readonly #days: number;
  /** Time zones are slow to ask. */
  readonly #instants = new Map<number, number>();
  readonly #habits: readonly Habit[];
  readonly #rates: Rates;
  readonly #passesOver: boolean;
  #awakeUntil = 0;
  #killAt: number;
  #lastUid = 0;

  /** `habits`: of the portals, which each of them changes now and then. */
  constructor({ homes, days, seed, habits = ['plain'], quiet = 'lived' }: YearOptions) {
    this.#random = randomOf(seed);
    this.#habits = habits;
    this.#days = days;
    this.#rates = quiet === 'lived' ? DENSE : CALM;
    this.#passesOver = quiet === 'passed over';
    const locks = Array.from({ length: homes }, (_, index) => lockId(`lock-${String(index)}`));
    const guests = new GuestHome(...locks);
    guests.zone = ZONE;
    guests.listedEveryMs = 5 * MINUTE_MS;
    const calendars = locks.map((lock, index) => aCalendar(`home-${String(index)}`, [lock]));
    this.#stand = new StayHome(guests, calendars);
    this.#killAt = this.#after(this.#rates.kill);
    this.#homes = locks.map((lock, index) => ({
      calendar: `home-${String(index)}`,
      lock,
      truths: [],
      goodSince: this.#now,
      onlineSince: this.#now,
      habit: 'plain',
      readings: 0,
      waveredAt: -Infinity,
      former: [],
      owners: new Map(),
      disturbedAt: this.#now,
      sent: 0,
      due: {
        book: this.#after(this.#rates.book),
        change: this.#after(this.#rates.change),
        habit: habits.length > 1 ? this.#after(this.#rates.habit) : Infinity,
        portal: this.#after(this.#rates.portal),
        lock: this.#after(this.#rates.lock),
      },
    }));
    for (const home of this.#homes) {
      this.#stand.portal(home.calendar).show = (entries) => this.#shown(home, entries);
    }
    this.#judge = new StayYearJudge({
      figures: this.figures,
      stand: this.#stand,
      homes: this.#homes,
      isNamed: habits.length > 1,
      arrivalAt: this.#arrivalAt,
      departureAt: this.#departureAt,
    });
  }

  get faults(): readonly string[] {
    return this.#judge.faults;
  }

  /** Lives all days, in steps of a quarter of an hour. */
  async live(): Promise<void> {
    for (const home of this.#homes) {
      this.#bookAhead(home, 0);
      this.#show(home);
    }
    this.#awakeUntil = this.#now + AWAKE_MS;
    const steps = this.#days * 96;
    for (let step = 0; step < steps; step += 1) {
      step += this.#passOver(Math.min(2 * 96, steps - 1 - step));
      await this.#stand.clock.advance(STEP_MS);
      const today = Math.floor(step / 96);
      await this.#happen(today);
      this.#judge.judgeDay(today);
      this.#judge.judge();
    }
    this.figures.readings = this.#homes.reduce((sum, { readings }) => sum + readings, 0);
    this.#stand.close();
  }

  /** Stands still for so many steps in which nothing happens, at most `most`. */
  #passOver(most: number): number {
    const isAwake = this.#now < this.#awakeUntil || this.#homes.some(({ goodSince }) => goodSince === null);
    if (!this.#passesOver || isAwake || this.#homes.some(({ habit }) => WAVERING.has(habit))) {
      return 0;
    }
    const instants = this.#homes.flatMap((home) => [
      ...Object.values(home.due),
      ...home.truths.flatMap((truth) => this.#instantsOf(truth)),
    ]);
    const next = instants.reduce((least, at) => Math.min(least, at), this.#killAt);
    const quiet = Math.max(0, Math.min(Math.ceil((next - this.#now) / STEP_MS) - 1, most));
    this.#stand.clock.standStill(quiet * STEP_MS);
    return quiet;
  }

  /** When the code of a stay is made, opens and ends. */
  #instantsOf(truth: Truth): readonly number[] {
    const opensAt = this.#arrivalAt(truth);
    return [opensAt - DAYS_AHEAD * DAY_MS, opensAt, this.#departureAt(truth)].filter(
      (at) => at + AWAKE_MS > this.#now,
    );
  }

  get #now(): number {
    return this.#stand.clock.now();
  }

  /** At random, so many hours from now on the mean. */
  #after(hours: number): number {
    return this.#now - Math.log(1 - this.#random()) * hours * HOUR_MS;
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

  /** The calendar fills with stays for some weeks ahead, some with no night between them. */
  #bookAhead(home: HomeFacts, today: number): void {
    let day = Math.max(today + 1, ...home.truths.map(({ until }) => until));
    const limit = Math.min(today + this.#rates.daysBooked, this.#days - 8);
    while (day < limit) {
      day += this.#isLikely(0.5) ? 0 : this.#below(this.#rates.mostEmpty);
      const until = day + 1 + this.#below(this.#rates.mostNights);
      home.truths.push(this.#newTruth({ lock: home.lock, from: day, until }));
      day = until;
    }
    // Guests who left long ago change nothing any more.
    home.truths = home.truths.filter(({ until }) => until > today - 4);
  }

  #newTruth({ lock, from, until }: Pick<Truth, 'lock' | 'from' | 'until'>): Truth {
    this.#lastUid += 1;
    this.figures.stays += 1;
    return {
      uid: `u${String(this.#lastUid)}`,
      lock,
      from,
      until,
      isCancelled: false,
      knownAt: this.#now,
      othersPins: new Set(this.#stand.home.service(lock).codesOf.map(({ pin }) => pin)),
      wasServed: false,
      pinAtArrival: null,
    };
  }

  #show(home: HomeFacts): void {
    const dated = (day: number): string => new Date(Date.UTC(2026, 3, 14 + day)).toISOString().slice(0, 10);
    this.#stand.portal(home.calendar).entries = home.truths
      .filter(({ isCancelled, until }) => !isCancelled && this.#dayAt(until, 11) > this.#now - 2 * DAY_MS)
      .map(({ uid, from, until }) => {
        const description = `Phone Number (Last 4 Digits): ${String(1_000 + ((Number(uid.slice(1)) * 37) % 9_000))}`;
        return entry(uid, dated(from), dated(until), {
          summary: this.#habits.length > 1 ? summaryOf({ uid }) : 'Reserved',
          description: Number(uid.slice(1)) % 3 === 0 ? '' : description,
        });
      });
    home.former.push({ at: this.#now, entries: this.#stand.portal(home.calendar).entries });
    home.former.splice(0, home.former.length - 20);
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

  async #happen(today: number): Promise<void> {
    for (const home of this.#homes) {
      for (const kind of HAPPENINGS.filter((one) => home.due[one] <= this.#now)) {
        home.due[kind] = this.#after(this.#rates[kind]);
        const awakeMs = kind === 'change' ? AWAKE_AFTER_CHANGE_MS : AWAKE_MS;
        this.#awakeUntil = Math.max(this.#awakeUntil, this.#now + awakeMs);
        this.#one(kind, home, today);
      }
    }
    if (this.#killAt <= this.#now) {
      this.#killAt = this.#after(this.#rates.kill);
      this.#awakeUntil = Math.max(this.#awakeUntil, this.#now + AWAKE_MS);
      this.figures.kills += 1;
      for (const home of this.#homes) {
        home.disturbedAt = this.#now;
      }
      await this.#stand.crash();
    }
  }

  #one(kind: Happening, home: HomeFacts, today: number): void {
    switch (kind) {
      case 'book':
        this.#bookAhead(home, today);
        this.#show(home);
        return;
      case 'change':
        this.#change(home, today);
        return;
      case 'habit':
        home.habit = this.#habits[this.#below(this.#habits.length)] ?? 'plain';
        home.disturbedAt = this.#now;
        home.due.habit = this.#after(
          WAVERING.has(home.habit) ? this.#rates.waveringSpell : this.#rates.habit,
        );
        return;
      case 'portal':
        this.#failOrHeal(home);
        return;
      case 'lock':
        this.#connect(home);
    }
  }

  #change(home: HomeFacts, today: number): void {
    const coming = home.truths.filter(({ isCancelled, from }) => !isCancelled && from > today + 1);
    const truth = coming[this.#below(coming.length)];
    if (truth === undefined) {
      return;
    }
    const room = (coming[coming.indexOf(truth) + 1]?.from ?? truth.until + 3) - truth.until;
    if (room > 0 && this.#isLikely(0.6)) {
      truth.until += 1;
      truth.from += truth.until - truth.from > 2 && this.#isLikely(0.5) ? 1 : 0;
      this.figures.moves += 1;
    } else {
      truth.isCancelled = true;
      this.figures.cancellations += 1;
      if (this.#habits.length > 1 && this.#isLikely(0.5)) {
        // Another guest takes the same nights.
        home.truths.splice(home.truths.indexOf(truth), 0, this.#newTruth(truth));
      }
    }
    home.disturbedAt = this.#now;
    truth.knownAt = this.#now;
    truth.wasServed = false;
    this.#show(home);
  }

  /** A portal that fails does so for some hours; one that loses stays, for less than it takes to be believed. */
  #failOrHeal(home: HomeFacts): void {
    const portal = this.#stand.portal(home.calendar);
    if (portal.fault !== null) {
      portal.fault = null;
      home.goodSince = this.#now;
      return;
    }
    portal.fault = (['broken', 'empty', 'half'] as const)[this.#below(3)] ?? null;
    home.goodSince = null;
    home.due.portal = portal.fault === 'broken' ? this.#after(this.#rates.portalSpell) : this.#now + HOUR_MS;
    this.figures.brokenReadings += 1;
  }

  /** A lock is away for some days. */
  #connect(home: HomeFacts): void {
    const isOnline = home.onlineSince === null;
    home.onlineSince = isOnline ? this.#now : null;
    home.disturbedAt = this.#now;
    home.due.lock = this.#after(isOnline ? this.#rates.lock : this.#rates.lockSpell);
    this.#stand.home.connect(home.lock, isOnline);
  }
}

const HAPPENINGS: readonly Happening[] = ['book', 'change', 'habit', 'portal', 'lock'];
