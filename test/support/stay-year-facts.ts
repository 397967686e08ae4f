// What a year of homes with booked stays counts, and what is true of them, whatever their portals show.
import type { LockId } from '../../src/domain/locks/lock.ts';
import type { CalendarEntry } from '../../src/features/stays/policy/calendar-ports.ts';
import type { Habit } from './portal-habits.ts';

/** What must never happen. */
export const NEVER = {
  withoutCode: 0,
  /** Codes that open although their stay is over. */
  openAfter: 0,
  changedMidStay: 0,
  doubled: 0,
  /** Digits that two guests of a home were given. */
  shared: 0,
  /** A code that opens in the stay of another guest. */
  opensForOther: 0,
  /** Bookings that are neither a stay nor counted as left out. */
  lost: 0,
  /** Days on which a lock got more commands than its stays explain. */
  busyDays: 0,
  /** Guests without a code of whom nobody was told in time. */
  untold: 0,
  /** Readings of a portal within the pause that it asked for. */
  impatient: 0,
};

export type YearFault = keyof typeof NEVER;

export const NO_FIGURES = {
  ...NEVER,
  stays: 0,
  moves: 0,
  cancellations: 0,
  brokenReadings: 0,
  kills: 0,
  readings: 0,
  /** Of guests at their check-in. */
  arrivals: 0,
  /** Arrivals without a code that had an excuse: the lock was away, or the booking came too late. */
  unjudged: 0,
  /** Of those, the ones that a code in reserve let in. */
  reserves: 0,
  /** Quarters of an hour in which a cancelled stay's code opened: the portal said so on the day of the check-in. */
  keptInDoubt: 0,
};

export type YearFigures = typeof NO_FIGURES;

export function sumOf(all: readonly YearFigures[]): YearFigures {
  const sum = { ...NO_FIGURES };
  for (const figures of all) {
    for (const key of Object.keys(sum) as (keyof YearFigures)[]) {
      sum[key] += figures[key];
    }
  }
  return sum;
}

/** The true facts of a booking, whatever the portal shows. */
export interface Truth {
  readonly uid: string;
  readonly lock: LockId;
  /** Days since the beginning. */
  from: number;
  until: number;
  /** Two bookings in a row of one guest: the second one begins on this day. */
  splitAt: number | null;
  isCancelled: boolean;
  /** When the guest could first be served with what is true now, on the clock. */
  knownAt: number;
  /** On the lock when it was booked: none of them is its own. */
  readonly othersPins: ReadonlySet<string>;
  /** The lock has had its code, for these dates. */
  wasServed: boolean;
  pinAtArrival: string | null;
}

/** `full`: others have all but one or two places of the lock. `nameless`: each booking is "CLOSED - Not available". */
export type HomeKind = 'plain' | 'full' | 'reserve' | 'nameless';

/** By seed and place. */
export const KINDS: readonly HomeKind[] = [
  'plain',
  'reserve',
  'plain',
  'full',
  'plain',
  'nameless',
  'plain',
  'reserve',
  'plain',
  'plain',
];

export interface HomeFacts {
  readonly calendar: string;
  readonly lock: LockId;
  readonly kind: HomeKind;
  truths: Truth[];
  /** Since when the portal's calendar is true. */
  goodSince: number | null;
  /** Since when the lock is online. */
  onlineSince: number | null;
  habit: Habit;
  readings: number;
  /** The portal asked to be left alone until then; what it was asked before. */
  pausedUntil: number;
  askedBefore: number;
  /** Digits in reserve that a guest was given, with the end of that stay. */
  readonly reservePins: Map<string, number>;
  /** When the portal showed last what is not true. */
  waveredAt: number;
  /** The calendar as it was shown, the latest last. */
  readonly former: { readonly at: number; readonly entries: readonly CalendarEntry[] }[];
  /** Whose these digits are, or were. */
  readonly owners: Map<string, string>;
  /** When something true changed, or the lock or the process was away. */
  disturbedAt: number;
  sent: number;
  /** When each of these happens next. */
  readonly due: Record<Happening, number>;
}

export type Happening = 'book' | 'change' | 'habit' | 'portal' | 'lock';

/** The mean time between two of them, in hours; `spell`: how long a portal or a lock is away. */
export type Rates = Readonly<
  Record<Happening | 'kill' | 'portalSpell' | 'lockSpell' | 'waveringSpell', number>
> & {
  readonly daysBooked: number;
  readonly mostNights: number;
  /** Between two stays. */
  readonly mostEmpty: number;
};

export const DENSE: Rates = {
  book: 24,
  change: 70,
  habit: 240,
  portal: 100,
  lock: 400,
  kill: 72,
  portalSpell: 3,
  lockSpell: 40,
  waveringSpell: 240,
  daysBooked: 60,
  mostNights: 6,
  mostEmpty: 4,
};

/** As it is at most homes. */
export const CALM: Rates = {
  book: 120,
  change: 480,
  habit: 720,
  portal: 720,
  lock: 960,
  kill: 720,
  portalSpell: 2,
  lockSpell: 30,
  waveringSpell: 24,
  daysBooked: 21,
  mostNights: 9,
  mostEmpty: 9,
};

export interface YearOptions {
  readonly homes: number;
  readonly days: number;
  readonly seed: number;
  readonly habits?: readonly Habit[];
  /**
   * `lived`: every reading of a quarter of an hour takes place, and much happens. `passed over`: as much happens as at most homes, and
   * hours in which nothing does are skipped: no booking, no check-in, no failure, so that a reading would say again what the last one said.
   */
  readonly quiet?: 'lived' | 'passed over';
}

/** A name of two words, without digits, for each number. */
export function nameOf(uid: string): string {
  const letters = Array.from(String(Number(uid.slice(1))))
    .map((digit) => 'bdfghklmnp'[Number(digit)] ?? '')
    .join('a');
  return `A${letters}a Z${Array.from(letters).toReversed().join('')}o`;
}

/** mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
