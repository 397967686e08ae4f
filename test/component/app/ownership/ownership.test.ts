// Taking the account when something goes wrong right after the lease was won.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Ownership, type OwnershipParts } from '../../../../src/app/ownership/ownership.ts';
import { openStorage, type Storage } from '../../../../src/storage/storage.ts';
import { RetryError } from '../../../../src/support/errors.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Where one process contends for an account of its own. */
function place(): { clock: ManualClock; parts: Omit<OwnershipParts, 'onOwned' | 'log'>; storage: Storage } {
  const clock = new ManualClock();
  const folder = temporaryFolder();
  const storage = openStorage({ path: join(folder, 'house.db'), clock, log: silentLog, ownerId: 'one' });
  onTestFinished(() => {
    storage.close();
  });
  const parts = {
    lease: storage.lease,
    socketPath: join(folder, 'owner.sock'),
    clock,
    onObstacle: () => {},
    askToStepBack: async () => {},
    onLost: async () => {},
  };
  return { clock, parts, storage };
}

it('a process takes the account again when its first attempt failed, and leaves no timer behind when it ends', async () => {
  const { clock, parts, storage } = place();
  let tries = 0;
  const ownership = new Ownership({
    ...parts,
    log: silentLog,
    onOwned: async () => {
      tries += 1;
      if (tries < 3) {
        throw new Error('The socket of the owner before could not be removed');
      }
    },
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

it('a process holds the account while the disk fails for twenty seconds, and says so once', async () => {
  const { clock, parts, storage } = place();
  const warnings: string[] = [];
  let broken = false;
  const lease = {
    acquire: (path: string) => storage.lease.acquire(path),
    renew: () => {
      if (broken) {
        throw new RetryError('storage-failed', 'The disk is full.');
      }
      return storage.lease.renew();
    },
    release: () => {
      storage.lease.release();
    },
  };
  const ownership = new Ownership({
    ...parts,
    lease,
    log: { ...silentLog, warn: (line) => warnings.push(line) },
    onOwned: async () => {},
  });
  await ownership.take();
  broken = true;
  await clock.advance(20_000);
  expect(storage.lease.isHeld()).toBe(true);
  broken = false;
  await clock.advance(3_600_000);
  expect(storage.lease.isHeld()).toBe(true);
  expect(warnings).toEqual([
    'The ownership of the account could not be renewed: The disk is full. The locks are still read and moved, until the access token ends.',
  ]);
  await ownership.retire();
  expect(clock.pendingTimers).toBe(0);
});
