// One SQLite connection that returns rows and throws the plugin's own errors.
import type { SQLInputValue, DatabaseSync as SqliteDatabase, StatementSync } from 'node:sqlite';
import { FinalError, LatchkeyError, messageOf, systemCodeOf } from '../../support/errors.ts';
import { DamagedRow } from './damaged-row.ts';
import { diskError, isBusy, sqliteResultOf } from './disk-trouble.ts';
import { DatabaseSync } from './sqlite.ts';

/** `full`: on the disk when the call returns. `normal`: survives a killed process, not always a power cut. */
export type Durability = 'full' | 'normal';

export type Row = Readonly<Record<string, unknown>>;

/**
 * Longest wait for another process, in milliseconds. It blocks this process, so it is far below the limit of a HomeKit
 * answer (2.5 s) and far above a commit on a slow card (50 ms).
 */
const BUSY_MS = 250;

/** While opening, no request is pending yet, and another process may be migrating; in milliseconds (our choice). */
const BUSY_AT_OPENING_MS = 5_000;

/** The pause between two tries to open, in milliseconds (our choice). */
const OPENING_PAUSE_MS = 20;

const idle = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

export class Connection<Kept extends Durability = Durability> {
  /** Part of the type, so that tokens cannot be given a connection that a power cut may rob. */
  readonly durability: Kept;
  readonly #path: string;
  readonly #database: SqliteDatabase;
  readonly #held: () => void;
  readonly #statements = new Map<string, StatementSync>();
  #inTransaction = false;

  /**
   * Opens an existing file. `held` is called after every commit, because a commit blocks the event loop. Throws `retry`
   * when the disk fails, `final` when the file is no database of this plugin.
   */
  constructor(path: string, durability: Kept, held: () => void = () => {}) {
    this.durability = durability;
    this.#path = path;
    this.#held = held;
    this.#database = this.#attempt(() => new DatabaseSync(path));
    try {
      this.script(`
        PRAGMA busy_timeout = ${BUSY_AT_OPENING_MS};
        PRAGMA synchronous = ${durability};
        PRAGMA foreign_keys = ON;
        PRAGMA secure_delete = ON;
      `);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Writes go to a log from now on, unless the answer is no: SQLite does without where processes cannot share memory, as on
   * network shares. It does not wait here, or not always: of several processes that open a new file, one would be told that it is busy.
   */
  beginLog(): boolean {
    for (let leftMs = BUSY_AT_OPENING_MS; ; leftMs -= OPENING_PAUSE_MS) {
      try {
        return this.first('PRAGMA journal_mode = WAL')?.['journal_mode'] === 'wal';
      } catch (error) {
        if (!isBusy(error) || leftMs <= 0) {
          throw error;
        }
        Atomics.wait(idle, 0, 0, OPENING_PAUSE_MS);
      }
    }
  }

  /** From now on, calls wait for another process only as long as HomeKit allows. */
  shortenWaits(): void {
    this.script(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }

  script(sql: string): void {
    this.#attempt(() => this.#database.exec(sql));
  }

  /** Registers a test of two texts as a function for statements, by this name. */
  define(name: string, test: (text: string, sought: string) => boolean): void {
    this.#database.function(name, { deterministic: true }, (text, sought) =>
      typeof text === 'string' && typeof sought === 'string' && test(text, sought) ? 1 : 0,
    );
  }

  /**
   * The first row, or null. Only for reading: a `RETURNING` statement is committed after its row was read, and
   * node:sqlite does not report a failure of that commit.
   */
  first(sql: string, ...values: readonly SQLInputValue[]): Row | null {
    return this.#attempt(() => this.#statement(sql).get(...values)) ?? null;
  }

  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#attempt(() => this.#statement(sql).all(...values));
  }

  /** Rows one by one, whose whole numbers are of any size: for looking at values that no version writes. */
  *rawRows(sql: string): Generator<Row> {
    const statement = this.#attempt(() => this.#database.prepare(sql));
    statement.setReadBigInts(true);
    yield* statement.iterate();
  }

  /** Returns the number of changed rows and the id of the last one inserted. */
  run(sql: string, ...values: readonly SQLInputValue[]): { readonly changed: number; readonly id: number } {
    const result = this.#attempt(() => {
      const { changes, lastInsertRowid } = this.#statement(sql).run(...values);
      return { changed: Number(changes), id: Number(lastInsertRowid) };
    });
    if (!this.#inTransaction) {
      this.#held();
    }
    return result;
  }

  /** Runs `work` in an exclusive write transaction, whole or not at all. */
  transaction<T>(work: () => T): T {
    // Changes left by a failed rollback must not be committed with this work.
    this.#attempt(() => this.#rollBack());
    this.script('BEGIN IMMEDIATE');
    this.#inTransaction = true;
    try {
      const result = work();
      this.script('COMMIT');
      return result;
    } catch (error) {
      this.#rollBackAfter(error);
      throw error;
    } finally {
      this.#inTransaction = false;
      this.#held();
    }
  }

  /**
   * Moves the log into the database, which overwrites erased values, and empties it. The answer is no where another process is
   * reading, or the disk fails: the written values are safe in the log, and the next call does it.
   */
  emptyLog(): boolean {
    try {
      return this.#statement('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
    } catch {
      return false;
    }
  }

  /** Closing twice does nothing. */
  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) {
      this.#database.close();
    }
  }

  /** If the rollback fails, too, the first error is still the one thrown, translated as usual. */
  #rollBackAfter(error: unknown): void {
    try {
      this.#rollBack();
    } catch (second) {
      const cause = new AggregateError([error, second], 'The transaction and its rollback failed');
      throw error instanceof LatchkeyError ? error : diskError(this.#path, cause);
    }
  }

  /** SQLite rolls back by itself after some disk errors. */
  #rollBack(): void {
    if (this.#database.isOpen && this.#database.isTransaction) {
      this.#database.exec('ROLLBACK');
    }
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw translated(this.#path, error);
    }
  }
}

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html) that a retry cannot fix. */
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

function translated(path: string, error: unknown): LatchkeyError {
  if (error instanceof LatchkeyError) {
    return error;
  }
  if (systemCodeOf(error) === 'ERR_OUT_OF_RANGE') {
    return new DamagedRow('a number that is too large');
  }
  const result = sqliteResultOf(error);
  if (result === CORRUPT || result === NOT_A_DATABASE) {
    const message = `Storage refused: ${path} is damaged (${messageOf(error)}); move it away and connect the account again.`;
    return new FinalError('bad-configuration', message, { cause: error });
  }
  return diskError(path, error);
}
