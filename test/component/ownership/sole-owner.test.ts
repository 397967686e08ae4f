// Owning an account for a short while: what was done counts, and another owner is left alone.
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { accountPlace } from '../../../src/installation/place.ts';
import type { AccountOnDisk } from '../../../src/ownership/owner-search.ts';
import { soleOwner } from '../../../src/ownership/sole-owner.ts';
import { AccountCopy } from '../../../src/storage/account-copy.ts';
import { ensurePrivateFolder } from '../../../src/storage/database/private-files.ts';
import { silentLog } from '../../../src/support/log.ts';
import { configOf } from '../../support/checked-config.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { owner } from '../panel/socket/ends.ts';

const unended = new AbortController().signal;

function place(): { parts: AccountOnDisk; folder: string; copy: AccountCopy } {
  const homebridgeFolder = temporaryFolder();
  const config = configOf({});
  const { databaseFile } = accountPlace(homebridgeFolder, config);
  ensurePrivateFolder(dirname(databaseFile), silentLog);
  const copy = new AccountCopy(databaseFile, silentLog);
  onTestFinished(() => {
    copy.close();
  });
  const parts = {
    config,
    homebridgeFolder,
    clock: new ManualClock(),
    log: silentLog,
  };
  return { parts, folder: dirname(databaseFile), copy };
}

it('work that is done stays done where the account cannot be given back, as on a full disk', async () => {
  const { parts, copy } = place();
  const work = (): string => {
    copy.close();
    return 'restored';
  };
  expect(await soleOwner(parts, unended, copy, work)).toBe('restored');
});

it('an owner of version 1.0, which has no lock, is left alone while it listens', async () => {
  const { parts, folder, copy } = place();
  const path = join(folder, 'owner-earlier.sock');
  copy.owner.announce(path);
  await owner({ status: async () => Promise.resolve({ form: -1 }) }, path);
  await expect(soleOwner(parts, unended, copy, () => 'restored')).rejects.toThrow('of another version');
  expect([copy.owner.isHeld, copy.owner.announced()?.socketPath]).toEqual([false, path]);
});
