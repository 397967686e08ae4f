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
import { integer, text, textOrNull } from '../database/columns.ts';
import type { Connection } from '../database/connection.ts';
import { namesIn, PERIOD_MS } from './names.ts';

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
  /** Not all of it is gone from the archive and the received events: what a crash leaves, the next start does. */
  readonly isUnfinished?: true;
}

/** Received events that are looked at in one turn of the event loop (our choice): some 20 ms of 0.2 s and more for 100,000. */
const EVENTS_AT_ONCE = 2_000;

/** Of a received event, in the order of its table. */
interface Place {
  readonly at: number;
  readonly id: string;
}

interface KeptEvent extends Place {
  readonly name: string | null;
  readonly code: string | null;
  readonly lock: string | null;
}

const KEY = 'history-erased';

/** Erasures that are remembered (our choice): what they erased is no longer in the service's lists by then. */
const MOST_MARKS = 200;

/** So many codes of one person are remembered (our choice): each lock has one, or few. */
const MOST_CODES = 200;

/** So many dates of a clock that was ahead are remembered of one erasure (our choice). */
const MOST_AHEAD = 10_000;

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
  /** The last event that was looked at for the unfinished erasure; null: none in this process. */
  #lookedAt: Place | null = null;

  constructor(connection: Connection, settings: Pick<Values, 'read' | 'write'>) {
    this.#connection = connection;
    this.#settings = settings;
  }

  count(what: HistoryErased): number {
    return this.#entriesOf(what.lock, this.#spellings(what.person));
  }

  /** Returns the number of entries that are gone. Received events follow with `forgetSome`, the first of them at once. */
  erase(what: HistoryErased, now: Instant): number {
    const { lock, person } = what;
    const names = this.#spellings(person);
    const entries = this.#entriesOf(lock, names);
    const ahead = this.#aheadOf(lock, names, now);
    const salt = randomUUID();
    const ids = this.#codesOf(lock, names);
    const codes = ids.map((id) => digestOf(id, salt));
    const whose = person === null ? null : digestOf(person, salt);
    const mark: Mark = { lock, person: whose, codes, salt, until: now, ahead, isUnfinished: true };
    this.#save([...this.#known(), mark].slice(-MOST_MARKS));
    this.forgetSome();
    return entries;
  }

  /**
   * Forgets a part of the received events of an erasure, which stay known by their ids. True: call again. The erasure is noted
   * as finished after the last of them, and then nothing of it is on the disk.
   */
  forgetSome(): boolean {
    const mark = this.#known().find(({ isUnfinished }) => isUnfinished === true);
    if (mark === undefined) {
      return false;
    }
    const from = this.#lookedAt;
    // After a failure it begins again.
    this.#lookedAt = null;
    if (from === null) {
      this.#removeEntries(mark);
    }
    const events = this.#eventsAfter(from ?? { at: Number.MIN_SAFE_INTEGER, id: '' });
    this.#forget(events.filter(isAbout(mark)));
    // After each part: at the end it would be many megabytes.
    this.#connection.emptyLog();
    const last = events.at(-1);
    if (last !== undefined && events.length === EVENTS_AT_ONCE) {
      this.#lookedAt = last;
      return true;
    }
    const { isUnfinished: _, ...finished } = mark;
    this.#save(this.#known().map((one) => (one === mark ? finished : one)));
    return this.#known().some(({ isUnfinished }) => isUnfinished === true);
  }

  /** Goes on with an erasure that a crash interrupted; one of this process is under way by itself. */
  finish(): void {
    let isLeft = this.#lookedAt === null;
    while (isLeft) {
      isLeft = this.forgetSome();
    }
  }

  #eventsAfter({ at, id }: Place): readonly KeptEvent[] {
    return this.#connection
      .all(
        `SELECT happened_at, event_id, CAST(${NAME_IN_EVENT} AS TEXT) AS name, CAST(${CODE_IN_EVENT} AS TEXT) AS code,
           CAST(${LOCK_IN_EVENT} AS TEXT) AS lock
         FROM received_event WHERE (happened_at, event_id) > (?, ?)
         ORDER BY happened_at, event_id LIMIT ${EVENTS_AT_ONCE}`,
        at,
        id,
      )
      .map((row) => ({
        at: integer(row, 'happened_at'),
        id: text(row, 'event_id'),
        name: textOrNull(row, 'name'),
        code: textOrNull(row, 'code'),
        lock: textOrNull(row, 'lock'),
      }));
  }

  #forget(events: readonly Place[]): void {
    this.#connection.transaction(() => {
      for (const { at, id } of events) {
        this.#connection.run(
          'UPDATE received_event SET event = ? WHERE happened_at = ? AND event_id = ?',
          FORGOTTEN,
          at,
          id,
        );
      }
    });
  }

  #removeEntries({ lock, person, salt, until, ahead = [] }: Mark): void {
    const names =
      person === null
        ? null
        : JSON.stringify(namesIn(this.#connection, 0).filter((name) => digestOf(name, salt) === person));
    this.#connection.transaction(() => {
      this.#connection.run(
        `DELETE FROM history_entry
         WHERE ${WHERE} AND (happened_at <= ?3 OR happened_at IN (SELECT value FROM json_each(?4)))`,
        lock,
        names,
        until,
        JSON.stringify(ahead),
      );
      // The name of a later entry, after a crash, is still to be found.
      this.#connection.run(
        `DELETE FROM history_name WHERE ${WHERE.replace('accessor_name', 'name')} AND (period < ?3 OR NOT EXISTS (
           SELECT 1 FROM history_entry AS entry WHERE entry.lock_id = history_name.lock_id
             AND happened_at >= period * ${PERIOD_MS} AND accessor_name = name))`,
        lock,
        names,
        Math.floor(until / PERIOD_MS),
      );
      if (person === null) {
        const newest = Math.max(until, ...ahead);
        this.#connection.run('DELETE FROM history_gap WHERE lock_id = ? AND ended_at <= ?', lock, newest);
      }
    });
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

  #save(marks: readonly Mark[]): void {
    this.#settings.write(KEY, marks);
    this.#marks = marks;
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

/** Few people make many events: each name and id is digested once. */
function isAbout({ lock, person, codes = [], salt }: Mark): (event: KeptEvent) => boolean {
  const digests = new Map<string, string>();
  const digest = (value: string): string => {
    const known = digests.get(value) ?? digestOf(value, salt);
    digests.set(value, known);
    return known;
  };
  return (event) =>
    (lock === null || lock === event.lock) &&
    (person === null ||
      (event.name !== null && digest(event.name) === person) ||
      (event.code !== null && codes.length > 0 && codes.includes(digest(event.code))));
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
