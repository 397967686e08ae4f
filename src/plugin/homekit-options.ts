// The options of the configuration in the form that the HomeKit room declares.
import type { Config } from '../config/config.ts';
import type { EffectiveLockOptions } from '../config/lock-options.ts';
import type { LockOptions } from '../homekit/lock-options.ts';

export function lockOptionsFor(config: Config, options: EffectiveLockOptions): LockOptions {
  return {
    name: options.name.value,
    hidden: options.hide.value,
    adminOnly: options.adminOnly.value,
    offline: config.offline,
    lowBattery: options.lowBattery.value,
    connectivitySensor: config.connectivitySensor,
  };
}
