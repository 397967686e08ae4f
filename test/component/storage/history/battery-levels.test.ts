// The course of a battery over the whole account: noted while the plugin runs, and there after a restart.
import { expect, test } from 'vitest';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import { BatteryLevels } from '../../../../src/storage/history/battery-levels.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const HOUR_MS = 3_600_000;
const DOOR = lockId('d-1');

function levels(
  clock: ManualClock,
  kept: Map<string, unknown>,
  door: { percent: number | null; isOwned?: boolean },
) {
  return new BatteryLevels({
    storage: {
      owner: { isHeld: door.isOwned ?? true },
      settings: {
        read: (key) => kept.get(key),
        write: (key, value) => void kept.set(key, structuredClone(value)),
      },
    },
    runtime: { locks: () => [{ id: DOOR, battery: { grade: 'normal', percent: door.percent } }] },
    serviceTime: clock,
    clock,
    log: silentLog,
  });
}

test('notes a level once a day at most, and the next process goes on with the course', async () => {
  const [clock, kept, door] = [new ManualClock(), new Map<string, unknown>(), { percent: 90 }];
  const first = levels(clock, kept, door);
  first.start();
  await clock.advance(HOUR_MS);
  door.percent = 88;
  await clock.advance(48 * HOUR_MS);
  first.close();
  door.percent = 70;
  await clock.advance(48 * HOUR_MS);
  expect(first.course(DOOR).map(({ percent }) => percent)).toEqual([90, 88]);
  const second = levels(clock, kept, door);
  second.start();
  await clock.advance(HOUR_MS);
  expect(second.course(DOOR).map(({ percent }) => percent)).toEqual([90, 88, 70]);
});

test('writes nothing where the level is not known, or another process owns the account', async () => {
  const [clock, kept] = [new ManualClock(), new Map<string, unknown>()];
  levels(clock, kept, { percent: null }).start();
  levels(clock, kept, { percent: 50, isOwned: false }).start();
  await clock.advance(5 * HOUR_MS);
  expect(kept.size).toBe(0);
});

test('a damaged course counts as none', () => {
  const kept = new Map<string, unknown>([[`battery.${DOOR}`, 'nonsense']]);
  expect(levels(new ManualClock(), kept, { percent: 50 }).course(DOOR)).toEqual([]);
});
