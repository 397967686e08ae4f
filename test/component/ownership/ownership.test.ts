// Taking the account: whoever holds it is asked once and named, and what goes wrong afterwards is tried again.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Ownership } from '../../../src/ownership/ownership.ts';
import type { Owner } from '../../../src/storage/account/account-owner.ts';
import { openStorage, type Storage } from '../../../src/storage/storage.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Place = {
  clock: ManualClock;
  parts: Omit<ConstructorParameters<typeof Ownership>[0], 'onOwned'>;
  storage: Storage;
  other: Storage;
};

/** Where one process contends for an account, and another has it open. */
function place(): Place {
  const clock = new ManualClock();
  const path = join(temporaryFolder(), 'house.db');
  const [storage, other] = [1, 2].map(() => {
    const opened = openStorage({ path, clock, log: silentLog });
    onTestFinished(() => {
      opened.close();
    });
    return opened;
  }) as [Storage, Storage];
  const parts = {
    owner: storage.owner,
    socketPath: '/run/ours.sock',
    clock,
    log: silentLog,
    onObstacle: () => {},
    comesFirst: true,
    askToStepBack: async () => Promise.resolve(false),
  };
  return { clock, parts, storage, other };
}

it('a process goes on trying when its first attempt failed, and leaves no timer behind', async () => {
  const { clock, parts, storage } = place();
  let tries = 0;
  const ownership = new Ownership({
    ...parts,
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
  expect([tries, clock.pendingTimers, storage.owner.isHeld]).toEqual([3, 0, true]);
  await ownership.retire();
  expect(storage.owner.isHeld).toBe(true);
  ownership.release();
  expect([storage.owner.isHeld, storage.owner.announced()]).toEqual([false, null]);
});

it('a holder that keeps the account is asked once, named, and followed as soon as it has gone (faults#162)', async () => {
  const { clock, parts, storage, other } = place();
  other.owner.take();
  other.owner.announce('/run/other.sock');
  const [asked, said]: [Owner[], string[]] = [[], []];
  const owned: (Owner | null)[] = [];
  const ownership = new Ownership({
    ...parts,
    onObstacle: (line) => said.push(line),
    askToStepBack: async (holder) => {
      asked.push(holder);
      return Promise.resolve(holder.socketPath !== '/run/other.sock' || !other.owner.isHeld);
    },
    onOwned: async (previous) => {
      owned.push(previous);
      return Promise.resolve();
    },
  });
  const taken = ownership.take();
  await clock.advance(60_000);
  const holder = { pid: process.pid, socketPath: '/run/other.sock' };
  expect(asked).toEqual([holder]);
  expect(said).toEqual([
    `Another process (number ${String(process.pid)}) owns this account at the moment; waiting for it to finish.`,
  ]);
  // As if it were killed.
  other.close();
  await clock.advance(500);
  await taken;
  expect(owned).toEqual([holder]);
  expect(storage.owner.announced()).toMatchObject({ socketPath: '/run/ours.sock' });
});

it('an owner of version 1.0, which has no lock, keeps the account until nothing listens for it', async () => {
  const { clock, parts, storage, other } = place();
  other.owner.announce('/run/earlier.sock');
  let listens = true;
  const ownership = new Ownership({
    ...parts,
    askToStepBack: async () => Promise.resolve(!listens),
    onOwned: async () => Promise.resolve(),
  });
  const taken = ownership.take();
  await clock.advance(60_000);
  expect([storage.owner.isHeld, storage.owner.announced()?.socketPath]).toEqual([false, '/run/earlier.sock']);
  listens = false;
  await clock.advance(1_000);
  await taken;
  expect(storage.owner.isHeld).toBe(true);
});
