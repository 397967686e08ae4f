// Reads the archived history of several locks in pages: each lock by the primary key, then merged by time.

import type {
  HistoryCursor,
  HistoryFilter,
  HistoryPage,
  LockHistoryLine,
} from '../../domain/history/page.ts';
import { speakableName } from '../../domain/locks/access.ts';
import { type LockId, lockId } from '../../domain/locks/lock.ts';
import type { HistoryPages } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { folded } from '../../support/text/folded-text.ts';
import { DamagedRow, text } from '../database/columns.ts';
import type { Connection } from '../database/connection.ts';
import { entryOf, gapOf } from './rows.ts';

interface Placed extends LockHistoryLine {
  readonly cursor: HistoryCursor;
}

/** The lines of a lock lie below this place. */
interface Bound {
  readonly at: Instant;
  readonly id: string;
}

export class SqliteHistoryPages implements HistoryPages {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.define('is_named', isNamed);
  }

  page(filter: HistoryFilter, below: HistoryCursor | null, limit: number): HistoryPage {
    const locks = filter.locks ?? this.#locks();
    const placed = [...new Set(locks)]
      .flatMap((lock) => this.#linesOf(lock, filter, below, limit + 1))
      .sort((a, b) => comparePlaces(a.cursor, b.cursor));
    const lines = placed.slice(0, limit);
    return {
      lines: lines.map(({ lock, line }) => ({ lock, line })),
      next: placed.length > limit ? (lines.at(-1)?.cursor ?? null) : null,
    };
  }

  /** The locks with an entry: one step of the index for each, for any number of entries. */
  #locks(): readonly LockId[] {
    const locks: LockId[] = [];
    for (;;) {
      const row = this.#connection.first(
        'SELECT lock_id FROM history_entry WHERE lock_id > ? ORDER BY lock_id LIMIT 1',
        locks.at(-1) ?? '',
      );
      if (row === null) {
        return locks;
      }
      const lock = lockId(text(row, 'lock_id'));
      if (lock === locks.at(-1)) {
        // Bytes that are no UTF-8 read as another text than they are, so the same row would come for ever.
        throw new DamagedRow('column lock_id');
      }
      locks.push(lock);
    }
  }

  people(since: Instant): readonly string[] {
    const names = this.#locks().flatMap((lock) =>
      this.#connection
        .all(
          'SELECT DISTINCT accessor_name FROM history_entry WHERE lock_id = ? AND happened_at >= ? AND accessor_name IS NOT NULL',
          lock,
          since,
        )
        .map((row) => text(row, 'accessor_name')),
    );
    return [...new Set(names)].sort((a, b) => a.localeCompare(b));
  }

  #linesOf(
    lock: LockId,
    asked: HistoryFilter,
    below: HistoryCursor | null,
    limit: number,
  ): readonly Placed[] {
    const filter = { ...asked, ...asked.spanOf?.(lock) };
    const bound = boundOf(lock, filter, below);
    const since = filter.since ?? Number.MIN_SAFE_INTEGER;
    const entries = this.#connection
      .all(
        `SELECT * FROM history_entry WHERE lock_id = ?1 AND happened_at >= ?2 AND (happened_at, entry_id) < (?3, ?4)
           AND (?5 IS NULL OR is_named(accessor_name, ?5))
           AND (?6 IS NULL OR method IN (SELECT value FROM json_each(?6)))
         ORDER BY happened_at DESC, entry_id DESC LIMIT ?7`,
        lock,
        since,
        bound.at,
        bound.id,
        filter.person,
        filter.methods === null ? null : JSON.stringify(filter.methods),
        limit,
      )
      .map(entryOf)
      .map((line): Placed => ({ lock, line, cursor: { at: line.at, lock, id: line.id } }));
    // Below the last entry of a full page, gaps belong to the next.
    const from = entries.length < limit ? since : (entries.at(-1)?.cursor.at ?? since);
    return [...entries, ...this.#gapsOf(lock, filter, { bound, from, limit })];
  }

  /** A gap stands where it ends; one that reaches beyond the requested time stands above its entries. */
  #gapsOf(
    lock: LockId,
    { until }: HistoryFilter,
    { bound, from, limit }: { readonly bound: Bound; readonly from: Instant; readonly limit: number },
  ): readonly Placed[] {
    const latest = until ?? Number.MAX_SAFE_INTEGER;
    return this.#connection
      .all(
        `SELECT * FROM history_gap WHERE lock_id = ?1 AND ended_at > ?2 AND began_at < ?3
         ORDER BY ended_at DESC`,
        lock,
        from,
        Math.min(bound.at, latest),
      )
      .map(gapOf)
      .map((line): Placed => ({ lock, line, cursor: { at: Math.min(line.to, latest - 0.5), lock, id: '' } }))
      .filter(({ cursor: { at } }) => at < bound.at || (at === bound.at && bound.id !== ''))
      .slice(0, limit);
  }
}

/** Compares without regard to case, and a part is enough. A name that may be a secret matches only as a whole, so that nobody can find it by parts. */
export function isNamed(name: string, sought: string): boolean {
  const [have, want] = [folded(name), folded(sought)];
  return speakableName(name) === null ? have === want : have.includes(want);
}

/** The order of all lines: the newest first, then by lock, then by entry; a gap below the entry that ends it. */
function comparePlaces(a: HistoryCursor, b: HistoryCursor): number {
  return b.at - a.at || compareTexts(b.lock, a.lock);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The place from which the lines of this lock go on below a place of any lock. */
function boundOf(lock: LockId, { until }: HistoryFilter, below: HistoryCursor | null): Bound {
  const latest = until ?? Number.MAX_SAFE_INTEGER;
  if (below === null) {
    return { at: latest, id: '' };
  }
  const order = compareTexts(lock, below.lock);
  if (order === 0) {
    return { at: below.at, id: below.id };
  }
  // Locks that come later in the order may have lines at that very instant.
  return { at: order < 0 ? below.at + 1 : below.at, id: '' };
}
