// Opens the one file of a platform block: private, current, and in two strengths of durability.
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../support/log.ts';
import { Connection } from './connection.ts';
import { migrate } from './migrations.ts';
import { checkPrivateFile, ensurePrivateFile, ensurePrivateFolder } from './private-files.ts';

export interface Database {
  /** For what must be on the disk when the call returns: tokens, secrets, what a person has set. */
  readonly durable: Connection;
  /** For what must survive a killed process: the next reading of the locks heals what a power cut takes. */
  readonly quick: Connection;
  close(): void;
}

/**
 * Opens the database at `path`, making the folder and the file if they are missing and migrating older formats. `held` hears
 * of every commit.
 * Throws `final` (`bad-configuration`) naming the path and what to do when the place is not safe or the file not ours,
 * `retry` (`storage-failed`) when the disk is full, read-only or failing.
 *
 * On Node 22 loading node:sqlite prints one ExperimentalWarning per process. It is left alone: silencing it would mean
 * replacing a function of the whole Homebridge process.
 */
export function openDatabase(path: string, log: Log, held?: () => void): Database {
  ensurePrivateFolder(dirname(path), log);
  warnOfEmptyFile(path, log);
  ensurePrivateFile(path, log);
  // SQLite gives these the mode of the database file when it makes them; here they may have been left by others.
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
    migrate(durable, path);
    const quick = new Connection(path, 'normal', held);
    connections.push(quick);
    for (const connection of connections) {
      connection.shortenWaits();
    }
    return { durable, quick, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** SQLite makes an empty database of an empty file, so a lost one would look like an account that was never linked. */
function warnOfEmptyFile(path: string, log: Log): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.size === 0) {
    log.warn(
      `${path} was empty: its contents were lost, perhaps in a power failure or on a full disk. Link the account again, or stop ` +
        'Homebridge and restore the file from a backup.',
    );
  }
}
