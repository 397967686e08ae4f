// The options of a lock for HomeKit, where they are not simply those of the configuration.
import { describe, expect, it } from 'vitest';
import { effectiveLockOptions } from '../../../src/config/lock-options.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import type { LockOptions } from '../../../src/homekit/hap/lock-options.ts';
import { lockOptionsFor } from '../../../src/plugin/homekit-options.ts';

function optionsOf(block: Readonly<Record<string, unknown>>): LockOptions {
  const reading = readConfig(block);
  if (!reading.ok) {
    throw new Error(reading.problems.join(' '));
  }
  return lockOptionsFor(reading.config, effectiveLockOptions(reading.config, {}, 'front'));
}

describe('the options of a lock in Home', () => {
  it('show no sensor and send no fast events by default', () => {
    const { alerts, fastEvents } = optionsOf({});
    expect(fastEvents).toBe(false);
    expect(alerts).toEqual({
      wrongCode: { enabled: false, count: 3, minutes: 5 },
      keypadLockedOut: false,
      activityAlarm: false,
      guestArrived: false,
      jam: false,
      lowBattery: false,
      leftUnlocked: 0,
      autoLockMinutes: 0,
      unlockedByCode: [],
      movedBy: [],
      boltSensor: 'none',
      automationSwitch: 'off',
    });
  });

  it.each([
    ['off', true, 'off'],
    ['off', false, 'off'],
    ['lockOnly', true, 'lockOnly'],
    ['lockOnly', false, 'lockOnly'],
    ['bothWays', true, 'bothWays'],
    ['bothWays', false, 'lockOnly'],
  ])('automationSwitch %s with remoteUnlock %s is %s (faults#80)', (written, remoteUnlock, inForce) => {
    const { alerts } = optionsOf({
      alerts: { automationSwitch: written },
      locks: [{ id: 'front', remoteUnlock }],
    });
    expect(alerts.automationSwitch).toBe(inForce);
  });
});
