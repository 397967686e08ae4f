// When to read a lock's history unasked, and whether it shows a missed move: the cases are a table in docs/operate/webhooks.md.

import { isBoltPosition } from '../locks/bolt.ts';
import { boltOf, type Lock } from '../locks/lock.ts';
import { type BackOff, backOffMs } from '../polling/backoff-policy.ts';
import { type Instant } from '../time/instant.ts';
import { REPORTED_WITHIN_MS } from '../time/time.ts';
import type { ServiceReport } from '../webhooks/service-event.ts';
import type { HistoryEntry, HistoryWhat } from './history.ts';

/** The shortest time between two readings of one lock, in milliseconds (our choice); longer after readings without a find. */
const READ_APART: BackOff = { firstMs: 300_000, longestMs: 6 * 3_600_000 };

/** The same time without webhooks (our choice): before the service forgets, where it remembers 100 entries. */
const ARCHIVED_APART: BackOff = { firstMs: 3_600_000, longestMs: 6 * 3_600_000 };

export interface AuditFacts {
  /** Monotonic milliseconds, as `noticedAt` and `readAt`. */
  readonly now: number;
  /** The service's record of the lock has changed since its history was read. */
  readonly hasNewEntries: boolean;
  /** Webhooks may have been missed before the last listing. */
  readonly afterGap: boolean;
  /** An event is dated at about the time of that change. */
  readonly isReported: boolean;
  /** An event repeated the belief: the bolt may have been at another position in between. */
  readonly isRepeated: boolean;
  /** Webhooks are healthy, so that a change without an event is a surprise. */
  readonly relied: boolean;
  /** When a reason first came up, and when the history was last read. */
  readonly noticedAt: number;
  readonly readAt: number | null;
  /** How many readings in a row found no missed move. */
  readonly vain: number;
}

/** Whether the history is due now; `later`: there is a reason, but its time has not come. */
export function judgeAudit(facts: AuditFacts): 'now' | 'later' | 'no' {
  const { now, hasNewEntries, afterGap, isReported, isRepeated, relied, noticedAt, vain } = facts;
  const sinceReadMs = now - (facts.readAt ?? Number.NEGATIVE_INFINITY);
  if (hasNewEntries && afterGap) {
    return sinceReadMs >= READ_APART.firstMs ? 'now' : 'later';
  }
  if (relied && (isRepeated || (hasNewEntries && !isReported))) {
    const isLate = now - noticedAt >= REPORTED_WITHIN_MS;
    return isLate && sinceReadMs >= backOffMs(vain + 1, READ_APART) ? 'now' : 'later';
  }
  if (relied || !hasNewEntries) {
    return 'no';
  }
  return sinceReadMs >= backOffMs(vain + 1, ARCHIVED_APART) ? 'now' : 'later';
}

/** An event about the lock: when it happened, and the moves that it announces. */
export interface Announcement {
  readonly at: Instant;
  readonly moves: readonly HistoryWhat[];
}

/** The time in which a move counts as missed, and the events about the lock. */
export interface Audited {
  /** Events up to this instant are explained, or were judged before. */
  readonly since: Instant;
  /** Later events may still be announced. */
  readonly until: Instant;
  readonly announced: readonly Announcement[];
}

/** The announcement of an event. One without a position may be of any move; so may the end of a command. */
export function announcementOf(event: ServiceReport, at: Instant): Announcement {
  if (event.type !== 'bolt' && event.type !== 'command-ended') {
    return { at, moves: [] };
  }
  const isPlain = event.type === 'bolt' && event.bolt !== null && isBoltPosition(event.bolt);
  return { at, moves: isPlain ? [event.bolt] : MOVES };
}

const MOVES: readonly HistoryWhat[] = ['secured', 'unsecured'];

/** Whether the history shows a move that no event announced. */
export function showsMissedMove(
  entries: readonly HistoryEntry[],
  { since, until, announced }: Audited,
): boolean {
  return entries.some(
    ({ what, at }) =>
      MOVES.includes(what) &&
      at > since &&
      at <= until &&
      !announced.some((each) => each.moves.includes(what) && Math.abs(each.at - at) <= REPORTED_WITHIN_MS),
  );
}

/** Whether an event repeats the belief, so that a move away may have been missed. It is no proof: a lock repeats itself when it restarts. */
export function isRepeatedPosition(before: Lock, after: Lock): boolean {
  const { latest, confirmedAt } = before.belief;
  const reported = after.belief.latest;
  if (latest === null || reported === null || reported.source !== 'event' || !isBoltPosition(reported.bolt)) {
    return false;
  }
  const since = Math.max(latest.at, confirmedAt ?? latest.at);
  const wasThere = before.presence === 'reachable' && boltOf(before) === reported.bolt;
  const { inFlight } = after;
  const isOurs = inFlight !== null && (inFlight.until === null || inFlight.until > since);
  return wasThere && !isOurs && reported.at > since + REPORTED_WITHIN_MS;
}
