// Which reading of a calendar is believed: one that lost too much at once has to be repeated first.
import type { Instant } from '../time/instant.ts';
import { type Booking, renamedBookings } from './stay.ts';

/** A loss is believed after this many equal readings, over this many milliseconds (specified). */
const EQUAL_READINGS = 3;
export const DOUBTED_FOR_MS = 2 * 3_600_000;

/** A reading that lost more than half of the coming stays, or all of them. */
export interface Doubt {
  readonly bookings: readonly Booking[];
  readonly lost: number;
  /** The number of equal readings in a row. */
  readonly readings: number;
  readonly firstAt: Instant;
}

export interface Belief {
  readonly bookings: readonly Booking[];
  /** Null: the last reading was believed. */
  readonly doubt: Doubt | null;
}

export const NOTHING_BELIEVED: Belief = { bookings: [], doubt: null };

export interface BeliefFacts {
  readonly now: Instant;
  /** The calendar cancels these itself: they are not lost. */
  readonly cancelled: ReadonlySet<string>;
  /** Whether the stay has not begun yet. */
  readonly isComing: (booking: Booking) => boolean;
}

export function afterReading(before: Belief, reading: readonly Booking[], facts: BeliefFacts): Belief {
  const read = reading.map((booking) => newestOf(before.bookings, booking));
  const readIds = new Set(read.map(({ uid }) => uid));
  const knownIds = new Set(before.bookings.map(({ uid }) => uid));
  const added = read.filter(({ uid }) => !knownIds.has(uid));
  const coming = before.bookings.filter((one) => facts.isComing(one) && !facts.cancelled.has(one.uid));
  const absent = coming.filter(({ uid }) => !readIds.has(uid));
  const renamed = renamedBookings(absent, added);
  const lost = absent.filter(({ uid }) => !renamed.has(uid));
  if (lost.length === 0 || (2 * lost.length <= coming.length && lost.length < coming.length)) {
    return { bookings: read, doubt: null };
  }
  const doubt = doubtAfter(before.doubt, read, lost.length, facts.now);
  return isProven(doubt, facts.now)
    ? { bookings: read, doubt: null }
    : // Nobody stands before a locked door for a doubt: what is new counts at once.
      {
        bookings: [...before.bookings, ...added.filter((one) => ![...renamed.values()].includes(one))],
        doubt,
      };
}

/** The calendar reports no change since the last reading, believed or not. */
export function afterUnchanged(before: Belief, now: Instant): Belief {
  if (before.doubt === null) {
    return before;
  }
  const doubt = { ...before.doubt, readings: before.doubt.readings + 1 };
  return isProven(doubt, now)
    ? { bookings: doubt.bookings, doubt: null }
    : { bookings: before.bookings, doubt };
}

function isProven({ readings, firstAt }: Doubt, now: Instant): boolean {
  return readings >= EQUAL_READINGS && now - firstAt >= DOUBTED_FOR_MS;
}

function doubtAfter(before: Doubt | null, bookings: readonly Booking[], lost: number, now: Instant): Doubt {
  const isSame = before !== null && keyOf(before.bookings) === keyOf(bookings);
  return isSame
    ? { ...before, lost, readings: before.readings + 1 }
    : { bookings, lost, readings: 1, firstAt: now };
}

/** The order of entries has no meaning. */
function keyOf(bookings: readonly Booking[]): string {
  return bookings
    .map(({ uid, start, end }) => JSON.stringify([uid, start, end]))
    .sort()
    .join('\n');
}

/** An entry with an older version than the known one comes from a copy. */
function newestOf(known: readonly Booking[], booking: Booking): Booking {
  const before = known.find(({ uid }) => uid === booking.uid);
  return before !== undefined && before.sequence > booking.sequence ? before : booking;
}
