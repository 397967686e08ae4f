// Reads the archived history of several locks in pages: each lock by the primary key, then merged by time.
import type { HistoryEntry } from '../../domain/history/history.ts';

import type {
  HistoryCursor,
  HistoryFilter,
  HistoryPage,
  LockHistoryLine,
} from '../../domain/history/page.ts';
import { folded } from '../../domain/language/folded-text.ts';
import { speakableName } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { HistoryPages } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { Connection } from '../database/connection.ts';
import { locksIn, namesIn, PERIOD_MS, periodsWith } from './names.ts';
import { entryOf, gapOf } from './rows.ts';

interface Placed extends LockHistoryLine {
  readonly cursor: HistoryCursor;
}

/** The lines of a lock lie below this place. */
interface Bound {
  readonly at: Instant;
  readonly id: string;
}

/** What is asked of one lock: its filter, with the names that are sought as JSON, and the place below which its lines lie. */
interface Asked {
  readonly lock: LockId;
  readonly filter: HistoryFilter;
  readonly names: string | null;
  readonly bound: Bound;
}

export class SqliteHistoryPages implements HistoryPages {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Locks are read in the order of their newest lines, until none can have one of this page: of 149, a few. */
  page(filter: HistoryFilter, below: HistoryCursor | null, limit: number): HistoryPage {
    const names = filter.person === null ? null : JSON.stringify(this.#namesLike(filter.person));
    const asked = [...new Set(filter.locks ?? locksIn(this.#connection))].map((lock): Asked => {
      const own = { ...filter, ...filter.spanOf?.(lock) };
      return { lock, filter: own, names, bound: boundOf(lock, own, below) };
    });
    const inOrder = asked
      .map((one) => ({ one, newest: this.#newestOf(one) }))
      .filter(({ newest }) => newest !== null)
      .sort((a, b) => Number(b.newest) - Number(a.newest));
    let placed: Placed[] = [];
    let last = Number.MIN_SAFE_INTEGER;
    for (const { one, newest } of inOrder) {
      if (Number(newest) < last) {
        break;
      }
      // A gap stands half a millisecond below the entry that ends it.
      placed.push(...this.#linesOf(one, limit + 1, last - 1));
      if (placed.length > limit) {
        placed = inPlace(placed).slice(0, limit + 1);
        last = placed.at(-1)?.cursor.at ?? last;
      }
    }
    placed = inPlace(placed);
    const lines = placed.slice(0, limit);
    return {
      lines: lines.map(({ lock, line }) => ({ lock, line })),
      next: placed.length > limit ? (lines.at(-1)?.cursor ?? null) : null,
    };
  }

  /** No line of the lock is newer; null where it has none. With names it is known from the periods alone. */
  #newestOf(asked: Asked): Instant | null {
    const { lock, names, bound, filter } = asked;
    if (names === null) {
      return this.#linesOf(asked, 1)[0]?.cursor.at ?? null;
    }
    const since = filter.since ?? Number.MIN_SAFE_INTEGER;
    const [period] = periodsWith(this.#connection, lock, names, { since, before: bound.at });
    const [gap] = this.#gapsOf(lock, filter, { bound, from: since, limit: 1 });
    const entryAt = period === undefined ? null : Math.min((period + 1) * PERIOD_MS, bound.at);
    return entryAt === null ? (gap?.cursor.at ?? null) : Math.max(entryAt, gap?.cursor.at ?? entryAt);
  }

  people(since: Instant): readonly string[] {
    return namesIn(this.#connection, since).toSorted((a, b) => a.localeCompare(b));
  }

  #namesLike(person: string): readonly string[] {
    return namesIn(this.#connection, 0).filter((name) => isNamed(name, person));
  }

  /** The newest lines of a lock, up to a number. */
  #linesOf(asked: Asked, limit: number, notBefore: Instant = Number.MIN_SAFE_INTEGER): readonly Placed[] {
    const since = Math.max(asked.filter.since ?? notBefore, notBefore);
    const entries = this.#entriesOf(asked, since, limit).map(
      (line): Placed => ({
        lock: asked.lock,
        line,
        cursor: { at: line.at, lock: asked.lock, id: line.id },
      }),
    );
    // Below the last entry of a full page, gaps belong to the next.
    const from = entries.length < limit ? since : (entries.at(-1)?.cursor.at ?? since);
    const gaps = this.#gapsOf(asked.lock, asked.filter, { bound: asked.bound, from, limit });
    return inPlace([...entries, ...gaps]);
  }

  /** With names, only the periods that have one of them are read. */
  #entriesOf({ lock, names, bound, filter }: Asked, since: Instant, limit: number): readonly HistoryEntry[] {
    if (names === null) {
      return this.#entriesBetween({ lock, names, bound, filter }, since, limit);
    }
    const entries: HistoryEntry[] = [];
    for (const period of periodsWith(this.#connection, lock, names, { since, before: bound.at })) {
      const span = { at: (period + 1) * PERIOD_MS, id: '' };
      const within = { lock, names, filter, bound: span.at < bound.at ? span : bound };
      entries.push(
        ...this.#entriesBetween(within, Math.max(since, period * PERIOD_MS), limit - entries.length),
      );
      if (entries.length >= limit) {
        break;
      }
    }
    return entries;
  }

  #entriesBetween({ lock, names, bound, filter }: Asked, since: Instant, limit: number): HistoryEntry[] {
    return this.#connection
      .all(
        `SELECT * FROM history_entry WHERE lock_id = ?1 AND happened_at >= ?2 AND (happened_at, entry_id) < (?3, ?4)
           AND (?5 IS NULL OR accessor_name IN (SELECT value FROM json_each(?5)))
           AND (?6 IS NULL OR method IN (SELECT value FROM json_each(?6)))
         ORDER BY happened_at DESC, entry_id DESC LIMIT ?7`,
        lock,
        since,
        bound.at,
        bound.id,
        names,
        filter.methods === null ? null : JSON.stringify(filter.methods),
        limit,
      )
      .map(entryOf);
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

function inPlace(lines: readonly Placed[]): Placed[] {
  return lines.toSorted((a, b) => comparePlaces(a.cursor, b.cursor));
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
  // Locks that come later in the order may have lines at that very instant, and places are half a millisecond apart.
  const bound = { at: order < 0 ? below.at + 0.25 : below.at, id: order === 0 ? below.id : '' };
  return bound.at < latest ? bound : { at: latest, id: '' };
}
