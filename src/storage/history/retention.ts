// Removes entries beyond the age and the number that are kept of each lock.
import type { LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { integer } from '../database/columns.ts';
import type { Connection } from '../database/connection.ts';
import { locksIn, PERIOD_MS } from './names.ts';

/** Older entries are removed, and those of a lock beyond this number, the oldest first. */
export interface HistoryKept {
  readonly entries: number;
  /** In milliseconds. */
  readonly ageMs: number;
}

/** Two years of a busy front door, about 8 MB on the disk. */
export const DEFAULT_HISTORY_KEPT: HistoryKept = { entries: 50_000, ageMs: 730 * 24 * 3_600_000 };

export class HistoryRetention {
  readonly #connection: Connection;
  readonly #kept: HistoryKept;

  constructor(connection: Connection, kept: HistoryKept) {
    this.#connection = connection;
    this.#kept = kept;
  }

  get ageMs(): number {
    return this.#kept.ageMs;
  }

  /** Usually there is nothing to remove, and a query is cheaper than an empty delete. */
  prune(lockId: LockId, now: Instant): void {
    const until = Math.max(this.#surplusUntil(lockId), now - this.#kept.ageMs);
    const old = 'SELECT 1 FROM history_entry WHERE lock_id = ? AND happened_at <= ? LIMIT 1';
    if (this.#connection.first(old, lockId, until) !== null) {
      this.#remove(lockId, until);
    }
  }

  /** The age counts from today, also for a lock that reports nothing any more. */
  pruneAll(now: Instant): void {
    const gaps = this.#connection.all('SELECT DISTINCT lock_id FROM history_gap');
    for (const lock of new Set([
      ...locksIn(this.#connection),
      ...gaps.map((row) => String(row['lock_id'])),
    ])) {
      this.#remove(lock, now - this.#kept.ageMs);
    }
  }

  #remove(lock: string, until: Instant): void {
    this.#connection.run('DELETE FROM history_entry WHERE lock_id = ? AND happened_at <= ?', lock, until);
    this.#connection.run('DELETE FROM history_gap WHERE lock_id = ? AND ended_at <= ?', lock, until);
    this.#connection.run(
      'DELETE FROM history_name WHERE lock_id = ? AND period < ?',
      lock,
      Math.floor(until / PERIOD_MS),
    );
  }

  /** The instant of the newest entry beyond the limit; 0 without one. */
  #surplusUntil(lockId: LockId): Instant {
    const counted = this.#connection.first('SELECT entries FROM history_count WHERE lock_id = ?', lockId);
    const surplus = counted === null ? 0 : integer(counted, 'entries') - this.#kept.entries;
    if (surplus <= 0) {
      return 0;
    }
    const row = this.#connection.first(
      'SELECT happened_at FROM history_entry WHERE lock_id = ? ORDER BY happened_at LIMIT 1 OFFSET ?',
      lockId,
      surplus - 1,
    );
    return row === null ? 0 : integer(row, 'happened_at');
  }
}
