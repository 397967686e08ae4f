// Combines the configuration and one lock's options into those of Matter.
import type { Config } from '../../../config/config.ts';
import type { SourcedValues } from '../../../domain/locks/settings.ts';
import type { MatterLockOptions } from '../node/lock-options.ts';
import { matterChoice } from '../options/choice.ts';

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
