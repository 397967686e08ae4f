// Archives lock history beyond the service's retention: listed entries, webhook reports, and gaps.

import { canBeListed, type HistoryEntry, type HistoryLine } from '../../domain/history/history.ts';
import { isReportedForOurs } from '../../domain/history/move-attribution-policy.ts';
import type { HistoryErased } from '../../domain/history/page.ts';
import type { Accessor } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type {
  HistoryArchive,
  HistoryEraser,
  HistoryMover,
  HistorySpan,
  ListedHistory,
  ReportedEntry,
} from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { isKeepable, SAME_WITHIN_MS } from '../../domain/time/time.ts';
import type { Values } from '../account/settings.ts';
import { integerOrNull } from '../database/columns.ts';
import type { Connection } from '../database/connection.ts';
import { HistoryErasure } from './erasure.ts';
import { type HistoryKept, HistoryRetention } from './retention.ts';
import { entryColumns, entryOf, gapOf } from './rows.ts';

const LISTED = 0;
const REPORTED = 1;
const REPORTED_LATE = 2;

const NOBODY: Accessor = { method: 'unavailable', id: null, name: null };

export class SqliteHistoryArchive implements HistoryArchive, HistoryEraser, HistoryMover {
  readonly #connection: Connection;
  readonly #retention: HistoryRetention;
  readonly #erasure: HistoryErasure;

  constructor(connection: Connection, kept: HistoryKept, settings: Pick<Values, 'read' | 'write'>) {
    this.#connection = connection;
    this.#retention = new HistoryRetention(connection, kept);
    this.#erasure = new HistoryErasure(connection, settings);
  }

  prune(now: Instant): void {
    this.#retention.pruneAll(now);
    this.#erasure.finish();
  }

  count(what: HistoryErased): number {
    return this.#erasure.count(what);
  }

  erase(what: HistoryErased, now: Instant): number {
    return this.#erasure.erase(what, now);
  }

  forgetSome(): boolean {
    return this.#erasure.forgetSome();
  }

  isErased(lockId: LockId, entry: Pick<HistoryEntry, 'at' | 'by'>): boolean {
    return this.#erasure.isErased(lockId, entry);
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

  saveListed({ lockId, entries: listed, limit, holes = [], updatedAt }: ListedHistory, now: Instant): void {
    const entries = listed.filter(({ at }) => isKeepable(at, now, this.#retention.ageMs));
    this.#connection.transaction(() => {
      this.#noteGap(lockId, entries, limit);
      this.#noteHoles(lockId, entries, holes);
      const kept = entries.filter((one) => !this.#erasure.isErased(lockId, one));
      const reported = this.#near(lockId, kept, REPORTED, REPORTED_LATE);
      for (const entry of kept) {
        this.#saveListedEntry(lockId, entry, reported);
      }
      this.#connection.run(
        `INSERT INTO sync_cursor (lock_id, updated_at) VALUES (?, ?)
         ON CONFLICT DO UPDATE SET updated_at = coalesce(excluded.updated_at, updated_at)`,
        lockId,
        updatedAt,
      );
      this.#retention.prune(lockId, now);
    });
  }

  saveReported(reported: readonly ReportedEntry[], now: Instant): void {
    const kept = reported.filter(
      ({ lockId, entry }) =>
        isKeepable(entry.at, now, this.#retention.ageMs) && !this.#erasure.isErased(lockId, entry),
    );
    this.#connection.transaction(() => {
      for (const [lockId, ofLock] of Map.groupBy(kept, (each) => each.lockId)) {
        const entries = ofLock.map(({ entry }) => entry);
        const listed = this.#near(lockId, entries, LISTED, LISTED);
        for (const each of ofLock) {
          this.#saveReportedEntry(each, listed);
        }
        this.#retention.prune(lockId, now);
      }
    });
  }

