// Bolts: who can move them, how long it takes, and what a jam does (specification, Accessor types; wire contract 5 and 11).
import { describe, expect, test } from 'vitest';
import type { BoltEnd, EventCode } from '../../src/world/records.ts';
import type { World } from '../../src/world/world-types.ts';
import { DOOR, errorOf, HOUR, home, MINUTE, START } from './home.ts';

type Hand = (world: World, to: BoltEnd) => void;

const nobody = (accessType: string) => ({ id: null, friendlyName: null, accessType });
const CODE = { accessCodeId: 'c1', name: 'Dog walker', code: '0417' };
const byCode = { id: 'c1', friendlyName: 'Dog walker', accessType: 'AccessCode' };
const byGuest = { id: 'guest', friendlyName: 'Guest', accessType: 'VirtualKey' };

/** What moves a bolt, by the history's event code for each way; null for a way it has not. */
const HANDS: readonly [object, EventCode | null, EventCode | null, Hand][] = [
  [nobody('Thumbturn'), 'LockedByThumbturn', 'UnlockedByThumbturn', (world) => world.turnThumbturn(DOOR)],
  [nobody('1TouchLocking'), 'LockedByExteriorButton', null, (world) => world.pressOneTouch(DOOR)],
  [byCode, 'LockedByKeypad', null, (world, to) => world.typeCode(DOOR, '0417', to)],
  [byCode, null, 'UnlockedByKeypad', (world) => world.typeCode(DOOR, '0417')],
  [
    byGuest,
    'LockedByMobileDevice',
    'UnlockedByMobileDevice',
    (world, to) => world.useVirtualKey(DOOR, 'guest', to),
  ],
  [nobody('LockButton'), 'Unknown', null, (world) => world.pressInsideButton(DOOR, 'LockButton')],
  [nobody('UnlockButton'), null, 'Unknown', (world) => world.pressInsideButton(DOOR, 'UnlockButton')],
  [nobody('ScheduledLock'), 'LockedByTime', null, (world) => world.runScheduledLock(DOOR)],
  [
    nobody('PlatformHome'),
    'LockedByPlatformKey',
    'UnlockedByPlatformKey',
    (world, to) => world.usePlatformHome(DOOR, to),
  ],
  [
    nobody('PlatformHomeNFC'),
    'LockedByPlatformKey',
    'UnlockedByPlatformKey',
    (world, to) => world.usePlatformHome(DOOR, to, true),
  ],
];

describe('specification, accessor types', () => {
  test.each(
    HANDS.flatMap(([accessor, locked, unlocked, hand]) => [
      { to: 'Locked', from: 'Unlocked', eventCode: locked, accessor, hand } as const,
      { to: 'Unlocked', from: 'Locked', eventCode: unlocked, accessor, hand } as const,
    ]).filter(({ eventCode }) => eventCode !== null),
  )(
    '$to by $accessor is reported and stands in the history as $eventCode',
    ({ to, from, hand, ...entry }) => {
      const { world, pass, reported, history, device } = home({ bolt: from, accessCodes: [CODE] });
      hand(world, to);
      pass(1200);
      expect(device().lockState).toBe(to);
      const { accessor } = entry;
      expect(reported()).toEqual([{ kind: 'lock-state-changed', lockState: to, accessor }]);
      expect(history()).toMatchObject([entry]);
    },
  );

  test('locked by the auto-relock setting, and by the daily schedule at its hour', () => {
    const { world, pass, reported, history } = home({
      settings: { autoRelockMs: 30_000, scheduledLockAt: '08:01' },
    });
    world.turnThumbturn(DOOR);
    pass(30_000 + 1200);
    expect(reported().at(-1)).toEqual({
      kind: 'lock-state-changed',
      lockState: 'Locked',
      accessor: nobody('AutoRelock'),
    });
    world.configure(DOOR, { autoRelockMs: null });
    world.turnThumbturn(DOOR);
    pass(30_000);
    expect(reported().at(-1)).toEqual({
      kind: 'lock-state-changed',
      lockState: 'Locked',
      accessor: nobody('ScheduledLock'),
    });
    expect(history().map((entry) => [entry.eventCode, entry.accessor.accessType])).toEqual([
      ['LockedByTime', 'ScheduledLock'],
      ['UnlockedByThumbturn', 'Thumbturn'],
      ['LockedByTime', 'AutoRelock'],
      ['UnlockedByThumbturn', 'Thumbturn'],
    ]);
  });

  test('a virtual key needs a role on the device', () => {
    const { world } = home();
    expect(() => {
      world.useVirtualKey(DOOR, 'stranger', 'Unlocked');
    }).toThrow('No key to "Front door" of a user with the id "stranger" in this world');
  });
});

