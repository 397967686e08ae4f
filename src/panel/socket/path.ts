// Where the owner listens for the other processes of this user: a fresh name for each owner, in a folder of its own.
//
// Fresh, because a server removes its file when it closes: an owner that wakes up late must not remove its successor's.
// The owner announces the name to the other processes in the account's database.
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { FinalError } from '../../support/errors.ts';
import { currentUser, mayUse } from '../../support/files/file-owner.ts';

/** Longest path of a socket, in bytes: macOS takes 103, Linux 107; a few less for safety. */
const LONGEST_PATH_BYTES = 100;

const PIPE_PREFIX = '\\\\.\\pipe\\';
const TEMPORARY_FOLDER = /^latchkey-[0-9a-f]{16}$/u;

/**
 * An unused name: in the storage folder, or, where that would make it too long for a socket, in a private folder for
 * temporary files; a named pipe on Windows. Nothing is created on the disk yet.
 */
export function newSocketPath(
  storageFolder: string,
  platform: NodeJS.Platform = process.platform,
  temporaryFolder: string = tmpdir(),
): string {
  const unique = randomBytes(8).toString('hex');
  if (platform === 'win32') {
    return `${PIPE_PREFIX}latchkey-${unique}`;
  }
  const candidates = [
    join(storageFolder, `owner-${unique}.sock`),
    join(temporaryFolder, `latchkey-${unique}`, 'owner.sock'),
  ];
  const path = candidates.find((candidate) => Buffer.byteLength(candidate) <= LONGEST_PATH_BYTES);
  if (path === undefined) {
    const message = `No path for a local socket is short enough (${LONGEST_PATH_BYTES} bytes): set TMPDIR to a shorter one than ${temporaryFolder}.`;
    throw new FinalError('bad-configuration', message);
  }
  return path;
}

/** Makes the folder of a socket if it is missing, and refuses one into which others could look. */
export function prepareSocketFolder(path: string): void {
  if (isPipe(path)) {
    return;
  }
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || !mayUse(stats, currentUser()) || (stats.mode & 0o077) !== 0) {
    const message = `${folder} is not a folder of this user alone: chmod 700 it, or choose another storage folder.`;
    throw new FinalError('bad-configuration', message);
  }
}

/**
 * Removes the socket of a dead owner at `path`. Only the owner of the account may: any other process could remove the
 * socket of a living owner. Only a socket is removed.
 */
export function removeStaleSocket(path: string, isOwner: () => boolean): void {
  if (!isOwner()) {
    throw new FinalError('not-owner', `Only the owner of the account removes ${path}.`);
  }
  if (!isPipe(path) && lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) {
    rmSync(path, { force: true });
  }
  removeTemporaryFolder(path);
}

/** Removes the folder that was made for a socket alone, once it is empty. */
export function removeTemporaryFolder(path: string): void {
  const folder = dirname(path);
  if (isPipe(path) || !TEMPORARY_FOLDER.test(basename(folder))) {
    return;
  }
  try {
    rmdirSync(folder);
  } catch {
    // The folder is gone already, or is not empty and so not ours to remove.
  }
}

export function isPipe(path: string): boolean {
  return path.startsWith(PIPE_PREFIX);
}
