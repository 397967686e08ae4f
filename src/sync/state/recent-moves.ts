// Separates recent moves of the bolt from those reported late: after an outage the service repeats old events.
import type { Instant } from '../../domain/bolt.ts';
import type { LastMove, Lock } from '../../domain/lock.ts';
import { isLate } from '../../domain/time.ts';
import type { Clock } from '../../support/clock.ts';

/** `now`: the service's time; while it is unknown nothing is recent. */
export function isRecent(at: Instant, now: Instant | null): boolean {
  return now !== null && !isLate(at, now);
}

/**
 * Takes the service's time from the dated polls of one lock and advances it by our monotonic clock. Before the first
 * poll nothing counts as recent, since the age of a report is unknown.
 */
export class RecentMoves {
  readonly #clock: Clock;
  /** The service's time minus our monotonic clock. */
  #offsetMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The service's time; null before the first poll. */
  get now(): Instant | null {
    return this.#offsetMs === null ? null : this.#clock.monotonic() + this.#offsetMs;
  }

  /** The recent move between two states of a lock, or null. */
  between(previous: Lock | null, lock: Lock): LastMove | null {
    const { latest } = lock.belief;
    // The position of an offline lock is dated from its last contact, not from now.
    if (latest?.source === 'poll' && latest !== previous?.belief.latest && lock.presence === 'reachable') {
      this.#offsetMs = latest.at - this.#clock.monotonic();
    }
    const { lastMove } = lock;
    const isNew = previous !== null && lastMove !== null && lastMove !== previous.lastMove;
    return isNew && isRecent(lastMove.at, this.now) ? lastMove : null;
  }
}