describe('the travel of a bolt', () => {
  test('takes the time it is set to, and is seen at the door when it starts and ends', () => {
    const { world, activities, pass } = home({ settings: { travelMs: 5000 } });
    world.pressInsideButton(DOOR, 'UnlockButton');
    pass(4999);
    expect(world.inspect(DOOR)).toMatchObject({ bolt: 'Locked', movingTo: 'Unlocked' });
    pass(1);
    expect(world.inspect(DOOR)).toMatchObject({ bolt: 'Unlocked', movingTo: null });
    expect(activities).toMatchObject([
      { kind: 'device-changed', change: 'bolt', bolt: 'Locked', at: START },
      { kind: 'device-changed', change: 'bolt', bolt: 'Unlocked', at: START + 5000 },
      { kind: 'lock-state-changed', at: START + 5000 },
    ]);
  });

  test('may vary by seeded chance, within its limits', () => {
    const { world } = home({ settings: { travelMs: 1000, travelJitterMs: 500 } });
    const travels = Array.from({ length: 50 }, (_, turn) => {
      const startedAt = world.now();
      world.usePlatformHome(DOOR, turn % 2 === 0 ? 'Unlocked' : 'Locked');
      world.advance(world.nextDueAt() ?? startedAt);
      return world.now() - startedAt;
    });
    expect(Math.min(...travels)).toBeGreaterThanOrEqual(1000);
    expect(Math.max(...travels)).toBeLessThanOrEqual(1500);
    expect(new Set(travels).size).toBeGreaterThan(10);
  });

  test('turns round when something else wants the other way', () => {
    const { world, pass, kinds } = home();
    world.usePlatformHome(DOOR, 'Unlocked');
    pass(600);
    world.pressOneTouch(DOOR);
    pass(MINUTE);
    expect(world.inspect(DOOR)).toMatchObject({ bolt: 'Locked', movingTo: null });
    expect(kinds()).toEqual([]);
  });

  test('turning the thumbturn to where the bolt already is does nothing', () => {
    const { world, activities, history } = home();
    world.turnThumbturn(DOOR, 'Locked');
    expect(activities).toEqual([]);
    expect(history()).toEqual([]);
  });

  test('unlocking an unlocked door by code leaves a history entry and no event', () => {
    const { world, pass, kinds, history } = home({ bolt: 'Unlocked', accessCodes: [CODE] });
    world.typeCode(DOOR, '0417');
    pass(MINUTE);
    expect(kinds()).toEqual([]);
    expect(history()).toMatchObject([{ eventCode: 'UnlockedByKeypad' }]);
  });
});

describe('a jam', () => {
  test('makes the state Unknown, with a history entry and no lock-state event', () => {
    const { world, pass, device, kinds, history } = home();
    world.jam(DOOR);
    world.pressInsideButton(DOOR, 'UnlockButton');
    pass(1200);
    expect(device().lockState).toBe('Unknown');
    expect(kinds()).toEqual(['jammed']);
    expect(history()).toMatchObject([{ eventCode: 'LockJammed', accessor: { accessType: 'UnlockButton' } }]);
  });

  test('for N movements is over after N, and the next movement tells where the bolt is', () => {
    const { world, outcome, device, reported } = home();
    world.jam(DOOR, 2);
    const unlock = { lockState: 'Unlocked' };
    expect(errorOf(outcome('ChangeLockState', unlock))).toBe(32);
    expect(world.inspect(DOOR).jamsLeft).toBe(1);
    expect(errorOf(outcome('ChangeLockState', unlock))).toBe(32);
    expect(outcome('ChangeLockState', { lockState: 'Locked' }).state).toBe('Successful');
    expect(device().lockState).toBe('Locked');
    expect(reported().filter((fact) => fact.kind === 'lock-state-changed')).toMatchObject([
      { lockState: 'Locked' },
    ]);
  });

  test('without a number lasts until it is cleared', () => {
    const { world, outcome } = home();
    world.jam(DOOR);
    expect(world.inspect(DOOR).jamsLeft).toBe(null);
    const lock = { lockState: 'Locked' };
    expect(Array.from({ length: 5 }, () => errorOf(outcome('ChangeLockState', lock)))).toEqual([
      32, 32, 32, 32, 32,
    ]);
    world.clearJam(DOOR);
    expect(world.inspect(DOOR)).toMatchObject({ jamsLeft: 0, bolt: 'Unknown' });
    expect(errorOf(outcome('ChangeLockState', lock))).toBe(null);
  });

  test('stops the motor only: the thumbturn still turns, from Unknown to Locked first', () => {
    const { world, pass, device } = home();
    world.jam(DOOR);
    world.pressOneTouch(DOOR);
    pass(1200);
    world.turnThumbturn(DOOR);
    expect(device().lockState).toBe('Locked');
    world.turnThumbturn(DOOR);
    expect(device().lockState).toBe('Unlocked');
  });

  test('holds no command back that only changes codes', () => {
    const { world, outcome } = home();
    world.jam(DOOR);
    expect(outcome('DeleteAllAccessCodes', {}).state).toBe('Successful');
  });
});

