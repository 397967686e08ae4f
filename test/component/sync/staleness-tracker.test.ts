// How old beliefs are: by the service's time, and by what a clock that stands still in a sleeping machine did not count.
import { expect, it } from 'vitest';
import { boltOf, lockId, unknownLock } from '../../../src/domain/lock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { LockStore } from '../../../src/sync/state/lock-store.ts';
import { StalenessTracker } from '../../../src/sync/state/staleness-tracker.ts';

const FRONT = lockId('front-door');
const MAX_AGE_MS = 900_000;
const NOW = Date.UTC(2026, 3, 14);

it('every sleep counts until the service has told its time again', () => {
  const store = new LockStore(silentLog);
  const description = { name: 'Front door', model: '', serial: '', firmware: '', role: 'owner' } as const;
  store.add(unknownLock(FRONT, description));
  store.apply(FRONT, { type: 'reported', source: 'poll', at: NOW, bolt: 'secured' });
  const ageing = new StalenessTracker({
    store,
    serviceClock: { now: () => NOW },
    limits: { evidenceMaxAgeMs: MAX_AGE_MS },
  });
  const shown = (): unknown => {
    const lock = store.get(FRONT);
    return lock === undefined ? null : boltOf(lock);
  };
  ageing.slept(600_000);
  ageing.age(null);
  expect(shown()).toBe('secured');
  ageing.slept(600_000);
  ageing.age(null);
  expect(shown()).toBe('unknown');
  ageing.reportedTime();
  expect(NOW - ageing.staleBefore(null)).toBe(MAX_AGE_MS);
});
