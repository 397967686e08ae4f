// What happened at the locks, for longer than the service remembers it: what it listed, what webhooks told, and the gaps.
import type { Accessor } from '../domain/access.ts';
import type { Instant } from '../domain/bolt.ts';
import {
  type HistoryEntry,
  type HistoryGap,
  type HistoryLine,
  MOST_HISTORY_ENTRIES,
} from '../domain/history.ts';
import type { LockId } from '../domain/lock.ts';
import { isReportedForOurs } from '../domain/move-attribution-policy.ts';
import type { HistoryArchive, ListedHistory, ReportedEntry } from '../domain/ports.ts';
import { HISTORY_KEPT_MS, isKeepable, latestInHistory, SAME_WITHIN_MS } from '../domain/time.ts';
import { integer, integerOrNull } from './columns.ts';
import type { Connection, Row } from './connection.ts';
import { entryColumns, entryOf } from './history-rows.ts';

/** Who told of an entry, as its row has it. */
const LISTED = 0;
const TOLD = 1;
const TOLD_LATE = 2;

/** So many of the newest entries of a lock are kept (our choice): half a year of a busy front door, 0.3 MB on the disk. */
export const ENTRIES_KEPT = 2_000;

export class SqliteHistoryArchive implements HistoryArchive {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  mark(lockId: LockId): Instant | null | undefined {
    const row = this.#connection.first('SELECT updated_at FROM sync_cursor WHERE lock_id = ?', lockId);
    return row === null ? undefined : integerOrNull(row, 'updated_at');
  }

