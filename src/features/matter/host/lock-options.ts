// Decides where a lock is shown, HomeKit, Matter or both, and converts its options for each module.
import type { Config } from '../../../config/config.ts';
import type { SourcedValues } from '../../../domain/locks/settings.ts';
import type { LockOptions } from '../../../homekit/hap/lock-options.ts';
import { lockOptionsFor } from '../../../plugin/homekit-options.ts';
import type { MatterLockOptions } from '../node/lock-options.ts';
import { matterChoice } from '../options/choice.ts';

/** A Matter-only lock leaves HomeKit once apps reach it over Matter (`matterHasIt`), not before (faults#128). */
export function homekitOptionsFor(
  config: Config,
  id: string,
  options: SourcedValues,
  matterHasIt: boolean,
): LockOptions {
  const inHome = lockOptionsFor(config, options);
  return { ...inHome, hidden: inHome.hidden || (matterHasIt && matterChoice(config, id) === 'only') };
}

export function matterOptionsFor(config: Config, id: string, options: SourcedValues): MatterLockOptions {
  return {
    hidden: options.hide.value || matterChoice(config, id) === 'off',
    name: options.name.value,
    unlockRefusal: unlockRefusal(config, options),
    lowBattery: options.lowBattery.value,
  };
}

function unlockRefusal({ remotePinIsFaulty }: Config, { adminOnly }: SourcedValues): string | null {
  if (adminOnly.value) {
    return 'only administrators may unlock it, and Matter does not distinguish them';
  }
  return remotePinIsFaulty ? 'remotePin in config.json is not a PIN of 4 to 8 digits; correct it' : null;
}
