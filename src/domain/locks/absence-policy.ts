// When a lock is gone: only after it was absent from several good listings over a whole day.
import type { Instant } from '../time/instant.ts';
import type { LockDescription, LockId } from './lock.ts';

/** A lock that the account had when it was last listed. */
export interface KnownLock {
  readonly id: LockId;
  readonly description: LockDescription;
  /** How many complete listings in a row did not contain it, and since when. */
  readonly misses: number;
  readonly missingSince: Instant | null;
}

/** Complete, successful listings without the lock before it counts as gone (a rule of the project). */
const MISSES_BEFORE_REMOVAL = 3;

/** And for at least this long, in milliseconds: a day survives any maintenance of the service. */
export const ABSENCE_BEFORE_REMOVAL_MS = 24 * 60 * 60 * 1000;

/** A device at a broker leaves after this long, in milliseconds (our choice): one that comes back has its rooms and names again. */
const ABSENCE_BEFORE_WITHDRAWAL_MS = 30 * 60 * 1000;

/** The same lock after a listing that contained it. The same reference when nothing changed. */
export function present(known: KnownLock): KnownLock {
  return known.misses === 0 ? known : { ...known, misses: 0, missingSince: null };
}

/**
 * The same lock after a complete listing that did not contain it. Counts no further than removal needs, and returns the same
 * reference from then on, so that a lock that stays away costs no more commits.
 */
export function missed(known: KnownLock, at: Instant): KnownLock {
  return known.misses >= MISSES_BEFORE_REMOVAL
    ? known
    : { ...known, misses: known.misses + 1, missingSince: known.missingSince ?? at };
}

/** Two empty listings closer together may be one fault of the service, in milliseconds (our choice). */
const EMPTY_APART_MS = 2_000;

/** Whether a listing without any lock is believed. `firstAt`: when the first of these in a row was asked, or null. */
export function isEmptyBelieved(firstAt: Instant | null, askedAt: Instant): boolean {
  return firstAt !== null && askedAt - firstAt >= EMPTY_APART_MS;
}

/** Whether the lock is no longer announced where it comes back whole. `areOthersListed`: else it may be one fault of the service. */
export function isWithdrawn(known: KnownLock, at: Instant, areOthersListed: boolean): boolean {
  return areOthersListed && isAbsentFor(known, at, ABSENCE_BEFORE_WITHDRAWAL_MS);
}

export function isGone(known: KnownLock, at: Instant): boolean {
  return isAbsentFor(known, at, ABSENCE_BEFORE_REMOVAL_MS);
}

function isAbsentFor({ misses, missingSince }: KnownLock, at: Instant, longMs: number): boolean {
  return misses >= MISSES_BEFORE_REMOVAL && missingSince !== null && at - missingSince >= longMs;
}
