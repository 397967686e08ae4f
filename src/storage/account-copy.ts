// Copies an account's database while other processes have it open, and replaces the content of a database by a copy, all or nothing.
import { message } from '../domain/language/message.ts';
import { FinalError } from '../support/errors.ts';
import { type Log, silentLog } from '../support/log.ts';
import { AccountOwner } from './account/account-owner.ts';
import { MOVE_SETTING, type MoveMark } from './account/move-mark.ts';
import { KeptValues } from './account/settings.ts';
import { SqliteTokenVault } from './account/token-vault.ts';
import { integer, text } from './database/columns.ts';
import type { Connection } from './database/connection.ts';
import { STEPS } from './database/migrations.ts';
import { type Database, openDatabase } from './database/open-database.ts';
import { ensurePrivateFile } from './database/private-files.ts';

export const DATABASE_VERSION = STEPS.length;

/** Tables of the computer, not of the account: its owner, and its calls of the last minutes. */
const STAYS: ReadonlySet<string> = new Set(['owner_lease', 'rate_window']);

/** The logins of the dashboard, and the secret addresses of feeds: either may have been ended since a copy was made. */
const LOGINS = 'dashboard.sessions';
const FEEDS = 'calendar-feed:*';

export class AccountCopy {
  readonly owner: AccountOwner;
  readonly #database: Database;
  readonly #vault: SqliteTokenVault;
  readonly #settings: KeptValues;

  /** Opens, or creates, the database. Throws like `openDatabase`. */
  constructor(path: string, log: Log) {
    this.#database = openDatabase(path, log);
    const { durable, quick } = this.#database;
    this.owner = new AccountOwner(path, quick, log);
    this.#vault = new SqliteTokenVault(durable, null);
    this.#settings = new KeptValues(durable, 'setting');
  }

  /** Whether a restore would lose something: an account is connected, or its locks are known. False once the account was moved. */
  get isInUse(): boolean {
    const { state, tokens } = this.#vault.read();
    const known = this.#database.durable.first('SELECT count(*) AS locks FROM known_lock');
    return state !== 'moved' && (tokens !== null || integer(known ?? {}, 'locks') > 0);
  }

  /** Whether this computer has given the account up. */
  get isMoved(): boolean {
    return this.#vault.read().state === 'moved';
  }

  /** Writes the whole content, as it is at one moment, to a new private file. Erased values are not in it. */
  writeTo(path: string): void {
    ensurePrivateFile(path, silentLog);
    // While this reads, the log of the database cannot be emptied, so it grows.
    this.#database.durable.run('VACUUM INTO ?', path);
  }

  /** Removes the tokens from this computer, so that two computers never renew the same ones. */
  markMoved(at: number): void {
    this.#vault.write('moved', null);
    this.#note({ kind: 'moved', at });
    this.#database.durable.emptyLog();
  }

  /**
   * Replaces every table by that of the copy, except those that stay. One transaction: other processes see all of it or nothing, and
   * a crash leaves the former content. The caller owns the account.
   */
  replaceBy(copy: string, mark: Extract<MoveMark, { kind: 'restored' }>): void {
    const { durable } = this.#database;
    durable.run('ATTACH ? AS copy', copy);
    try {
      durable.transaction(() => {
        this.#withdrawFrom(mark);
        const generation = integer(durable.first('SELECT generation FROM main.link') ?? {}, 'generation');
        for (const table of tablesOf(durable)) {
          durable.script(
            `DELETE FROM main."${table}"; INSERT INTO main."${table}" SELECT * FROM copy."${table}"`,
          );
        }
        // Another process compares this value to learn of a change.
        durable.run('UPDATE main.link SET generation = max(generation, ?) + 1', generation);
        this.#note(mark);
      });
    } finally {
      durable.script('DETACH copy');
    }
    durable.emptyLog();
  }

  /** What was ended here since the copy was made stays so (faults#148). A computer that has moved knows best what stands. */
  #withdrawFrom({ stopped }: Extract<MoveMark, { kind: 'restored' }>): void {
    const { durable } = this.#database;
    durable.run('DELETE FROM copy.setting WHERE key = ?', LOGINS);
    durable.run('INSERT INTO copy.setting SELECT * FROM main.setting WHERE key = ?', LOGINS);
    if (!stopped && this.isInUse) {
      durable.run(
        'DELETE FROM copy.secret WHERE key GLOB ? AND (key, value) NOT IN (SELECT key, value FROM main.secret)',
        FEEDS,
      );
    }
  }

  close(): void {
    this.#database.close();
    this.owner.free();
  }

  #note(mark: MoveMark): void {
    this.#settings.write(MOVE_SETTING, mark);
  }
}

/** Upgrades a copy to the tables of this version. Throws `refused` when it is damaged or of a newer version. */
export function prepareCopy(path: string, version: number): void {
  if (version > DATABASE_VERSION) {
    throw new FinalError(
      'refused',
      message(
        'The backup was made by a newer version of the plugin (its tables have version {version}, this one knows {known}). Update the plugin first.',
        { version: String(version), known: String(DATABASE_VERSION) },
      ),
    );
  }
  const database = openDatabase(path, silentLog);
  try {
    const found = database.durable.all('PRAGMA integrity_check');
    if (found.length !== 1 || text(found[0] ?? {}, 'integrity_check') !== 'ok') {
      throw new FinalError(
        'refused',
        message('The database in the backup is damaged. Use an earlier backup.'),
      );
    }
  } finally {
    database.close();
  }
}

function tablesOf(connection: Connection): readonly string[] {
  return connection
    .all(
      `SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .map((row) => text(row, 'name'))
    .filter((name) => !STAYS.has(name));
}
