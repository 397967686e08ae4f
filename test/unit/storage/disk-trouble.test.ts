// The fault of a disk, in words for people: by its error code, or by a look at the disk where that tells little.
import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskError, diskTrouble } from '../../../src/storage/database/disk-trouble.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PATH = join(tmpdir(), 'house.db');

function sqlite(errcode: number, text: string): Error {
  return Object.assign(new Error(text), { code: 'ERR_SQLITE_ERROR', errcode });
}

function system(code: string): Error {
  return Object.assign(new Error(`${code}: a call failed, open '/somewhere'`), { code });
}

describe('the message of a disk fault', () => {
  it.each([
    [
      'a full disk, as SQLite says it',
      sqlite(13, 'database or disk is full'),
      `The disk that holds ${PATH} is full. Free some space on it.`,
    ],
    [
      'a full disk, as the system says it',
      system('ENOSPC'),
      `The disk that holds ${PATH} is full. Free some space on it.`,
    ],
    [
      'a database that is busy',
      sqlite(261, 'database is locked'),
      `Another process keeps ${PATH} busy. Try again in a moment.`,
    ],
    [
      'an I/O error without a plain reason',
      sqlite(10, 'disk I/O error'),
      `${PATH} cannot be read or written (disk I/O error). Look into the system's log for errors of the disk.`,
    ],
    [
      'a device that fails',
      system('EIO'),
      `${PATH} cannot be read or written (EIO). Look into the system's log for errors of the disk.`,
    ],
    [
      'a disk that the system has mounted read-only',
      system('EROFS'),
      `${PATH} cannot be written: its disk is mounted read-only. Mount it writable; a memory card that became read-only by itself is probably worn out.`,
    ],
    [
      'no more files',
      system('EMFILE'),
      `${PATH} cannot be opened: too many files are open. Restart Homebridge, and report it if it happens again.`,
    ],
  ])('names the fault and the next step: %s', (_, error, words) => {
    expect(diskError(PATH, error)).toMatchObject({
      disposition: 'retry',
      code: 'storage-failed',
      message: words,
      cause: error,
    });
  });

  it.skipIf(process.geteuid?.() === 0 || process.geteuid === undefined)(
    "names the folder's fault when SQLite only says that it could not open a file",
    () => {
      const folder = temporaryFolder();
      chmodSync(folder, 0o500);
      const path = join(folder, 'house.db');
      expect(diskTrouble(path, sqlite(14, 'unable to open database file')).what).toBe(
        `${path} cannot be written: its folder does not let this user.`,
      );
      chmodSync(folder, 0o700);
    },
  );
});