  begin(locks: readonly Pick<ListedHistory, 'lockId' | 'updatedAt'>[]): void {
    this.#connection.transaction(() => {
      for (const { lockId, updatedAt } of locks) {
        this.#connection.run(
          'INSERT OR IGNORE INTO sync_cursor (lock_id, updated_at) VALUES (?, ?)',
          lockId,
          updatedAt,
        );
      }
    });
  }

  keepListed({ lockId, entries: listed, updatedAt }: ListedHistory, now: Instant): void {
    const entries = listed.filter(({ at }) => isKeepable(at, now));
    this.#connection.transaction(() => {
      this.#noteGap(lockId, entries);
      for (const entry of entries) {
        this.#keepListedEntry(lockId, entry);
      }
      this.#connection.run(
        `INSERT INTO sync_cursor (lock_id, updated_at) VALUES (?, ?)
         ON CONFLICT DO UPDATE SET updated_at = coalesce(excluded.updated_at, updated_at)`,
        lockId,
        updatedAt,
      );
      this.#prune(lockId, now);
    });
  }

  keepReported(reported: readonly ReportedEntry[], now: Instant): void {
    const told = reported.filter(({ entry }) => isKeepable(entry.at, now));
    this.#connection.transaction(() => {
      for (const each of told) {
        this.#keepReportedEntry(each);
      }
      for (const lockId of new Set(told.map((each) => each.lockId))) {
        this.#prune(lockId, now);
      }
    });
  }

  newest(lockId: LockId, limit: number): readonly HistoryLine[] {
    const entries = this.#connection
      .all(
        'SELECT * FROM history_entry WHERE lock_id = ? ORDER BY happened_at DESC, entry_id DESC LIMIT ?',
        lockId,
        limit,
      )
      .map(entryOf);
    const oldest = entries.at(-1)?.at ?? 0;
    const gaps = this.#connection
      .all('SELECT * FROM history_gap WHERE lock_id = ? AND ended_at >= ?', lockId, oldest)
      .map(gapOf);
    return [...entries, ...gaps].sort((a, b) => placeOf(b) - placeOf(a)).slice(0, limit);
  }

  /**
   * A list that does not reach back to what is known leaves a gap. What was listed once, a shorter list would have repeated;
   * what webhooks told need not be in it, and shows a gap only where the service remembers no more. Before the first entry
   * of all, the gap begins where the history does. Events that came late close no gap: others may not have come.
   */
  #noteGap(lockId: LockId, entries: readonly HistoryEntry[]): void {
    const inOrder = entries.toSorted((a, b) => a.at - b.at);
    const [oldest] = inOrder;
    if (oldest === undefined) {
      return;
    }
    const kept = this.#connection.first(
      `SELECT (SELECT max(happened_at) FROM history_entry WHERE lock_id = ?1 AND happened_at < ?2 AND reported < ${TOLD_LATE}) AS before,
         (SELECT max(happened_at) FROM history_entry WHERE lock_id = ?1 AND reported = ${LISTED}) AS listed`,
      lockId,
      oldest.at,
    );
    const before = kept === null ? null : integerOrNull(kept, 'before');
    const listed = kept === null ? null : integerOrNull(kept, 'listed');
    const joins = (listed !== null && listed >= oldest.at) || this.#wereTold(lockId, inOrder);
    const from = before ?? this.mark(lockId) ?? null;
    const shows = listed !== null || entries.length >= MOST_HISTORY_ENTRIES;
    if (shows && !joins && from !== null && from < oldest.at) {
      this.#connection.run(
        'INSERT OR IGNORE INTO history_gap (lock_id, began_at, ended_at) VALUES (?, ?, ?)',
        lockId,
        from,
        oldest.at,
      );
    }
  }

  /** Whether webhooks told the first move of these, the oldest first, as it happened: of the rest not everything is told. */
  #wereTold(lockId: LockId, entries: readonly HistoryEntry[]): boolean {
    const first = entries.find(({ what }) => what === 'secured' || what === 'unsecured') ?? entries[0];
    return first !== undefined && this.#sameThing(lockId, first, [TOLD, TOLD]) !== null;
  }

  #isListed(lockId: LockId, { id, at }: HistoryEntry): boolean {
    const row = this.#connection.first(
      'SELECT 1 FROM history_entry WHERE lock_id = ? AND happened_at = ? AND entry_id = ? AND reported = 0',
      lockId,
      at,
      id,
    );
    return row !== null;
  }

  /** The same thing as it was told gives way, but lends its word where the list has none, and what is certainly ours stays ours. */
  #keepListedEntry(lockId: LockId, entry: HistoryEntry): void {
    const told = this.#isListed(lockId, entry) ? null : this.#sameThing(lockId, entry, [TOLD, TOLD_LATE]);
    if (told !== null) {
      this.#connection.run(
        'DELETE FROM history_entry WHERE lock_id = ? AND happened_at = ? AND entry_id = ?',
        lockId,
        told.at,
        told.id,
      );
    }
    const what = told !== null && entry.what === 'unrecognised' ? told.what : entry.what;
    const by = told !== null && isReportedForOurs(told.by, entry.by) ? told.by : entry.by;
    this.#insert(lockId, { ...entry, what, by }, LISTED);
  }

  #keepReportedEntry({ lockId, entry, late }: ReportedEntry): void {
    const listed = this.#sameThing(lockId, entry, [LISTED, LISTED]);
    if (listed === null) {
      this.#insert(lockId, entry, late ? TOLD_LATE : TOLD);
      return;
    }
    const what = listed.what === 'unrecognised' ? entry.what : listed.what;
    const by = isReportedForOurs(entry.by, listed.by) ? entry.by : listed.by;
    if (what !== listed.what || by !== listed.by) {
      this.#connection.run(
        `UPDATE history_entry SET what = ?, method = ?, accessor_name = ?
         WHERE lock_id = ? AND happened_at = ? AND entry_id = ?`,
        what,
        by.method,
        by.name,
        lockId,
        listed.at,
        listed.id,
      );
    }
  }

  /** The nearest that is kept of the same thing from the other side: by its word, or, where the list has none, by who did it. */
  #sameThing(
    lockId: LockId,
    entry: HistoryEntry,
    [fromRank, toRank]: readonly [number, number],
  ): HistoryEntry | null {
    const rows = this.#connection.all(
      'SELECT * FROM history_entry WHERE lock_id = ? AND happened_at BETWEEN ? AND ? AND reported BETWEEN ? AND ?',
      lockId,
      entry.at - SAME_WITHIN_MS,
      entry.at + SAME_WITHIN_MS,
      fromRank,
      toRank,
    );
    const same = rows.map(entryOf).filter((other) => {
      const wordless = (fromRank === LISTED ? other : entry).what === 'unrecognised';
      return wordless ? isSameMover(other.by, entry.by) : other.what === entry.what;
    });
    const distance = ({ at }: HistoryEntry): number => Math.abs(at - entry.at);
    return same.sort((a, b) => distance(a) - distance(b))[0] ?? null;
  }

  #insert(lockId: LockId, entry: HistoryEntry, told: number): void {
    this.#connection.run(
      `INSERT INTO history_entry (lock_id, happened_at, entry_id, reported, what, method, accessor_id, accessor_name, offset_minutes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET offset_minutes = coalesce(excluded.offset_minutes, offset_minutes)`,
      lockId,
      entry.at,
      entry.id,
      told,
      ...entryColumns(entry),
    );
  }

  /**
   * Mostly there is nothing to remove, and asking for that is cheaper than removing nothing. An entry from years ahead, kept
   * by an earlier version, makes nothing old (faults#87).
   */
  #prune(lockId: LockId, now: Instant): void {
    const kept = this.#connection.first(
      `SELECT (SELECT max(happened_at) FROM history_entry WHERE lock_id = ?1 AND happened_at <= ?3) AS newest,
         (SELECT min(happened_at) FROM history_entry WHERE lock_id = ?1) AS oldest,
         (SELECT happened_at FROM history_entry WHERE lock_id = ?1 ORDER BY happened_at DESC LIMIT 1 OFFSET ?2) AS surplus`,
      lockId,
      ENTRIES_KEPT,
      latestInHistory(now),
    );
    const newest = kept === null ? null : integerOrNull(kept, 'newest');
    if (kept === null || newest === null) {
      return;
    }
    const until = Math.max(integerOrNull(kept, 'surplus') ?? 0, newest - HISTORY_KEPT_MS);
    if ((integerOrNull(kept, 'oldest') ?? 0) <= until) {
      this.#connection.run('DELETE FROM history_entry WHERE lock_id = ? AND happened_at <= ?', lockId, until);
      this.#connection.run('DELETE FROM history_gap WHERE lock_id = ? AND ended_at <= ?', lockId, until);
    }
  }
}

function isSameMover(a: Accessor, b: Accessor): boolean {
  return a.method === b.method || isReportedForOurs(a, b) || isReportedForOurs(b, a);
}

/** A gap stands below the entry that ends it. */
function placeOf(line: HistoryLine): number {
  return line.what === 'gap' ? line.to - 0.5 : line.at;
}

function gapOf(row: Row): HistoryGap {
  return { what: 'gap', from: integer(row, 'began_at'), to: integer(row, 'ended_at') };
}
