// Wi-Fi and batteries: what the cloud knows late, never, or all at once (specification, AccessTypeUnavailable; wire contract 2, 5).
import { describe, expect, test } from 'vitest';
import { DOOR, HOUR, home, MINUTE, START } from './home.ts';

const UNAVAILABLE = { id: null, friendlyName: null, accessType: 'AccessTypeUnavailable' };

describe('Wi-Fi', () => {
  test('the cloud notices a loss only after its time', () => {
    const { world, device, kinds, reported, pass } = home({ settings: { noticeOfflineMs: 5 * MINUTE } });
    world.cutWifi(DOOR);
    pass(5 * MINUTE - 1);
    expect(device().connected).toBe(true);
    expect(kinds()).toEqual([]);
    pass(1);
    expect(device().connected).toBe(false);
    expect(reported()).toEqual([{ kind: 'connectivity-changed', connected: false }]);
  });

  test('by default the cloud notices by seeded chance within 20 minutes', () => {
    const delays = Array.from({ length: 30 }, (_, number) => {
      const { world } = home({}, { seed: `seed ${number}` });
      world.cutWifi(DOOR);
      return (world.nextDueAt() ?? Number.NaN) - START;
    });
    expect(Math.max(...delays)).toBeLessThanOrEqual(20 * MINUTE);
    expect(Math.max(...delays)).toBeGreaterThan(15 * MINUTE);
    expect(Math.min(...delays)).toBeLessThan(5 * MINUTE);
  });

  test('a delay given with the cut goes before the setting; 0 is at once', () => {
    const { world, kinds } = home({ settings: { noticeOfflineMs: 5 * MINUTE } });
    world.cutWifi(DOOR, 0);
    expect(kinds()).toEqual(['connectivity-changed']);
  });

  test('a second cut does not put the notice off', () => {
    const { world, device, pass } = home({ settings: { noticeOfflineMs: MINUTE } });
    world.cutWifi(DOOR);
    pass(MINUTE - 1);
    world.cutWifi(DOOR, HOUR);
    pass(1);
    expect(device().connected).toBe(false);
  });

  test('batteries that die in a lock that is cut off do not put the notice off either', () => {
    const { world, device, pass } = home({ settings: { noticeOfflineMs: HOUR } });
    world.cutWifi(DOOR, MINUTE);
    world.setBattery(DOOR, 0);
    pass(MINUTE);
    expect(device().connected).toBe(false);
  });

  test('entries that were written into the history on one return are not written again on the next', () => {
    const { world, history } = home();
    for (let loss = 0; loss < 3; loss += 1) {
      world.cutWifi(DOOR, 0);
      world.turnThumbturn(DOOR);
      world.restoreWifi(DOOR);
    }
    expect(history()).toHaveLength(3);
  });

  test('events while the lock is offline stay at the door', () => {
    const { world, device, history, kinds } = home();
    world.cutWifi(DOOR, HOUR);
    world.turnThumbturn(DOOR);
    world.triggerAlarm(DOOR);
    expect(world.inspect(DOOR).bolt).toBe('Unlocked');
    expect(device().lockState).toBe('Locked');
    expect(history()).toEqual([]);
    expect(kinds()).toEqual([]);
  });

  test('on return the lock reports: connected, one change without accessor, and the history as it was', () => {
    const { world, device, history, reported, pass } = home();
    world.cutWifi(DOOR, MINUTE);
    pass(2 * MINUTE);
    world.turnThumbturn(DOOR);
    pass(MINUTE);
    world.turnThumbturn(DOOR);
    pass(MINUTE);
    world.turnThumbturn(DOOR);
    pass(MINUTE);
    world.restoreWifi(DOOR);
    expect(reported()).toEqual([
      { kind: 'connectivity-changed', connected: false },
      { kind: 'connectivity-changed', connected: true },
      { kind: 'lock-state-changed', lockState: 'Unlocked', accessor: UNAVAILABLE },
    ]);
    expect(history().map((entry) => [entry.timestamp, entry.eventCode])).toEqual([
      ['2026-04-14T12:04:00.000Z', 'UnlockedByThumbturn'],
      ['2026-04-14T12:03:00.000Z', 'LockedByThumbturn'],
      ['2026-04-14T12:02:00.000Z', 'UnlockedByThumbturn'],
    ]);
    expect(device()).toMatchObject({
      connected: true,
      lockState: 'Unlocked',
      lastConnectedToCloud: '2026-04-14T12:05:00.000Z',
    });
  });

  test('on return with the bolt where it was, no change is reported', () => {
    const { world, kinds, history } = home();
    world.cutWifi(DOOR, 0);
    world.turnThumbturn(DOOR);
    world.turnThumbturn(DOOR);
    world.restoreWifi(DOOR);
    expect(kinds()).toEqual(['connectivity-changed', 'connectivity-changed']);
    expect(history()).toHaveLength(2);
  });

  test('a return before the cloud noticed tells the change and no loss', () => {
    const { world, kinds, pass } = home();
    world.cutWifi(DOOR, MINUTE);
    world.turnThumbturn(DOOR);
    world.restoreWifi(DOOR);
    pass(HOUR);
    expect(kinds()).toEqual(['lock-state-changed']);
  });

  test('a bolt that jammed meanwhile comes back Unknown, without an event', () => {
    const { world, kinds, device, pass, history } = home();
    world.jam(DOOR);
    world.cutWifi(DOOR, HOUR);
    world.pressOneTouch(DOOR);
    pass(MINUTE);
    expect(kinds()).toEqual([]);
    world.restoreWifi(DOOR);
    expect(device().lockState).toBe('Unknown');
    expect(kinds()).toEqual([]);
    expect(history()).toMatchObject([{ eventCode: 'LockJammed' }]);
  });

  test('restoring a Wi-Fi that is there does nothing', () => {
    const { world, activities } = home();
    world.restoreWifi(DOOR);
    expect(activities).toEqual([]);
  });
});

