// The options of the configuration in the form that the HomeKit room declares.
import type { AlertsConfig, Config } from '../config/config.ts';
import type { EffectiveLockOptions } from '../config/lock-options.ts';
import type { AlertOptions, LockOptions } from '../homekit/lock-options.ts';

export function lockOptionsFor(config: Config, options: EffectiveLockOptions): LockOptions {
  return {
    name: options.name.value,
    hidden: options.hide.value,
    adminOnly: options.adminOnly.value,
    offline: config.offline,
    lowBattery: options.lowBattery.value,
    connectivitySensor: config.connectivitySensor,
    alerts: alertOptions(config.alerts, options.remoteUnlock.value),
    fastEvents: config.fastEvents,
  };
}

/** What may not be unlocked from afar is not unlocked by a switch. What is written twice is announced once. */
function alertOptions(alerts: AlertsConfig, remoteUnlock: boolean): AlertOptions {
  const bothWays = alerts.automationSwitch === 'bothWays';
  return {
    ...alerts,
    unlockedByCode: [...new Set(alerts.unlockedByCode)].filter((name) => name !== ''),
    movedBy: [...new Set(alerts.movedBy)],
    automationSwitch: bothWays && !remoteUnlock ? 'lockOnly' : alerts.automationSwitch,
  };
}
