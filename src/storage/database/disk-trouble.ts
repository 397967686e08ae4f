// Explains why a disk refuses to read or write a file, and the remedy.
import { accessSync, constants, mkdtempSync, rmdirSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RetryError, systemCodeOf } from '../../support/errors.ts';

/** Two sentences: the fault and the remedy. */
export interface DiskTrouble {
  readonly what: string;
  readonly remedy: string;
}

type Kind = 'full' | 'read-only' | 'not-ours' | 'busy' | 'too-many-files' | 'failing';

/**
 * Primary result codes (https://www.sqlite.org/rescode.html) with one clear cause. The others need a look at the disk.
 */
const BY_RESULT: Readonly<Record<number, Kind>> = { 5: 'busy', 6: 'busy', 13: 'full' };

const BY_ERRNO: Readonly<Record<string, Kind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'not-ours',
  EPERM: 'not-ours',
  EMFILE: 'too-many-files',
  ENFILE: 'too-many-files',
};

/** Minimum free space for the files beside a database, in bytes: 32 KiB of them at once, and some pages. */
const LEAST_SPACE_BYTES = 65_536;

/** `error` comes from SQLite or from a file system call on `path`. */
export function diskTrouble(path: string, error: unknown): DiskTrouble {
  const { result, errno, text } = causeOf(error);
  const said = result === null ? BY_ERRNO[errno ?? ''] : BY_RESULT[result];
  return wordsFor(said ?? seenAt(dirname(path)), path, text);
}

/** As a `retry` error: the operation may succeed once the disk is repaired. */
export function diskError(path: string, error: unknown): RetryError {
  const { what, remedy } = diskTrouble(path, error);
  return new RetryError('storage-failed', `${what} ${remedy}`, { cause: error });
}

function wordsFor(kind: Kind, path: string, text: string): DiskTrouble {
  switch (kind) {
    case 'full':
      return { what: `The disk that holds ${path} is full.`, remedy: 'Free some space on it.' };
    case 'read-only':
      return {
        what: `${path} cannot be written: its disk is mounted read-only.`,
        remedy: 'Mount it writable; a memory card that became read-only by itself is probably worn out.',
      };
    case 'not-ours':
      return {
        what: `${path} cannot be written: its folder does not let this user.`,
        remedy: 'Give the folder to the user that Homebridge runs as.',
      };
    case 'busy':
      return { what: `Another process keeps ${path} busy.`, remedy: 'Try again in a moment.' };
    case 'too-many-files':
      return {
        what: `${path} cannot be opened: too many files are open.`,
        remedy: 'Restart Homebridge, and report it if it happens again.',
      };
    case 'failing':
      return {
        what: `${path} cannot be read or written (${text}).`,
        remedy: "Look into the system's log for errors of the disk.",
      };
  }
}

/** SQLite reports many faults as an I/O error, so the folder and its disk are tried. */
function seenAt(folder: string): Kind {
  try {
    accessSync(folder, constants.W_OK);
    // A disk that the kernel has given up after an error still looks writable.
    rmdirSync(mkdtempSync(join(folder, 'probe-')));
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return bavail * bsize < LEAST_SPACE_BYTES || (files > 0 && ffree === 0) ? 'full' : 'failing';
  } catch (error) {
    return BY_ERRNO[systemCodeOf(error) ?? ''] ?? 'failing';
  }
}

/** SQLite's messages name tables and columns, never values. */
function causeOf(error: unknown): { result: number | null; errno: string | null; text: string } {
  const [result, errno] = [sqliteResultOf(error), systemCodeOf(error)];
  const said = error instanceof Error ? error.message : 'unknown error';
  return { result, errno, text: result === null ? (errno ?? said) : said };
}

/** Whether an error of SQLite or `diskError` says that another process holds the database: nothing is wrong with its disk. */
export function isBusy(error: unknown): boolean {
  const result = sqliteResultOf(error instanceof RetryError ? error.cause : error);
  return result !== null && BY_RESULT[result] === 'busy';
}

/** The primary result code of an error of SQLite; null for any other error. */
export function sqliteResultOf(error: unknown): number | null {
  const extended =
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null;
  // The low byte of an extended result code is the primary one.
  return extended === null ? null : extended & 0xff;
}