describe('a lock that loses its position', () => {
  test('is Unknown, without event or history, until the bolt next moves', () => {
    const { world, device, kinds, history, outcome } = home();
    world.forgetPosition(DOOR);
    expect(device().lockState).toBe('Unknown');
    expect(kinds()).toEqual([]);
    expect(history()).toEqual([]);
    expect(outcome('ChangeLockState', { lockState: 'Unlocked' }).state).toBe('Successful');
    expect(device().lockState).toBe('Unlocked');
  });

  test('while a command moves the bolt, fails the command with 1', () => {
    const { world, command, reported } = home();
    command('ChangeLockState', { lockState: 'Unlocked' });
    world.forgetPosition(DOOR);
    expect(reported()).toMatchObject([
      { kind: 'command-ended', command: { state: 'Failed', data: { error: { errorCode: 1 } } } },
    ]);
  });
});

describe('locking by time', () => {
  test('auto-relock counts from the moment the bolt rests unlocked', () => {
    const { world, pass } = home({ settings: { autoRelockMs: 10_000 } });
    world.usePlatformHome(DOOR, 'Unlocked');
    pass(1200 + 9999);
    expect(world.inspect(DOOR).movingTo).toBe(null);
    pass(1);
    expect(world.inspect(DOOR).movingTo).toBe('Locked');
  });

  test('auto-relock starts anew with every unlocking, and stops with a locking', () => {
    const { world, pass, history } = home({ settings: { autoRelockMs: 10_000 } });
    world.turnThumbturn(DOOR);
    pass(8000);
    world.usePlatformHome(DOOR, 'Unlocked');
    pass(8000);
    expect(world.inspect(DOOR).bolt).toBe('Unlocked');
    world.turnThumbturn(DOOR);
    pass(HOUR);
    expect(history().map((entry) => entry.accessor.accessType)).not.toContain('AutoRelock');
  });

  test('auto-relock does not interrupt a motor that is unlocking again', () => {
    const { world, pass, history } = home({ settings: { autoRelockMs: 10_000 } });
    world.turnThumbturn(DOOR);
    pass(9500);
    world.usePlatformHome(DOOR, 'Unlocked');
    pass(1200);
    expect(history()[0]?.eventCode).toBe('UnlockedByPlatformKey');
    pass(9999);
    expect(world.inspect(DOOR)).toMatchObject({ bolt: 'Unlocked', movingTo: null });
  });

  test('auto-relock that is set while the motor runs waits until it rests', () => {
    const { world, pass } = home({ bolt: 'Unlocked', settings: { travelMs: 20_000 } });
    world.usePlatformHome(DOOR, 'Unlocked');
    world.configure(DOOR, { autoRelockMs: 10_000 });
    pass(15_000);
    expect(world.inspect(DOOR).movingTo).toBe('Unlocked');
    pass(15_000);
    expect(world.inspect(DOOR).movingTo).toBe('Locked');
  });

  test('auto-relock runs without the cloud, and counts from now when it is set on an open door', () => {
    const { world, pass } = home({ bolt: 'Unlocked' });
    world.cutWifi(DOOR, 0);
    world.configure(DOOR, { autoRelockMs: 10_000 });
    pass(11_200);
    expect(world.inspect(DOOR).bolt).toBe('Locked');
  });

  test('a jammed auto-relock does not try again by itself', () => {
    const { world, pass, history } = home({ bolt: 'Unlocked', settings: { autoRelockMs: 10_000 } });
    world.jam(DOOR);
    pass(HOUR);
    expect(history()).toMatchObject([{ eventCode: 'LockJammed', accessor: { accessType: 'AutoRelock' } }]);
  });

  test('the daily lock keeps its hour on the wall through daylight saving, spring and autumn', () => {
    const start = Date.UTC(2026, 2, 7, 12);
    const { world, pass, history } = home(
      { settings: { scheduledLockAt: '22:00', travelMs: 0 } },
      { startAt: start },
    );
    pass(3 * 24 * HOUR);
    expect(history().map((entry) => entry.timestamp)).toEqual([
      '2026-03-10T02:00:00.000Z',
      '2026-03-09T02:00:00.000Z',
      '2026-03-08T03:00:00.000Z',
    ]);
    world.configure(DOOR, { scheduledLockAt: null });
    pass(3 * 24 * HOUR);
    expect(history()).toHaveLength(3);
  });
});
