// Combines the configuration and one lock's options into HomeKit options.
import type { Config } from '../config/config.ts';
import { type SourcedValues, valuesOf } from '../domain/locks/settings.ts';
import type { LockOptions } from '../homekit/hap/lock-options.ts';

/** If remote unlocking is forbidden, no switch unlocks the lock either. */
export function lockOptionsFor(config: Config, options: SourcedValues): LockOptions {
  const { offline, connectivitySensor, fastEvents, appleHomeCodes, alerts } = config;
  const { automationSwitch } = alerts;
  const lockOnly = automationSwitch === 'bothWays' && !options.remoteUnlock.value;
  return {
    ...valuesOf(options),
    hidden: options.hide.value,
    offline,
    connectivitySensor,
    fastEvents,
    appleHomeCodes,
    alerts: { ...alerts, automationSwitch: lockOnly ? 'lockOnly' : automationSwitch },
  };
}
