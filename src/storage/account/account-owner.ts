// Lets one process at a time own the account: it holds a lock of the system on a file beside the database, until it ends.
import { dirname, join } from 'node:path';
import type { DatabaseSync as SqliteDatabase } from 'node:sqlite';
import type { Log } from '../../support/log.ts';
import { integer, text, textOrNull } from '../database/columns.ts';
import type { Connection } from '../database/connection.ts';
import { diskError, isBusy } from '../database/disk-trouble.ts';
import { ensurePrivateFile } from '../database/private-files.ts';
import { DatabaseSync } from '../database/sqlite.ts';

/** Not opened in any other way: closing a second descriptor would drop the lock. */
export const OWNER_FILE = 'owner.db';

/** Interval of attempts to take an account that another process holds, in milliseconds (our choice): none is a write. */
export const CONTEND_EVERY_MS = 500;

/** The process that said it owns the account, alive or not. */
export interface Owner {
  readonly pid: number;
  /** Where it serves the other processes. */
  readonly socketPath: string;
}

export class AccountOwner {
  readonly #connection: Connection;
  readonly #path: string;
  readonly #log: Log;
  #file: SqliteDatabase | null = null;

  /** The file that is locked stands beside `database`, the file of `connection`. It is made when missing, and stays empty. */
  constructor(database: string, connection: Connection, log: Log) {
    this.#connection = connection;
    this.#path = join(dirname(database), OWNER_FILE);
    this.#log = log;
  }

  /**
   * Takes the account unless another process holds it. The system frees it when its process ends, however that ends, and
   * not before. Throws `retry` when the disk fails.
   */
  take(): boolean {
    if (this.isHeld) {
      return true;
    }
    ensurePrivateFile(this.#path, this.#log);
    try {
      this.#file ??= new DatabaseSync(this.#path);
      // Of several processes exactly one gets this lock. Nothing is ever written, and the journal is no file.
      this.#file.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (isBusy(error)) {
        return false;
      }
      throw diskError(this.#path, error);
    }
  }

  get isHeld(): boolean {
    return this.#file?.isTransaction === true;
  }

  /** Tells the other processes that this one owns the account, and where it listens. */
  announce(socketPath: string): void {
    // The table is that of version 1.0, whose processes find an owner by it.
    this.#connection.run(
      `INSERT OR REPLACE INTO owner_lease (id, owner_id, pid, socket_path, renewals)
       VALUES (1, ?, ?, ?, 1 + coalesce((SELECT renewals FROM owner_lease), 0))`,
      socketPath,
      process.pid,
      socketPath,
    );
  }

  /** The last process that announced itself and did not give the account back. */
  announced(): Owner | null {
    const row = this.#connection.first('SELECT * FROM owner_lease');
    return row === null || textOrNull(row, 'owner_id') === null
      ? null
      : { pid: integer(row, 'pid'), socketPath: text(row, 'socket_path') };
  }

  /** Gives the account back. Does nothing when it is not held. */
  release(): void {
    if (!this.isHeld) {
      return;
    }
    try {
      this.#connection.run('UPDATE owner_lease SET owner_id = NULL');
    } finally {
      this.free();
    }
  }

  /** Frees the account, as the end of the process would. */
  free(): void {
    this.#file?.close();
    this.#file = null;
  }
}
