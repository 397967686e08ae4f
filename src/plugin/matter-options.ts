// Decides where a lock is shown, HomeKit, Matter or both, and converts its options for each module.
import type { Config } from '../config/config.ts';
import type { EffectiveLockOptions } from '../config/lock-options.ts';
import { matterChoice } from '../config/matter-option.ts';
import type { LockOptions } from '../homekit/lock-options.ts';
import type { MatterLockOptions } from '../matter/lock-options.ts';
import { lockOptionsFor } from './homekit-options.ts';

/** A Matter-only lock leaves HomeKit once Matter runs (`matterRuns`), not before. */
export function homekitOptionsFor(
  config: Config,
  id: string,
  options: EffectiveLockOptions,
  matterRuns: boolean,
): LockOptions {
  const inHome = lockOptionsFor(config, options);
  return { ...inHome, hidden: inHome.hidden || (matterRuns && matterChoice(config, id) === 'only') };
}

export function matterOptionsFor(
  config: Config,
  id: string,
  options: EffectiveLockOptions,
): MatterLockOptions {
  return {
    hidden: options.hide.value || matterChoice(config, id) === 'off',
    name: options.name.value,
    adminOnly: options.adminOnly.value,
    lowBattery: options.lowBattery.value,
  };
}
