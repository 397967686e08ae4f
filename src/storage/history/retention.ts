// How much history is kept of each lock, and the removal of older entries.

import type { LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { integer, integerOrNull } from '../database/columns.ts';
import type { Connection } from '../database/connection.ts';

export interface HistoryKept {
  readonly entries: number;
  /** An entry that is older than this is removed, in milliseconds. */
  readonly ageMs: number;
}

/** Two years of a busy front door, about 8 MB on the disk. */
export const DEFAULT_HISTORY_KEPT: HistoryKept = { entries: 50_000, ageMs: 730 * 24 * 3_600_000 };

/** This many entries are written between two counts (our choice), because a count reads all entries of a lock. */
const COUNT_AFTER = 500;

export class HistoryRetention {
  readonly #connection: Connection;
  readonly #kept: HistoryKept;
  /** The number of entries written since the last count of a lock; a lock without a number was not counted yet. */
  readonly #uncounted = new Map<LockId, number>();

  constructor(connection: Connection, kept: HistoryKept) {
    this.#connection = connection;
    this.#kept = kept;
  }

  get ageMs(): number {
    return this.#kept.ageMs;
  }

  /** Usually there is nothing to remove, and a query is cheaper than an empty delete. */
  prune(lockId: LockId, written: number, now: Instant): void {
    const kept = this.#connection.first(
      'SELECT min(happened_at) AS oldest FROM history_entry WHERE lock_id = ?',
      lockId,
    );
    const oldest = kept === null ? null : integerOrNull(kept, 'oldest');
    const until = Math.max(this.#surplusUntil(lockId, written), now - this.#kept.ageMs);
    if (oldest !== null && oldest <= until) {
      this.#connection.run('DELETE FROM history_entry WHERE lock_id = ? AND happened_at <= ?', lockId, until);
      this.#connection.run('DELETE FROM history_gap WHERE lock_id = ? AND ended_at <= ?', lockId, until);
    }
  }

  /** The age counts from today, also for a lock that reports nothing any more. */
  pruneAll(now: Instant): void {
    const until = now - this.#kept.ageMs;
    this.#connection.run('DELETE FROM history_entry WHERE happened_at <= ?', until);
    this.#connection.run('DELETE FROM history_gap WHERE ended_at <= ?', until);
  }

  /** The instant of the newest entry beyond the limit; 0 without one, or when no count is due. */
  #surplusUntil(lockId: LockId, written: number): Instant {
    const uncounted = (this.#uncounted.get(lockId) ?? COUNT_AFTER) + written;
    this.#uncounted.set(lockId, uncounted >= COUNT_AFTER ? 0 : uncounted);
    const row =
      uncounted >= COUNT_AFTER
        ? this.#connection.first(
            'SELECT happened_at FROM history_entry WHERE lock_id = ? ORDER BY happened_at DESC LIMIT 1 OFFSET ?',
            lockId,
            this.#kept.entries,
          )
        : null;
    return row === null ? 0 : integer(row, 'happened_at');
  }
}
