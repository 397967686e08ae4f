// When a calendar is read again.
import { backOffMs } from '../../../domain/polling/backoff-policy.ts';

/** Every fifteen minutes (specified); after failures later, an hour at most (our choice). */
const READ_EVERY_MS = 15 * 60_000;
const AFTER_FAILURES = { firstMs: READ_EVERY_MS, longestMs: 3_600_000 } as const;

/** Readings are up to a tenth earlier, so that calendars of many homes are not read in the same second (our choice). */
const JITTER = 0.1;

/** `random`: from 0 up to 1. `askedForMs`: the pause that the portal asked for. */
export function nextReadingMs(failuresInARow: number, random: number, askedForMs = 0): number {
  const pauseMs = failuresInARow === 0 ? READ_EVERY_MS : backOffMs(failuresInARow, AFTER_FAILURES);
  return Math.max(Math.round(pauseMs * (1 - JITTER * random)), askedForMs);
}

/** After a start, calendars are read one after another within this time, in milliseconds (our choice). */
const FIRST_WITHIN_MS = 20_000;

export function firstReadingMs(random: number): number {
  return Math.round(FIRST_WITHIN_MS * random);
}

/** Stays are read this far ahead, and after this time a calendar is read completely although it has not changed. */
export const HORIZON_MS = 400 * 86_400_000;
export const WHOLE_AFTER_MS = 86_400_000;

/** Whether what is known of a calendar is as new as its readings allow: later than that, it says nothing of who comes. */
export function isReadLately(lastGoodAt: number | null, now: number): boolean {
  return lastGoodAt !== null && now - lastGoodAt <= AFTER_FAILURES.longestMs;
}
