// What to make of a lock of which the service knows something that nobody told us: when to read its history, and whether
// that shows a move which a webhook should have announced.
import { type BackOff, backOffMs } from './backoff-policy.ts';
import { type BoltPosition, type Instant, isBoltPosition } from './bolt.ts';
import type { HistoryEntry } from './history.ts';
import { boltOf, type Lock } from './lock.ts';
import { REPORTED_WITHIN_MS } from './time.ts';

/** One lock is not read again before, in milliseconds (our choice): a lock that comes and goes must not fill the line. */
export const SAME_LOCK_AFTER_MS = 300_000;

/** While nothing is relied on, a lock that has news is read after this at the latest, in milliseconds (our choice). */
const LATEST_AFTER_MS = 6 * 3_600_000;

/** What is looked at for its own sake is looked at seldom where it is nothing each time: batteries, signs of life. */
const AFTER_VAIN: BackOff = { firstMs: SAME_LOCK_AFTER_MS, longestMs: LATEST_AFTER_MS };

/** Half a minute holds hardly four entries: after so many changes the newest 100 are soon all that the service has. */
const CHANGES_UNREAD = 25;

export interface MissedEventFacts {
  /** Milliseconds of a clock that never jumps. */
  readonly now: number;
  /** When the history was asked for last, by the same clock; null when it was not yet. */
  readonly readAt: number | null;
  /** How many listings since then showed something new. */
  readonly changes: number;
  /** How many readings in a row found nothing that was not known. */
  readonly vain: number;
  /** Whether webhooks are proven: then it is to be known soon whether they failed to announce something. */
  readonly relied: boolean;
}

/** Whether to read the history of a lock of which the listing knows something that was not told. */
export function isReadingDue({ now, readAt, changes, vain, relied }: MissedEventFacts): boolean {
  if (readAt === null) {
    return true;
  }
  const sinceMs = now - readAt;
  if (relied) {
    return sinceMs >= backOffMs(vain + 1, AFTER_VAIN);
  }
  const many = changes >= CHANGES_UNREAD * 2 ** vain && sinceMs >= SAME_LOCK_AFTER_MS;
  return many || sinceMs >= LATEST_AFTER_MS;
}

/**
 * When the latest move happened that is explained by nothing that was heard until `knownUntil`, although the service listed
 * the lock as it was at `updatedAt`; null when there is none.
 */
export function unannouncedMoveAt(
  entries: readonly HistoryEntry[],
  knownUntil: Instant,
  updatedAt: Instant,
): Instant | null {
  const moves = entries.filter(
    ({ what, at }) =>
      (what === 'secured' || what === 'unsecured') &&
      at > knownUntil + REPORTED_WITHIN_MS &&
      at <= updatedAt + REPORTED_WITHIN_MS,
  );
  return moves.length === 0 ? null : Math.max(...moves.map(({ at }) => at));
}

/** The bolt is told to have come to rest where it rested already: in between it may have been elsewhere, and nobody told. */
export interface MissedRelock {
  readonly to: BoltPosition;
  /** When it was last known to rest there before. */
  readonly since: Instant;
  /** When it came to rest there by what was told. */
  readonly until: Instant;
}

/**
 * What an event hints at by telling once more of a position that was believed; null when it hints at nothing. It proves
 * nothing: a lock may tell of a command that found the bolt in its place, or of itself when it starts anew.
 */
export function missedRelock(before: Lock, after: Lock): MissedRelock | null {
  const { latest, confirmedAt } = before.belief;
  const told = after.belief.latest;
  if (latest === null || told === null || told.source !== 'event' || !isBoltPosition(told.bolt)) {
    return null;
  }
  const since = Math.max(latest.at, confirmedAt ?? latest.at);
  const wasThere = before.presence === 'reachable' && boltOf(before) === told.bolt;
  const { inFlight } = after;
  const isOurs = inFlight !== null && (inFlight.until === null || inFlight.until > since);
  return wasThere && !isOurs && told.at > since + REPORTED_WITHIN_MS
    ? { to: told.bolt, since, until: told.at }
    : null;
}

/**
 * When the bolt left for the last time before such a return, by the history; null when it did not, or when that may be what
 * was known before. `explainedUntil`: whatever happened until then is explained otherwise.
 */
export function leftAt(
  entries: readonly HistoryEntry[],
  { to, since, until }: MissedRelock,
  explainedUntil: Instant,
): Instant | null {
  const from = to === 'secured' ? 'unsecured' : 'secured';
  const knownUntil = Math.max(since, explainedUntil) + REPORTED_WITHIN_MS;
  const leaves = entries.filter(({ what, at }) => what === from && at > knownUntil && at < until);
  return leaves.length === 0 ? null : Math.max(...leaves.map(({ at }) => at));
}

/** After a return that was none, the next of the same lock is not looked into before, in milliseconds (our choice). */
const NO_RELOCK_AGAIN_MS = 4 * 3_600_000;

/** Whether to read the history for a return. `askedAt`: when that was done last, or null, by the same clock as `now`. */
export function isRelockCheckDue(now: number, askedAt: number | null, vain: boolean): boolean {
  return askedAt === null || now - askedAt >= (vain ? NO_RELOCK_AGAIN_MS : SAME_LOCK_AFTER_MS);
}
