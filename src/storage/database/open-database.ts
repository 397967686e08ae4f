// Opens the database of a platform block: private, migrated, with one connection for each durability.
import { randomUUID } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FinalError, RetryError } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import { Connection } from './connection.ts';
import { isBusy, sqliteResultOf } from './disk-trouble.ts';
import { migrate } from './migrations.ts';
import { checkPrivateFile, ensurePrivateFile, ensurePrivateFolder } from './private-files.ts';
import { DatabaseSync } from './sqlite.ts';

/** Primary result code of SQLite (https://www.sqlite.org/rescode.html). */
const IO_ERROR = 10;

export interface Database {
  /** For data that must be on the disk when the call returns: tokens, secrets, settings. */
  readonly durable: Connection<'full'>;
  /** For data that must survive a killed process: the next poll of the locks repairs the loss after a power cut. */
  readonly quick: Connection<'normal'>;
  close(): void;
}

/**
 * Opens the database at `path`; creates a missing folder or file and migrates older formats. `held` is called after
 * every commit.
 * Throws `final` (`bad-configuration`) with the path and the remedy when the place is not safe or the file is foreign.
 * Throws `retry` (`storage-failed`) when the disk is full, read-only or failing.
 */
export function openDatabase(path: string, log: Log, held?: () => void): Database {
  ensurePrivateFolder(dirname(path), log);
  warnOfEmptyFile(path, log);
  ensurePrivateFile(path, log);
  // SQLite creates these with the mode of the database file, but others may have left them here.
  checkPrivateFile(`${path}-wal`, log);
  checkPrivateFile(`${path}-shm`, log);
  const connections: Connection[] = [];
  const close = (): void => {
    for (const connection of connections) {
      connection.close();
    }
  };
  try {
    const durable = new Connection(path, 'full', held);
    connections.push(durable);
    // Before the log begins: the tables of a new file are written once, not to the log and from there to the file.
    migrate(durable, path);
    if (!durable.beginLog()) {
      throw withoutLocks(path);
    }
    const quick = new Connection(path, 'normal', held);
    connections.push(quick);
    for (const connection of connections) {
      connection.shortenWaits();
    }
    return { durable, quick, close };
  } catch (error) {
    close();
    throw isOfLocks(error) && !knowsLocks(dirname(path), log) ? withoutLocks(path, error) : error;
  }
}

/** A lock that is refused reads as one that another process holds, or as a failing disk. */
function isOfLocks(error: unknown): boolean {
  return isBusy(error) || (error instanceof RetryError && sqliteResultOf(error.cause) === IO_ERROR);
}

/** Whether a file that no other process knows can be locked. */
function knowsLocks(folder: string, log: Log): boolean {
  const path = join(folder, `lock-${randomUUID()}.db`);
  try {
    ensurePrivateFile(path, log);
    const file = new DatabaseSync(path);
    try {
      file.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
      return true;
    } finally {
      file.close();
    }
  } catch {
    return false;
  } finally {
    rmSync(path, { force: true });
  }
}

function withoutLocks(path: string, cause?: unknown): FinalError {
  return new FinalError(
    'bad-configuration',
    `Storage refused: the file system of ${dirname(path)} knows no locks, as network shares often do not; choose a folder on a disk of this computer.`,
    { cause },
  );
}

/** SQLite opens an empty file as an empty database, so a lost one would look like an account that was never linked. */
function warnOfEmptyFile(path: string, log: Log): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.size === 0) {
    log.warn(
      t(
        '{path} was empty: its contents were lost, perhaps in a power failure or on a full disk. Connect the account again, or stop Homebridge and restore the file from a backup.',
        { path },
      ),
    );
  }
}
