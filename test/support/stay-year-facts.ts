// What a year of homes with booked stays counts, and what is true of them, whatever their portals show.
import type { LockId } from '../../src/domain/locks/lock.ts';
import type { CalendarEntry } from '../../src/domain/stays/calendar-ports.ts';
import type { Habit } from './portal-habits.ts';

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
  /** Digits that two guests of a home were given. */
  shared: number;
  /** Bookings that are neither a stay nor counted as left out. */
  lost: number;
  /** Days on which a lock got more commands than its stays explain. */
  busyDays: number;
  /** Stays that could not be judged: their lock was away, or the booking came too late. */
  unjudged: number;
}

/** The true facts of a booking, whatever the portal shows. */
export interface Truth {
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

export interface HomeFacts {
  readonly calendar: string;
  readonly lock: LockId;
  truths: Truth[];
  /** Since when the portal's calendar is true. */
  goodSince: number | null;
  /** Since when the lock is online. */
  onlineSince: number | null;
  habit: Habit;
  readings: number;
  /** When the portal showed last what is not true. */
  waveredAt: number;
  /** The calendar as it was shown, the latest last. */
  readonly former: { readonly at: number; readonly entries: readonly CalendarEntry[] }[];
  /** Whose these digits are, or were. */
  readonly owners: Map<string, string>;
  /** When something true changed, or the lock or the process was away. */
  disturbedAt: number;
  sent: number;
}

export interface YearOptions {
  readonly homes: number;
  readonly days: number;
  readonly seed: number;
  readonly habits?: readonly Habit[];
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
