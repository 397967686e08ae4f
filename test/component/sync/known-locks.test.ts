// Which locks the account has, on the disk: written when a listing changed something, and in one go.
import { describe, expect, it } from 'vitest';
import { lockId, unknownLock } from '../../../src/domain/lock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { KnownLocks } from '../../../src/sync/state/known-locks.ts';
import { named } from '../../support/named-lock.ts';
import { homeWithFrontDoor } from './home.ts';
import { FRONT_DOOR, MemoryRoster } from './pretend-service.ts';

const AT = Date.UTC(2026, 3, 14, 12);

const locks = Array.from({ length: 149 }, (_, index) =>
  unknownLock(lockId(`door-${String(index)}`), named(`Door ${String(index)}`)),
);
const ids = new Set(locks.map(({ id }) => id));

describe('the list of known locks', () => {
  it('is written in one commit, however many locks a listing brings or lacks, and not again for the same', () => {
    const knownLocks = new MemoryRoster();
    const keeper = new KnownLocks(knownLocks, silentLog);
    keeper.noteListing(locks, ids, AT);
    expect(knownLocks.calls.save).toBe(1);
    expect(knownLocks.all()).toHaveLength(locks.length);
    keeper.noteListing(locks, ids, AT + 1);
    expect(knownLocks.calls.save).toBe(1);
    const { missing } = keeper.noteListing(locks, new Set(), AT + 2);
    expect(missing).toHaveLength(locks.length);
    expect(knownLocks.calls.save).toBe(2);
  });

  it('says which locks are missing, also when the disk did not take it', () => {
    const knownLocks = new MemoryRoster();
    const keeper = new KnownLocks(knownLocks, silentLog);
    keeper.noteListing(locks, ids, AT);
    knownLocks.broken = true;
    const { missing } = keeper.noteListing(locks, new Set(), AT + 1);
    expect(missing).toEqual([...ids]);
  });

  it('is written whole by the next listing when the disk did not take it', () => {
    const knownLocks = new MemoryRoster();
    const keeper = new KnownLocks(knownLocks, silentLog);
    knownLocks.broken = true;
    keeper.noteListing(locks, ids, AT);
    expect(knownLocks.all()).toEqual([]);
    knownLocks.broken = false;
    keeper.noteListing(locks, ids, AT + 1);
    expect(knownLocks.all()).toHaveLength(locks.length);
  });
});

it('is what a lock that a controller still shows is described by, before the service was asked (faults#131)', async () => {
  const home = await homeWithFrontDoor();
  const { description } = home.lock();
  home.restartUnstarted();
  home.runtime.remember(FRONT_DOOR, 'Shortened name');
  expect(home.lock().description).toEqual(description);
});
