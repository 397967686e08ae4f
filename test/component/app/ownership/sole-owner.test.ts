// Owning an account for a short while: what was done counts, whatever becomes of the lease.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { soleOwner } from '../../../../src/app/ownership/sole-owner.ts';
import { AccountCopy } from '../../../../src/storage/account-copy.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { configOf } from '../../../support/checked-config.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

it('work that is done stays done where the account cannot be given back, as on a full disk', async () => {
  const clock = new ManualClock();
  const folder = temporaryFolder();
  const copy = new AccountCopy({ path: join(folder, 'house.db'), clock, log: silentLog, ownerId: 'one' });
  onTestFinished(() => {
    copy.close();
  });
  const parts = {
    config: configOf({}),
    homebridgeFolder: folder,
    accountFolder: folder,
    clock,
    log: silentLog,
    signal: new AbortController().signal,
    emit: () => {},
  };
  const work = (): string => {
    copy.close();
    return 'restored';
  };
  expect(await soleOwner(parts, copy, work)).toBe('restored');
});
