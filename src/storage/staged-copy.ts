// Where a copy of an account's database stands for a moment: unencrypted, in the account's own private folder.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../support/errors.ts';

const NAME = /^staged-(\d+)\.db$/u;

/** The path of a new copy. Copies that killed processes left are removed first. */
export function stagedPath(folder: string): string {
  removeLeftCopies(folder);
  return join(folder, `staged-${String(process.pid)}.db`);
}

/** Removes the copies of processes that are gone: they hold tokens and PINs. Another process may be at work on its own. */
export function removeLeftCopies(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (!Number.isNaN(pid) && isLeft(pid)) {
      removeCopy(join(folder, name));
    }
  }
}

function isLeft(pid: number): boolean {
  try {
    return pid === process.pid || !process.kill(pid, 0);
  } catch (error) {
    // Any other error (such as not permitted) means that the process exists.
    return systemCodeOf(error) === 'ESRCH';
  }
}

/** Removes a copy and what SQLite may have left beside it. */
export function removeCopy(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    rmSync(file, { force: true });
  }
}
