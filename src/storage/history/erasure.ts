// Erases the entries of one person or one lock from the archive, and keeps the service's lists from bringing them back.
import { createHash, randomUUID } from 'node:crypto';
import type { HistoryEntry } from '../../domain/history/history.ts';
import type { HistoryErased } from '../../domain/history/page.ts';
import { folded } from '../../domain/language/folded-text.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import type { Values } from '../account/settings.ts';
import { integer, integerOrNull, text } from '../database/columns.ts';
import type { Connection } from '../database/connection.ts';
import { namesIn } from './names.ts';

/** What was erased, up to when. It holds no name: a digest of one, which is compared with those of later lists. */
interface Mark {
  readonly lock: LockId | null;
  readonly person: string | null;
  /** Digests of the ids of this person's codes: once a guest is gone, lists have only the name of the code. Missing in a mark of before. */
  readonly codes?: readonly string[];
  readonly salt: string;
  readonly until: Instant;
}

const KEY = 'history-erased';

/** Erasures that are remembered (our choice): what they erased is no longer in the service's lists by then. */
const MOST_MARKS = 200;

/** So many codes of one person are remembered (our choice): each lock has one, or few. */
const MOST_CODES = 200;

/** The content of a received event is for people who look for a fault; its id alone tells that it was received. */
const FORGOTTEN = '{}';

const NAME_IN_EVENT = `CASE WHEN json_valid(event)
  THEN coalesce(json_extract(event, '$.accessor.name'), json_extract(event, '$.codeName')) END`;
const CODE_IN_EVENT = `CASE WHEN json_valid(event)
  THEN coalesce(json_extract(event, '$.accessor.id'), json_extract(event, '$.codeId')) END`;
const LOCK_IN_EVENT = "CASE WHEN json_valid(event) THEN json_extract(event, '$.lockId') END";

const WHERE =
  '(?1 IS NULL OR lock_id = ?1) AND (?2 IS NULL OR accessor_name IN (SELECT value FROM json_each(?2)))';

export class HistoryErasure {
  readonly #connection: Connection;
  readonly #settings: Pick<Values, 'read' | 'write'>;
  #marks: readonly Mark[] | null = null;

  constructor(connection: Connection, settings: Pick<Values, 'read' | 'write'>) {
    this.#connection = connection;
    this.#settings = settings;
  }

  count(what: HistoryErased): number {
    return this.#found(what).entries;
  }

  /** Returns the number of entries that are gone. They are overwritten on the disk as well. */
  erase(what: HistoryErased, now: Instant): number {
    const { lock, person } = what;
    const { entries, newest } = this.#found(what);
    const salt = randomUUID();
    const until = Math.max(now, newest);
    const names = this.#spellings(person);
    const ids = this.#codesOf(lock, names);
    const codes = ids.map((id) => digestOf(id, salt));
    const mark: Mark = { lock, person: person === null ? null : digestOf(person, salt), codes, salt, until };
    this.#marks = [...this.#known(), mark].slice(-MOST_MARKS);
    this.#settings.write(KEY, this.#marks);
    this.#connection.run(`DELETE FROM history_entry WHERE ${WHERE}`, lock, names);
    this.#connection.run(
      `DELETE FROM history_name WHERE ${WHERE.replace('accessor_name', 'name')}`,
      lock,
      names,
    );
    if (person === null) {
      this.#connection.run('DELETE FROM history_gap WHERE lock_id = ? AND ended_at <= ?', lock, until);
    }
    this.#forgetEvents(what, ids);
    this.#connection.emptyLog();
    return entries;
  }

  /** The codes of one person that nobody else had; none for all entries of a lock. `names`: as JSON. */
  #codesOf(lock: LockId | null, names: string | null): readonly string[] {
    return names === null
      ? []
      : this.#connection
          .all(
            `SELECT accessor_id FROM history_entry
             WHERE (?1 IS NULL OR lock_id = ?1) AND method = 'access-code' AND accessor_id IS NOT NULL
             GROUP BY accessor_id HAVING min(coalesce(accessor_name IN (SELECT value FROM json_each(?2)), 0)) = 1
             LIMIT ${MOST_CODES}`,
            lock,
            names,
          )
          .map((row) => text(row, 'accessor_id'));
  }

  /** The events that were received lately stay known by their ids. */
  #forgetEvents({ lock, person }: HistoryErased, codes: readonly string[]): void {
    const names = this.#connection
      .all(
        `SELECT DISTINCT CAST(${NAME_IN_EVENT} AS TEXT) AS name FROM received_event WHERE ${NAME_IN_EVENT} IS NOT NULL`,
      )
      .map((row) => text(row, 'name'))
      .filter((name) => person === null || isCalled(name, person));
    this.#connection.run(
      `UPDATE received_event SET event = ?1 WHERE (?2 IS NULL OR ${LOCK_IN_EVENT} = ?2)
         AND (?3 OR ${NAME_IN_EVENT} IN (SELECT value FROM json_each(?4)) OR ${CODE_IN_EVENT} IN (SELECT value FROM json_each(?5)))`,
      FORGOTTEN,
      lock,
      person === null ? 1 : 0,
      JSON.stringify(names),
      JSON.stringify(codes),
    );
  }

  #found({ lock, person }: HistoryErased): { readonly entries: number; readonly newest: Instant } {
    const row =
      this.#connection.first(
        `SELECT count(*) AS entries, max(happened_at) AS newest FROM history_entry WHERE ${WHERE}`,
        lock,
        this.#spellings(person),
      ) ?? {};
    return { entries: integer(row, 'entries'), newest: integerOrNull(row, 'newest') ?? 0 };
  }

  /** The names in the archive that are this person's, as JSON; null for all entries of a lock. */
  #spellings(person: string | null): string | null {
    const names = person === null ? null : namesIn(this.#connection, 0);
    return names === null ? null : JSON.stringify(names.filter((name) => isCalled(name, person ?? '')));
  }

  /** The service still lists what was erased here. */
  isErased(lockId: LockId, { at, by }: Pick<HistoryEntry, 'at' | 'by'>): boolean {
    return this.#known().some(
      ({ lock, until, ...mark }) =>
        at <= until && (lock === null || lock === lockId) && (mark.person === null || isOf(mark, by)),
    );
  }

  #known(): readonly Mark[] {
    const kept = this.#marks ?? this.#settings.read(KEY);
    this.#marks = Array.isArray(kept) ? kept.filter(isMark) : [];
    return this.#marks;
  }
}

/** Whether the accessor is the person of the mark, by name or by the id of a code. */
function isOf({ person, codes = [], salt }: Omit<Mark, 'lock' | 'until'>, by: HistoryEntry['by']): boolean {
  const { method, id, name } = by;
  const isCode = method === 'access-code' && id !== null && codes.length > 0;
  return (name !== null && digestOf(name, salt) === person) || (isCode && codes.includes(digestOf(id, salt)));
}

function digestOf(name: string, salt: string): string {
  return createHash('sha256')
    .update(salt + folded(name))
    .digest('hex');
}

function isCalled(name: string, sought: string): boolean {
  return folded(name) === folded(sought);
}

function isMark(value: unknown): value is Mark {
  return isObject(value) && typeof value['salt'] === 'string' && typeof value['until'] === 'number';
}
