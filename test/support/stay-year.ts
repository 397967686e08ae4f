// Homes with booked stays over months, on a clock moved by hand: bookings that move and end, portals that fail, locks that are
// offline, and kills.

import { accessCodeId } from '../../src/domain/codes/access-code.ts';
import { MOST_CODES } from '../../src/domain/codes/access-code-policy.ts';
import { lockId } from '../../src/domain/locks/lock.ts';
import { instantsOf } from '../../src/domain/time/schedule-time.ts';
import { nextTurn } from '../../src/support/turns.ts';
import { GuestHome } from '../homes/codes-home.ts';
import { aCalendar, StayHome } from '../homes/stay-home.ts';
import { settlePromises } from './manual-clock.ts';
import { type Habit, NAMELESS_HABITS, WAVERING } from './portal-habits.ts';
import {
  CALM,
  DENSE,
  type Happening,
  type HomeFacts,
  type HomeKind,
  KINDS,
  NO_FIGURES,
  type Rates,
  randomOf,
  type Truth,
  type YearFigures,
  type YearOptions,
} from './stay-year-facts.ts';
import { StayYearJudge } from './stay-year-judge.ts';
import { STEP_MS, StayYearPortals } from './stay-year-portals.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const ZONE = 'Europe/Paris';
/** The code of a stay is put on its lock so many days before. */
const DAYS_AHEAD = 7;
/** After something has happened, nothing is passed over for so long: two readings, and the changes on the lock. */
const AWAKE_MS = 2 * STEP_MS + MINUTE_MS;

/** A pass over more stays than these homes have ends turns of the process, which promises alone never let go by. */
const FEW_HOMES = 8;

async function settleTurns(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) {
    await settlePromises();
    await nextTurn();
  }
  await settlePromises();
}

