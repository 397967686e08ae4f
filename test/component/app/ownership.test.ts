// Taking the account when something goes wrong right after the lease was won.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Ownership } from '../../../src/app/ownership.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('takes the account again when its first moment failed, and leaves no timer behind when it ends', async () => {
  const clock = new ManualClock();
  const folder = temporaryFolder();
  const storage = openStorage({ path: join(folder, 'house.db'), clock, log: silentLog, ownerId: 'one' });
  onTestFinished(() => {
    storage.close();
  });
  let tries = 0;
  const ownership = new Ownership({
    lease: storage.lease,
    socketPath: join(folder, 'owner.sock'),
    clock,
    log: silentLog,
    askToStepBack: async () => {},
    onOwned: async () => {
      tries += 1;
      if (tries < 3) {
        throw new Error('The socket of the owner before could not be removed');
      }
    },
    onLost: async () => {},
  });
  const taken = ownership.take();
  await clock.advance(10_000);
  await taken;
  expect(tries).toBe(3);
  expect(clock.pendingTimers).toBe(1);
  await ownership.retire();
  ownership.release();
  expect(clock.pendingTimers).toBe(0);
  expect(storage.lease.current()).toBeNull();
});
