// Whether a move of the bolt has just happened, or is only told late: after an outage the service repeats what is old.
import type { Instant } from '../../domain/bolt.ts';
import type { LastMove, Lock } from '../../domain/lock.ts';
import type { Clock } from '../../support/clock.ts';

/** A move that is told later than this starts no automation any more, in milliseconds (our choice). */
export const RECENT_FOR_MS = 120_000;

/** `now`: the service's time; while it is not known nothing is news. */
export function isRecent(at: Instant, now: Instant | null): boolean {
  return now !== null && now - at <= RECENT_FOR_MS;
}

/**
 * Knows the service's time from the readings of one lock, which are dated when they are asked, and carries it on by
 * our own monotonic clock. Before the first reading nothing is news: how old a report is cannot be told.
 */
export class RecentMoves {
  readonly #clock: Clock;
  /** What must be added to our monotonic clock to have the service's time. */
  #offsetMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The service's time; null before the first reading. */
  get now(): Instant | null {
    return this.#offsetMs === null ? null : this.#clock.monotonic() + this.#offsetMs;
  }

  /** The move that has just happened in the step from one state of a lock to the next, or null. */
  between(previous: Lock | null, lock: Lock): LastMove | null {
    const { latest } = lock.belief;
    // The position of an offline lock is dated from when it was last heard, which says nothing of now.
    if (latest?.source === 'poll' && latest !== previous?.belief.latest && lock.presence === 'reachable') {
      this.#offsetMs = latest.at - this.#clock.monotonic();
    }
    const { lastMove } = lock;
    const isNew = previous !== null && lastMove !== null && lastMove !== previous.lastMove;
    return isNew && isRecent(lastMove.at, this.now) ? lastMove : null;
  }
}
