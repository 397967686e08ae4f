// Keeps stored files private to their owner: a 0700 folder and 0600 files, checked before every first write.
//
// Existing files are checked by path and never opened here: closing a second descriptor of a database file would drop
// the locks that SQLite holds on it in this process.
// Checking by path is safe because the folder is checked first, and only its owner can put anything into a 0700 folder.
// Folders above the account's own are not checked: in a container they often belong to another user.

import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { FinalError, type LatchkeyError, systemCodeOf } from '../../support/errors.ts';
import { currentUser, giveToFolderOwner, mayUse, type User } from '../../support/files/file-owner.ts';
import type { Log } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import { diskError } from './disk-trouble.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PERMISSION_BITS = 0o777;

/** Creates a missing folder. Throws when it is not, or cannot be made, private to its owner. */
export function ensurePrivateFolder(path: string, log: Log, user = currentUser()): void {
  const first = attempt(path, 'create it', () => mkdirSync(path, { recursive: true, mode: FOLDER_MODE }));
  for (const made of first === undefined ? [] : foldersBetween(first, path)) {
    giveToFolderOwner(made, user);
  }
  const stats = attempt(path, 'look at it', () => lstatSync(path));
  if (!stats.isDirectory() || stats.isSymbolicLink()) {
    throw refusal(path, 'is not a real folder', 'move it away, or choose another storage folder');
  }
  makePrivate(path, stats, { mode: FOLDER_MODE, user }, log);
}

/** Outermost first: each takes the owner of the one above it. */
function foldersBetween(outer: string, inner: string): readonly string[] {
  return inner.length <= outer.length ? [inner] : [...foldersBetween(outer, dirname(inner)), inner];
}

/** Creates a missing file, empty. Throws when it is not, or cannot be made, private to its owner. */
export function ensurePrivateFile(path: string, log: Log, user = currentUser()): void {
  if (statsOf(path) === null) {
    createFile(path);
    giveToFolderOwner(path, user);
  }
  checkPrivateFile(path, log, user);
}

/** The same for an optional file. */
export function checkPrivateFile(path: string, log: Log, user = currentUser()): void {
  const stats = statsOf(path);
  if (stats === null) {
    return;
  }
  if (!stats.isFile()) {
    const what = stats.isSymbolicLink() ? 'is a symbolic link' : 'is not a file';
    throw refusal(path, what, 'move it away; what it pointed to was not touched');
  }
  makePrivate(path, stats, { mode: FILE_MODE, user }, log);
}

function statsOf(path: string): Stats | null {
  return attempt(path, 'look at it', () => lstatSync(path, { throwIfNoEntry: false })) ?? null;
}

/** Exclusive, so that a link planted meanwhile is not followed; another process may be first. */
function createFile(path: string): void {
  attempt(path, 'create it', () => {
    try {
      closeSync(openSync(path, 'wx', FILE_MODE));
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST') {
        throw error;
      }
    }
  });
}

interface Privacy {
  readonly mode: number;
  readonly user: User;
}

/** On Windows the access list of the user's own folder protects the files. */
function makePrivate(path: string, stats: Stats, { mode, user }: Privacy, log: Log): void {
  if (user === undefined) {
    return;
  }
  if (!mayUse(stats, user)) {
    const remedy = `run as that user, or give it to this one: chown -R ${user} "${path}"`;
    throw refusal(path, `belongs to another user (${stats.uid})`, remedy);
  }
  const found = stats.mode & PERMISSION_BITS;
  if (found !== mode) {
    attempt(path, `change its mode to ${mode.toString(8)}`, () => chmodSync(path, mode));
    log.warn(
      t('{path} had mode {found}; it is {mode} now, for its owner alone.', {
        path,
        found: found.toString(8),
        mode: mode.toString(8),
      }),
    );
  }
}

function attempt<T>(path: string, act: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translated(path, act, error);
  }
}

/** Errors that need a person; any other (disk full, read-only, failing) may pass. */
const LASTING: ReadonlySet<string> = new Set([
  'EACCES',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOTDIR',
  'EPERM',
]);

function translated(path: string, act: string, error: unknown): LatchkeyError {
  const code = systemCodeOf(error) ?? 'unknown';
  return LASTING.has(code)
    ? refusal(path, `does not let us ${act} (${code})`, 'give its folder to the user that runs this', error)
    : diskError(path, error);
}

function refusal(path: string, what: string, remedy: string, cause?: unknown): FinalError {
  return new FinalError('bad-configuration', `Storage refused: ${path} ${what}; ${remedy}.`, { cause });
}
