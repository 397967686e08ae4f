// Which services stand beside a lock: those that its options ask for, in the order in which Home lists them.
import type { BoltPosition } from '../domain/bolt.ts';
import { alertSensor } from './alert-sensor.ts';
import { AutomationSwitch } from './automation-switch.ts';
import { BoltSensor } from './bolt-sensor.ts';
import type { HapStatus } from './characteristic-values.ts';
import { JamSensor } from './jam-sensor.ts';
import type { LockWatcher } from './lock-facts.ts';
import type { LockOptions } from './lock-options.ts';
import { LowBatterySensor } from './low-battery-sensor.ts';
import { moveSensor, unlockedByCodeSensor } from './move-sensors.ts';
import type { PulseSensorParts } from './pulse-sensor.ts';
import { wrongCodeSensor } from './wrong-code-sensor.ts';

export interface WatcherParts extends PulseSensorParts {
  /** Carries a wish on. Never rejects; resolves with the status for the HAP write. */
  readonly request: (rest: BoltPosition) => Promise<HapStatus>;
}

/** Finds or adds each of them. Those of the cache that are not among them are left to `SideServices.settle`. */
export function lockWatchers(parts: WatcherParts, options: LockOptions): readonly LockWatcher[] {
  const { hap, sides, request } = parts;
  const { alerts } = options;
  const { boltSensor, automationSwitch, wrongCode } = alerts;
  return [
    ...(boltSensor === 'none' ? [] : [new BoltSensor(hap, sides, boltSensor)]),
    ...(automationSwitch === 'off' ? [] : [new AutomationSwitch({ hap, sides, options, request })]),
    ...(alerts.jam ? [new JamSensor(hap, sides)] : []),
    ...(alerts.lowBattery ? [new LowBatterySensor(hap, sides)] : []),
    ...(wrongCode === null ? [] : [wrongCodeSensor(parts, wrongCode)]),
    ...(alerts.keypadLockedOut ? [alertSensor(parts, 'keypad-locked-out')] : []),
    ...(alerts.activityAlarm ? [alertSensor(parts, 'alarm')] : []),
    ...alerts.unlockedByCode.map((name) => unlockedByCodeSensor(parts, name)),
    ...alerts.movedBy.map((way) => moveSensor(parts, way)),
  ];
}
