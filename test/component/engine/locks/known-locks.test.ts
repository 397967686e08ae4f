// Which locks the account has, on the disk: written when a listing changed something, and in one go.
import { describe, expect, it } from 'vitest';
import { lockId, unknownLock } from '../../../../src/domain/locks/lock.ts';
import { KnownLocks } from '../../../../src/engine/locks/known-locks.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { homeWithFrontDoor } from '../../../homes/polled-home.ts';
import { MemoryRoster } from '../../../stand-ins/database/locks.ts';
import { FRONT_DOOR } from '../../../stand-ins/service/locks.ts';
import { named } from '../../../support/named-lock.ts';

const AT = Date.UTC(2026, 3, 14, 12);

const locks = Array.from({ length: 149 }, (_, index) =>
  unknownLock(lockId(`door-${String(index)}`), named(`Door ${String(index)}`)),
);
const ids = new Set(locks.map(({ id }) => id));

describe('the list of known locks', () => {
  it('is written in one commit, however many locks a listing adds or lacks, and not again for the same ones', () => {
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

  it('names the missing locks also when the disk refused it, and is written completely by the next listing', () => {
    const knownLocks = new MemoryRoster();
    const keeper = new KnownLocks(knownLocks, silentLog);
    knownLocks.broken = true;
    keeper.noteListing(locks, ids, AT);
    expect(keeper.noteListing(locks, new Set(), AT + 1).missing).toEqual([...ids]);
    expect(knownLocks.all()).toEqual([]);
    knownLocks.broken = false;
    keeper.noteListing(locks, ids, AT + 2);
    expect(knownLocks.all()).toHaveLength(locks.length);
  });
});

it('a lock that a controller still shows is described by the list, before the first answer of the service (faults#131)', async () => {
  const home = await homeWithFrontDoor();
  const { description } = home.lock();
  home.restartUnstarted();
  home.runtime.remember(FRONT_DOOR, 'Shortened name');
  expect(home.lock().description).toEqual(description);
});
