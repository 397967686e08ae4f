// Combines the configuration and one lock's options into HomeKit options.
import type { Config } from '../config/config.ts';
import type { EffectiveLockOptions } from '../config/lock-options.ts';
import type { LockOptions } from '../homekit/hap/lock-options.ts';

/** If remote unlocking is forbidden, no switch unlocks the lock either. */
export function lockOptionsFor(config: Config, options: EffectiveLockOptions): LockOptions {
  const { offline, connectivitySensor, fastEvents, appleHomeCodes, alerts } = config;
  const { automationSwitch } = alerts;
  const lockOnly = automationSwitch === 'bothWays' && !options.remoteUnlock.value;
  return {
    name: options.name.value,
    hidden: options.hide.value,
    adminOnly: options.adminOnly.value,
    lowBattery: options.lowBattery.value,
    offline,
    connectivitySensor,
    fastEvents,
    appleHomeCodes,
    alerts: { ...alerts, automationSwitch: lockOnly ? 'lockOnly' : automationSwitch },
  };
}