  moveLock(old: LockId, by: LockId): number {
    let moved = 0;
    this.#connection.transaction(() => {
      moved = this.#entriesOf(old);
      this.#connection.run(
        `INSERT OR IGNORE INTO history_entry
         SELECT ?2, happened_at, entry_id, reported, what, method, accessor_id, accessor_name, offset_minutes, service_word
         FROM history_entry WHERE lock_id = ?1`,
        old,
        by,
      );
      this.#connection.run(
        'INSERT OR IGNORE INTO history_gap SELECT ?2, began_at, ended_at FROM history_gap WHERE lock_id = ?1',
        old,
        by,
      );
      for (const table of ['history_entry', 'history_gap', 'history_name', 'history_count', 'sync_cursor']) {
        this.#connection.run(`DELETE FROM ${table} WHERE lock_id = ?`, old);
      }
    });
    return moved;
  }

  #entriesOf(lockId: LockId): number {
    const row = this.#connection.first(
      'SELECT count(*) AS entries FROM history_entry WHERE lock_id = ?',
      lockId,
    );
    return row === null ? 0 : (integerOrNull(row, 'entries') ?? 0);
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
   * A list that does not reach back to the newest known entry leaves a gap. A shorter list repeats listed entries, but
   * not webhook reports: those show a gap only where the service's retention ends. Before the first entry of all, the
   * gap begins where the history does. Late events close no gap, because others may be missing.
   */
  #noteGap(lockId: LockId, entries: readonly HistoryEntry[], limit: number): void {
    const inOrder = entries.toSorted((a, b) => a.at - b.at);
    const [oldest] = inOrder;
    if (oldest === undefined) {
      return;
    }
    const kept = this.#connection.first(
      `SELECT (SELECT max(happened_at) FROM history_entry WHERE lock_id = ?1 AND happened_at < ?2 AND reported < ${REPORTED_LATE}) AS before,
         (SELECT max(happened_at) FROM history_entry WHERE lock_id = ?1 AND reported = ${LISTED}) AS listed`,
      lockId,
      oldest.at,
    );
    const before = kept === null ? null : integerOrNull(kept, 'before');
    const listed = kept === null ? null : integerOrNull(kept, 'listed');
    const joins = (listed !== null && listed >= oldest.at) || this.#wereReported(lockId, inOrder);
    const from = before ?? this.mark(lockId) ?? null;
    const shows = listed !== null || entries.length >= limit;
    if (shows && !joins && from !== null && from < oldest.at) {
      this.#connection.run(
        'INSERT OR IGNORE INTO history_gap (lock_id, began_at, ended_at) VALUES (?, ?, ?)',
        lockId,
        from,
        oldest.at,
      );
    }
  }

  /** An entry that cannot be read leaves a gap between its neighbours, until a list has it: a list closes the gaps that it spans. */
  #noteHoles(lockId: LockId, entries: readonly HistoryEntry[], holes: readonly HistorySpan[]): void {
    const oldest = Math.min(...entries.map(({ at }) => at));
    if (entries.length > 0) {
      this.#connection.run('DELETE FROM history_gap WHERE lock_id = ? AND began_at >= ?', lockId, oldest);
    }
    const isShown = ({ from, to }: HistorySpan): boolean =>
      from >= oldest && !this.#erasure.isErased(lockId, { at: to, by: NOBODY });
    for (const { from, to } of holes.filter(isShown)) {
      this.#connection.run(
        'INSERT OR IGNORE INTO history_gap (lock_id, began_at, ended_at) VALUES (?, ?, ?)',
        lockId,
        from,
        to,
      );
    }
  }

  /** Whether webhooks reported the oldest of these moves when it happened. They may have missed later ones. */
  #wereReported(lockId: LockId, entries: readonly HistoryEntry[]): boolean {
    const first = entries.find(({ what }) => what === 'secured' || what === 'unsecured') ?? entries[0];
    return (
      first !== undefined &&
      sameThing(first, this.#near(lockId, [first], REPORTED, REPORTED), { listed: false }) !== null
    );
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

  /**
   * A listed entry replaces the reported one, but keeps its event type where the list has none, and its certain
   * attribution to this plugin.
   */
  #saveListedEntry(lockId: LockId, entry: HistoryEntry, near: HistoryEntry[]): void {
    const reported = this.#isListed(lockId, entry) ? null : sameThing(entry, near, { listed: false });
    if (reported !== null) {
      near.splice(near.indexOf(reported), 1);
      this.#connection.run(
        'DELETE FROM history_entry WHERE lock_id = ? AND happened_at = ? AND entry_id = ?',
        lockId,
        reported.at,
        reported.id,
      );
    }
    const what = reported !== null && entry.what === 'unrecognised' ? reported.what : entry.what;
    const by = reported !== null && isReportedForOurs(reported.by, entry.by) ? reported.by : entry.by;
    this.#insert(lockId, { ...entry, what, by }, LISTED);
  }

  #saveReportedEntry({ lockId, entry, late }: ReportedEntry, near: HistoryEntry[]): void {
    const listed = sameThing(entry, near, { listed: true });
    if (listed === null) {
      this.#insert(lockId, entry, late ? REPORTED_LATE : REPORTED);
      return;
    }
    const what = listed.what === 'unrecognised' ? entry.what : listed.what;
    const by = isReportedForOurs(entry.by, listed.by) ? entry.by : listed.by;
    if (what !== listed.what || by !== listed.by) {
      near[near.indexOf(listed)] = {
        ...listed,
        what,
        by: { ...listed.by, method: by.method, name: by.name },
      };
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

  /** The entries of those origins that may be the same as one of these: of a burst, all are read at once. */
  #near(lockId: LockId, entries: readonly HistoryEntry[], fromRank: number, toRank: number): HistoryEntry[] {
    return spansOf(entries).flatMap(({ from, to }) =>
      this.#connection
        .all(
          'SELECT * FROM history_entry WHERE lock_id = ? AND happened_at BETWEEN ? AND ? AND reported BETWEEN ? AND ?',
          lockId,
          from,
          to,
          fromRank,
          toRank,
        )
        .map(entryOf),
    );
  }

  #insert(lockId: LockId, entry: HistoryEntry, reported: number): void {
    this.#connection.run(
      `INSERT INTO history_entry (lock_id, happened_at, entry_id, reported, what, method, accessor_id, accessor_name, offset_minutes, service_word)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET offset_minutes = coalesce(excluded.offset_minutes, offset_minutes),
         service_word = coalesce(excluded.service_word, service_word)`,
      lockId,
      entry.at,
      entry.id,
      reported,
      ...entryColumns(entry),
    );
  }
}

