// The span of time of whole days: they begin and end on the clocks of each lock.

import type { HistoryFilter } from '../../domain/history/page.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { HistoryQuery } from '../views/history.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** How far the clocks of a lock are ahead of UTC then, in minutes. */
type OffsetOf = (lock: LockId, at: Instant) => number;

/** The filter that a question by days comes to. */
export function spansOfDays(query: HistoryQuery, offsetOf: OffsetOf): HistoryFilter {
  const { firstDay, lastDay, ...filter } = query;
  if (firstDay === null && lastDay === null) {
    return filter;
  }
  const { since, until } = filter;
  return {
    ...filter,
    spanOf: (lock) => ({
      since: bound(
        Math.max,
        since,
        firstDay === null ? null : midnight(lock, Date.parse(firstDay), offsetOf),
      ),
      until: bound(
        Math.min,
        until,
        lastDay === null ? null : midnight(lock, Date.parse(lastDay) + DAY_MS, offsetOf),
      ),
    }),
  };
}

/** When this date begins at the lock; `date`: when it begins in UTC. */
function midnight(lock: LockId, date: Instant, offsetOf: OffsetOf): Instant {
  const about = date - offsetOf(lock, date) * MINUTE_MS;
  // Clocks may be changed between midnight in UTC and at the lock.
  return date - offsetOf(lock, about) * MINUTE_MS;
}

/** The stricter of two limits, where there is one. */
function bound(stricter: typeof Math.max, ...limits: readonly (Instant | null)[]): Instant | null {
  const known = limits.filter((limit) => limit !== null);
  return known.length === 0 ? null : stricter(...known);
}
