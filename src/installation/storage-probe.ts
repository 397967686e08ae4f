// Checks that an account's folder can be written, without touching the files there.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { setAsideIn } from '../storage/database/damaged-rows.ts';
import { type DiskTrouble, diskTrouble } from '../storage/database/disk-trouble.ts';
import { accountPlace } from './place.ts';

/** The space that opening a database may need beside it, in bytes. */
const TRIAL_BYTES = 131_072;

/** Writes a file of its own where the account is, or would be made, and removes it. Null when the disk took it. */
export function storageTrouble(config: Config, homebridgeFolder: string): DiskTrouble | null {
  const { folder } = accountPlace(homebridgeFolder, config);
  const path = join(nearest(folder), `.latchkey-trial-${process.pid}`);
  try {
    writeFileSync(path, Buffer.alloc(TRIAL_BYTES, 1), { mode: 0o600, flag: 'wx', flush: true });
    return null;
  } catch (error) {
    return diskTrouble(folder, error);
  } finally {
    if (existsSync(path)) {
      rmSync(path, { force: true });
    }
  }
}

/** The tables of damaged rows that were set aside; none where there is no account, or where it cannot be read. */
export function setAsideRows(config: Config, homebridgeFolder: string): readonly string[] {
  const { databaseFile } = accountPlace(homebridgeFolder, config);
  try {
    return existsSync(databaseFile) ? setAsideIn(databaseFile) : [];
  } catch {
    // Opening the account says why.
    return [];
  }
}

/** The folder itself, or the first above it that is there already. */
function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}