describe('batteries', () => {
  test.each([
    [100, 'Normal'],
    [21, 'Normal'],
    [20, 'Low'],
    [6, 'Low'],
    [5, 'CriticallyLow'],
    [0.1, 'CriticallyLow'],
  ])('at %d percent the word is %s', (percent, word) => {
    const { world, device } = home();
    world.setBattery(DOOR, percent);
    expect(device()).toMatchObject({
      batteryState: word,
      percentageBatteryLevel: Math.ceil(percent),
    });
  });

  test('thresholds are settings', () => {
    const { world, device } = home({ settings: { lowBatteryPercent: 50, criticalBatteryPercent: 30 } });
    world.setBattery(DOOR, 50);
    expect(device().batteryState).toBe('Low');
    world.setBattery(DOOR, 30);
    expect(device().batteryState).toBe('CriticallyLow');
  });

  test('a new word is reported once and a bad one written into the history', () => {
    const { world, reported, history } = home();
    for (const percent of [40, 18, 17, 4, 50]) {
      world.setBattery(DOOR, percent);
    }
    expect(reported()).toEqual([
      { kind: 'battery-changed', batteryState: 'Low', percentageBatteryLevel: 18 },
      { kind: 'battery-changed', batteryState: 'CriticallyLow', percentageBatteryLevel: 4 },
      { kind: 'battery-changed', batteryState: 'Normal', percentageBatteryLevel: 50 },
    ]);
    expect(history().map((entry) => entry.eventCode)).toEqual([
      'CriticalBatteryState',
      'LowBatteryIndicated',
    ]);
  });

  test('every motor movement costs a little, the thumbturn nothing', () => {
    const { world, outcome, device } = home({ settings: { drainPerMovement: 3 } });
    world.turnThumbturn(DOOR);
    expect(device().percentageBatteryLevel).toBe(100);
    outcome('ChangeLockState', { lockState: 'Locked' });
    outcome('ChangeLockState', { lockState: 'Locked' });
    expect(device().percentageBatteryLevel).toBe(94);
  });

  test('a lock that no longer reports its battery is Unknown, until new batteries', () => {
    const { world, device, reported, history } = home({ batteryPercent: 40 });
    world.setBattery(DOOR, null);
    expect(device()).toMatchObject({ batteryState: 'Unknown', percentageBatteryLevel: 40 });
    world.replaceBatteries(DOOR);
    expect(device()).toMatchObject({ batteryState: 'Normal', percentageBatteryLevel: 100 });
    expect(reported()).toMatchObject([{ batteryState: 'Unknown' }, { batteryState: 'Normal' }]);
    expect(history()).toMatchObject([{ eventCode: 'BatteriesReplaced' }]);
  });

  test('an offline lock reports its battery when it is back', () => {
    const { world, device, kinds } = home();
    world.cutWifi(DOOR, HOUR);
    world.setBattery(DOOR, 10);
    expect(device().batteryState).toBe('Normal');
    world.restoreWifi(DOOR);
    expect(device()).toMatchObject({ batteryState: 'Low', percentageBatteryLevel: 10 });
    expect(kinds()).toEqual(['battery-changed']);
  });

  test('an empty lock sends no last report, and its bolt stays where it is', () => {
    const { world, device, kinds, pass } = home({ settings: { noticeOfflineMs: MINUTE } });
    world.setBattery(DOOR, 0);
    world.usePlatformHome(DOOR, 'Unlocked');
    pass(MINUTE);
    expect(kinds()).toEqual(['connectivity-changed']);
    expect(device()).toMatchObject({ connected: false, batteryState: 'Normal', lockState: 'Locked' });
    expect(world.inspect(DOOR)).toMatchObject({ powered: false, bolt: 'Locked', wifi: true });
  });

  test('an empty lock still turns by hand, which nobody hears of; new batteries tell where it stands', () => {
    const { world, reported, history, pass } = home({ settings: { noticeOfflineMs: MINUTE } });
    world.setBattery(DOOR, 0);
    world.turnThumbturn(DOOR);
    pass(HOUR);
    world.replaceBatteries(DOOR);
    expect(reported()).toEqual([
      { kind: 'connectivity-changed', connected: false },
      { kind: 'connectivity-changed', connected: true },
      { kind: 'lock-state-changed', lockState: 'Unlocked', accessor: UNAVAILABLE },
    ]);
    expect(history().map((entry) => entry.eventCode)).toEqual(['BatteriesReplaced']);
  });

  test('power that goes while the bolt travels leaves it nowhere known', () => {
    const { world, pass } = home();
    world.usePlatformHome(DOOR, 'Unlocked');
    pass(600);
    world.setBattery(DOOR, 0);
    pass(600);
    expect(world.inspect(DOOR)).toMatchObject({ bolt: 'Unknown', movingTo: null });
  });

  test('the movement that empties the battery still arrives and is reported', () => {
    const { world, pass, kinds } = home({ batteryPercent: 1, settings: { drainPerMovement: 2 } });
    world.usePlatformHome(DOOR, 'Unlocked');
    pass(1200);
    expect(kinds()).toEqual(['lock-state-changed']);
    expect(world.inspect(DOOR)).toMatchObject({ powered: false, batteryPercent: 0 });
  });

  test('with Wi-Fi and batteries both gone, each alone brings nothing back', () => {
    const { world, device, kinds } = home();
    world.cutWifi(DOOR, 0);
    world.setBattery(DOOR, 0);
    world.restoreWifi(DOOR);
    expect(device().connected).toBe(false);
    world.cutWifi(DOOR);
    world.replaceBatteries(DOOR);
    expect(device().connected).toBe(false);
    world.restoreWifi(DOOR);
    expect(device().connected).toBe(true);
    expect(kinds()).toEqual(['connectivity-changed', 'connectivity-changed']);
  });
});

test('the activity alarm is reported and written down', () => {
  const { world, kinds, history } = home({ settings: { activityAlarm: true } });
  world.triggerAlarm(DOOR);
  expect(kinds()).toEqual(['alarm-triggered']);
  expect(history()).toMatchObject([{ eventCode: 'AlarmTriggered' }]);
});
