// Matter at a bridge of Homebridge: shows the locks there, and takes those out of HomeKit that are to be over Matter alone.
import type { Config } from '../../../config/config.ts';
import type { BridgeAccount, BridgeFeature } from '../../../homekit/bridge-features.ts';
import type { Matter } from '../node/matter-accessories.ts';
import { NodePresence } from '../node/node-presence.ts';
import { matterChoice } from '../options/choice.ts';
import { openMatterBridge, startMatterOn } from './bridge.ts';
import { KeptLabels } from './kept-labels.ts';
import { matterOptionsFor } from './lock-options.ts';

export function openMatter(bridge: BridgeAccount): BridgeFeature {
  const { api, runtime, lockOptions, settings, restoredOverMatter, clock, log } = bridge;
  const inForce = (): Config => ({ ...bridge.config, locks: bridge.lockRows() });
  const opened = openMatterBridge(api, inForce(), log);
  const isAlone = (id: string, config = inForce()): boolean => matterChoice(config, id) === 'only';
  const hasOnlyLocks = (): boolean => {
    const config = inForce();
    return runtime.locks().some(({ id }) => isAlone(id, config));
  };
  const presence = opened === null ? null : new NodePresence({ clock, log, hasOnlyLocks });
  let matter: Matter | null = null;
  return {
    // A lock leaves HomeKit once apps reach it over Matter, not before (faults#128).
    takes: (id, wasInHome) => isAlone(id) && presence?.takesOver(wasInHome) === true,
    subscribe: (listener) => presence?.subscribe(listener) ?? (() => {}),
    status: () => ({ matter: presence?.state ?? 'off' }),
    start: () => {
      matter = startMatterOn(opened, {
        api,
        config: inForce(),
        log,
        runtime,
        clock,
        optionsFor: (id) => matterOptionsFor(inForce(), id, lockOptions(id)),
        subscribeOptions: bridge.subscribeOptions,
        presence: presence ?? { watch() {} },
        labels: new KeptLabels(settings, log),
        restored: restoredOverMatter,
      });
    },
    dispose: () => {
      matter?.dispose();
      presence?.dispose();
    },
  };
}