export class StayYear {
  readonly figures: YearFigures = { ...NO_FIGURES };
  readonly #random: () => number;
  readonly #homes: HomeFacts[];
  readonly #stand: StayHome;
  readonly #judge: StayYearJudge;
  readonly #portals: StayYearPortals;
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
    if (homes > FEW_HOMES) {
      guests.clock.settleWith(settleTurns);
    }
    const kinds = locks.map(
      (_, index): HomeKind =>
        habits.length > 1 ? (KINDS[(seed + index) % KINDS.length] ?? 'plain') : 'plain',
    );
    const calendars = locks.map((lock, index) =>
      aCalendar(`home-${String(index)}`, [lock], { reserve: kinds[index] === 'reserve' }),
    );
    this.#stand = new StayHome(guests, calendars);
    this.#killAt = this.#after(this.#rates.kill);
    this.#homes = locks.map((lock, index) => ({
      calendar: `home-${String(index)}`,
      lock,
      kind: kinds[index] ?? 'plain',
      truths: [],
      goodSince: this.#now,
      onlineSince: this.#now,
      habit: 'plain',
      readings: 0,
      pausedUntil: -Infinity,
      askedBefore: 0,
      reservePins: new Map(),
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
    this.#portals = new StayYearPortals({
      stand: this.#stand,
      isRich: habits.length > 1,
      random: this.#random,
      departureAt: this.#departureAt,
    });
    for (const home of this.#homes) {
      this.#portals.open(home);
      if (home.kind === 'full') {
        this.#fill(home);
      }
    }
    this.#judge = new StayYearJudge({
      figures: this.figures,
      stand: this.#stand,
      homes: this.#homes,
      isNamed: ({ kind }) => habits.length > 1 && kind !== 'nameless',
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
      this.#portals.show(home);
    }
    this.#awakeUntil = this.#now + AWAKE_MS;
    await this.#answerQuestions();
    const steps = this.#days * 96;
    for (let step = 0; step < steps; step += 1) {
      step += this.#passOver(Math.min(2 * 96, steps - 1 - step));
      await this.#stand.clock.advance(STEP_MS);
      for (const home of this.#homes.filter((one) => this.#portals.wasDisturbed(one))) {
        this.#judge.fail('impatient', home);
      }
      const today = Math.floor(step / 96);
      await this.#happen(today);
      this.#judge.judgeDay(today);
      this.#judge.judge();
    }
    this.figures.readings = this.#homes.reduce((sum, { readings }) => sum + readings, 0);
    this.#stand.close();
  }

  /** Others have all but one or two of its places: the next guest has none before the last one is gone. */
  #fill({ lock }: HomeFacts): void {
    const service = this.#stand.home.service(lock);
    service.places = MOST_CODES;
    service.codesOf = Array.from({ length: MOST_CODES - 1 - this.#below(2) }, (_, index) => ({
      id: accessCodeId(`other-${String(index)}`),
      name: `Other ${String(index)}`,
      pin: String(900_000 + index),
      readOnly: false,
      schedule: { kind: 'always' },
    }));
  }

  /** The host says what "CLOSED" means, once the calendar was read. */
  async #answerQuestions(): Promise<void> {
    const nameless = this.#homes.filter(({ kind }) => kind === 'nameless');
    if (nameless.length > 0) {
      await this.#stand.clock.advance(MINUTE_MS);
    }
    for (const { calendar } of nameless) {
      const settings = this.#stand.calendars.find(({ id }) => id === calendar);
      if (settings !== undefined) {
        await this.#stand.stays.answer(settings, 'bookings');
      }
    }
  }

  /** Stands still for so many steps in which nothing happens, at most `most`. */
  #passOver(most: number): number {
    const isDoubted = ({ calendar }: HomeFacts): boolean =>
      this.#stand.stays.calendar(calendar).doubt !== null;
    const isAwake =
      this.#now < this.#awakeUntil ||
      this.#homes.some(({ goodSince }) => goodSince === null) ||
      // Each reading brings the end of a doubt nearer.
      this.#homes.some(isDoubted);
    if (!this.#passesOver || isAwake || this.#homes.some(({ habit }) => WAVERING.has(habit))) {
      return 0;
    }
    const instants = this.#homes.flatMap((home) => [
      ...Object.values(home.due),
      ...home.truths.flatMap((truth) => this.#instantsOf(home, truth)),
    ]);
    const next = instants.reduce((least, at) => Math.min(least, at), this.#killAt);
    const quiet = Math.max(0, Math.min(Math.ceil((next - this.#now) / STEP_MS) - 1, most));
    this.#stand.clock.standStill(quiet * STEP_MS);
    return quiet;
  }

  /** When the code of a stay is made, opens and ends, when the host is told that it cannot be put on the lock, and when its new dates are believed. */
  #instantsOf({ onlineSince }: HomeFacts, truth: Truth): readonly number[] {
    const opensAt = this.#arrivalAt(truth);
    const warnedAt = onlineSince === null ? [opensAt - DAY_MS, opensAt - 2 * HOUR_MS] : [];
    const instants = [
      opensAt - DAYS_AHEAD * DAY_MS,
      ...warnedAt,
      opensAt,
      this.#departureAt(truth),
      truth.knownAt + DAY_MS,
    ];
    return instants.filter((at) => at + AWAKE_MS > this.#now);
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
      const truth = this.#newTruth({ lock: home.lock, from: day, until });
      if (this.#judge.isNamed(home) && until - day > 1 && this.#isLikely(0.15)) {
        truth.splitAt = day + 1 + this.#below(until - day - 1);
      }
      home.truths.push(truth);
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
      splitAt: null,
      isCancelled: false,
      knownAt: this.#now,
      othersPins: new Set(this.#stand.home.service(lock).codesOf.map(({ pin }) => pin)),
      wasServed: false,
      pinAtArrival: null,
    };
  }

  async #happen(today: number): Promise<void> {
    for (const home of this.#homes) {
      for (const kind of HAPPENINGS.filter((one) => home.due[one] <= this.#now)) {
        home.due[kind] = this.#after(this.#rates[kind]);
        this.#awakeUntil = Math.max(this.#awakeUntil, this.#now + AWAKE_MS);
        this.#one(kind, home, today);
      }
    }
    if (this.#killAt <= this.#now) {
      this.#killAt = this.#after(this.#rates.kill);
      this.#awakeUntil = Math.max(this.#awakeUntil, this.#now + AWAKE_MS);
      this.figures.kills += 1;
      for (const home of this.#homes) {
        home.disturbedAt = this.#now;
        // A process that begins reads all calendars.
        home.pausedUntil = -Infinity;
      }
      await this.#stand.crash();
    }
  }

  #one(kind: Happening, home: HomeFacts, today: number): void {
    switch (kind) {
      case 'book':
        this.#bookAhead(home, today);
        this.#portals.show(home);
        return;
      case 'change':
        this.#change(home, today);
        return;
      case 'habit': {
        const habits = home.kind === 'nameless' ? NAMELESS_HABITS : this.#habits;
        home.habit = habits[this.#below(habits.length)] ?? 'plain';
        home.disturbedAt = this.#now;
        home.due.habit = this.#after(
          WAVERING.has(home.habit) ? this.#rates.waveringSpell : this.#rates.habit,
        );
        return;
      }
      case 'portal':
        this.#failOrHeal(home);
        return;
      case 'lock':
        this.#connect(home);
    }
  }

  /** Somebody books the first free nights at short notice; false: there are none. */
  #bookBetween(home: HomeFacts, today: number): boolean {
    let from = today + 2;
    for (const next of home.truths.filter(({ isCancelled, until }) => !isCancelled && until > today)) {
      if (from < next.from) {
        const truth = this.#newTruth({ lock: home.lock, from, until: next.from });
        home.truths.splice(home.truths.indexOf(next), 0, truth);
        this.#portals.show(home);
        return true;
      }
      from = Math.max(from, next.until);
    }
    return false;
  }

  #change(home: HomeFacts, today: number): void {
    if (this.#habits.length > 1 && this.#isLikely(0.2) && this.#bookBetween(home, today)) {
      return;
    }
    const coming = home.truths.filter(({ isCancelled, from }) => !isCancelled && from > today + 1);
    const truth = coming[this.#below(coming.length)];
    if (truth === undefined) {
      return;
    }
    const room = (coming[coming.indexOf(truth) + 1]?.from ?? truth.until + 3) - truth.until;
    if (room > 0 && this.#isLikely(0.6)) {
      this.#move(truth);
    } else {
      this.#cancel(home, truth);
    }
    home.disturbedAt = this.#now;
    truth.knownAt = this.#now;
    truth.wasServed = false;
    this.#portals.show(home);
  }

  #move(truth: Truth): void {
    truth.until += 1;
    truth.from += truth.until - truth.from > 2 && this.#isLikely(0.5) ? 1 : 0;
    truth.splitAt = truth.splitAt !== null && truth.splitAt > truth.from ? truth.splitAt : null;
    this.figures.moves += 1;
  }

  #cancel(home: HomeFacts, truth: Truth): void {
    truth.isCancelled = true;
    this.figures.cancellations += 1;
    if (this.#judge.isNamed(home) && this.#isLikely(0.5)) {
      // Another guest takes the same nights.
      home.truths.splice(home.truths.indexOf(truth), 0, this.#newTruth(truth));
    }
  }

  /** A portal that fails does so for some hours; one that loses stays, for less than it takes to be believed. */
  #failOrHeal(home: HomeFacts): void {
    if (this.#portals.isFailing(home)) {
      this.#portals.heal(home);
      this.#awakeUntil = Math.max(this.#awakeUntil, (home.goodSince ?? this.#now) + AWAKE_MS);
      return;
    }
    const kind = this.#portals.fail(home, (count) => this.#below(count));
    home.due.portal = kind === 'broken' ? this.#after(this.#rates.portalSpell) : this.#now + HOUR_MS;
    this.figures.brokenReadings += 1;
  }

  /** A lock is away for some days. */
  #connect(home: HomeFacts): void {
    const isOnline = home.onlineSince === null;
    home.onlineSince = isOnline ? this.#now : null;
    home.disturbedAt = this.#now;
    // Some locks are away for longer than the days in which a code is put on them.
    const spell = this.#rates.lockSpell * (this.#habits.length > 1 && this.#isLikely(0.1) ? 8 : 1);
    home.due.lock = this.#after(isOnline ? this.#rates.lock : spell);
    this.#stand.home.connect(home.lock, isOnline);
  }
}

const HAPPENINGS: readonly Happening[] = ['book', 'change', 'habit', 'portal', 'lock'];
