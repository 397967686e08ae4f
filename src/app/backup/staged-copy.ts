// Where a copy of an account's database stands for a moment: unencrypted, in the account's own private folder.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeCopy } from '../../storage/account-copy.ts';

const NAME = /^staged-\d+\.db$/u;

/** The path of a new copy. Copies that killed processes left are removed first. */
export function stagedPath(folder: string): string {
  for (const name of readdirSync(folder)) {
    if (NAME.test(name)) {
      removeCopy(join(folder, name));
    }
  }
  return join(folder, `staged-${String(process.pid)}.db`);
}
