// Combines the configuration and the options of one lock into what HomeKit needs.
import type { Config } from '../config/config.ts';
import type { EffectiveLockOptions } from '../config/lock-options.ts';
import type { LockOptions } from '../homekit/lock-options.ts';

/** A lock that may not be unlocked remotely is not unlocked by a switch either. */
export function lockOptionsFor(config: Config, options: EffectiveLockOptions): LockOptions {
  const { offline, connectivitySensor, fastEvents, alerts } = config;
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
    alerts: { ...alerts, automationSwitch: lockOnly ? 'lockOnly' : automationSwitch },
  };
}
