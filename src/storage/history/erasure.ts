// Erases the entries of one person or one lock from the archive, and keeps the service's lists from bringing them back.
import { createHash, randomUUID } from 'node:crypto';
import type { HistoryEntry } from '../../domain/history/history.ts';
import type { HistoryErased } from '../../domain/history/page.ts';
import { folded } from '../../domain/language/folded-text.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { SAME_WITHIN_MS } from '../../domain/time/time.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import type { Values } from '../account/settings.ts';
import { integer, text } from '../database/columns.ts';
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
  /** The dates of erased entries of a clock that was ahead: what happens until then is not erased. Missing in a mark of before. */
  readonly ahead?: readonly Instant[];
}

const KEY = 'history-erased';

/** Erasures that are remembered (our choice): what they erased is no longer in the service's lists by then. */
const MOST_MARKS = 200;

/** So many codes of one person are remembered (our choice): each lock has one, or few. */
const MOST_CODES = 200;

/** The service lists a hundred entries of a lock (our choice). */
const MOST_AHEAD = 1_000;

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
    return this.#entriesOf(what.lock, this.#spellings(what.person));
  }

  /** Returns the number of entries that are gone. They are overwritten on the disk as well. */
  erase(what: HistoryErased, now: Instant): number {
    const { lock, person } = what;
    const names = this.#spellings(person);
    const entries = this.#entriesOf(lock, names);
    const ahead = this.#aheadOf(lock, names, now);
    const salt = randomUUID();
    const ids = this.#codesOf(lock, names);
    const codes = ids.map((id) => digestOf(id, salt));
    const whose = person === null ? null : digestOf(person, salt);
    const mark: Mark = { lock, person: whose, codes, salt, until: now, ahead };
    this.#marks = [...this.#known(), mark].slice(-MOST_MARKS);
    this.#settings.write(KEY, this.#marks);
    this.#connection.run(`DELETE FROM history_entry WHERE ${WHERE}`, lock, names);
    this.#connection.run(
      `DELETE FROM history_name WHERE ${WHERE.replace('accessor_name', 'name')}`,
      lock,
      names,
    );
    if (person === null) {
      const newest = Math.max(now, ...ahead);
      this.#connection.run('DELETE FROM history_gap WHERE lock_id = ? AND ended_at <= ?', lock, newest);
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

  /** `names`: as JSON. */
  #entriesOf(lock: LockId | null, names: string | null): number {
    const sql = `SELECT count(*) AS entries FROM history_entry WHERE ${WHERE}`;
    return integer(this.#connection.first(sql, lock, names) ?? {}, 'entries');
  }

  #aheadOf(lock: LockId | null, names: string | null, now: Instant): readonly Instant[] {
    const sql = `SELECT happened_at FROM history_entry WHERE ${WHERE} AND happened_at > ?3 LIMIT ${MOST_AHEAD}`;
    return this.#connection.all(sql, lock, names, now).map((row) => integer(row, 'happened_at'));
  }

  /** The names in the archive that are this person's, as JSON; null for all entries of a lock. */
  #spellings(person: string | null): string | null {
    const names = person === null ? null : namesIn(this.#connection, 0);
    return names === null ? null : JSON.stringify(names.filter((name) => isCalled(name, person ?? '')));
  }

  /** The service still lists what was erased here. */
  isErased(lockId: LockId, { at, by }: Pick<HistoryEntry, 'at' | 'by'>): boolean {
    return this.#known().some(
      ({ lock, until, ahead = [], ...mark }) =>
        (at <= until || ahead.some((each) => Math.abs(each - at) <= SAME_WITHIN_MS)) &&
        (lock === null || lock === lockId) &&
        (mark.person === null || isOf(mark, by)),
    );
  }

  #known(): readonly Mark[] {
    const kept = this.#marks ?? this.#settings.read(KEY);
    this.#marks = Array.isArray(kept) ? kept.filter(isMark) : [];
    return this.#marks;
  }
}

/** Whether the accessor is the person of the mark, by name or by the id of a code. */
function isOf(
  { person, codes = [], salt }: Omit<Mark, 'lock' | 'until' | 'ahead'>,
  by: HistoryEntry['by'],
): boolean {
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