/** The times in which the same entries may be dated otherwise; those that touch are one. */
function spansOf(
  entries: readonly HistoryEntry[],
): readonly { readonly from: Instant; readonly to: Instant }[] {
  const spans: { from: Instant; to: Instant }[] = [];
  for (const { at } of entries.toSorted((a, b) => a.at - b.at)) {
    const last = spans.at(-1);
    if (last !== undefined && at - SAME_WITHIN_MS <= last.to) {
      last.to = at + SAME_WITHIN_MS;
    } else {
      spans.push({ from: at - SAME_WITHIN_MS, to: at + SAME_WITHIN_MS });
    }
  }
  return spans;
}

/** The nearest entry of the same event from the other origin: by its type or, where the list has none, by its accessor. */
function sameThing(
  entry: HistoryEntry,
  near: readonly HistoryEntry[],
  { listed }: { readonly listed: boolean },
): HistoryEntry | null {
  const distance = ({ at }: HistoryEntry): number => Math.abs(at - entry.at);
  const same = near.filter((other) => {
    if (distance(other) > SAME_WITHIN_MS || !canBeListed(other) || !canBeListed(entry)) {
      return false;
    }
    const wordless = (listed ? other : entry).what === 'unrecognised';
    return wordless ? isSameMover(other.by, entry.by) : other.what === entry.what;
  });
  return same.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

function isSameMover(a: Accessor, b: Accessor): boolean {
  return a.method === b.method || isReportedForOurs(a, b) || isReportedForOurs(b, a);
}

/** A gap stands below the entry that ends it. */
function placeOf(line: HistoryLine): number {
  return line.what === 'gap' ? line.to - 0.5 : line.at;
}
