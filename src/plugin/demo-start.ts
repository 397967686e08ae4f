// Starts the demo in the place of an account, and removes the locks and the folder of a former demo.
import type { API, PlatformAccessory } from 'homebridge';
import type { Config } from '../config/config.ts';
import { Demo } from '../demo/demo.ts';
import { removeDemoFolder } from '../demo/folder.ts';
import { isDemoAccessory } from '../homekit/hap/accessory-context.ts';
import { unregister } from '../homekit/platform-accessories.ts';
import { systemClock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { t } from '../words/translate.ts';

/**
 * `overMatter`: how many locks the bridge has cached for Matter, where no demo ever shows one.
 *
 * The running demo, or null when it may not run: it would show a real account's locks among its own. `launch` opens the
 * account at the simulated service.
 */
export function startDemo(
  parts: {
    readonly api: API;
    readonly config: Config;
    readonly restored: readonly PlatformAccessory[];
    readonly overMatter: number;
    readonly log: Log;
  },
  launch: (config: Config) => void,
): Demo | null {
  const { api, config, restored, overMatter, log } = parts;
  const real = restored.filter((accessory) => !isDemoAccessory(accessory)).length + overMatter;
  if (real > 0) {
    log.error(
      t(
        'Not started: this bridge shows locks of an account ({count}). Set "{option}" to {value}, or give the demo a block on a child bridge of its own.',
        { count: real, option: 'demo', value: 'false' },
      ),
    );
    return null;
  }
  const demo = new Demo({ config, homebridgeFolder: api.user.storagePath(), clock: systemClock, log });
  void open(demo, log, launch);
  return demo;
}

/** Never rejects. */
async function open(demo: Demo, log: Log, launch: (config: Config) => void): Promise<void> {
  try {
    const opened = await demo.open();
    if (opened !== null) {
      launch(opened);
    }
  } catch (error) {
    log.error(t('The demo could not be started; restart Homebridge. {why}', { why: messageOf(error) }));
  }
}

/** Removes a former demo's accessories and folder. Returns the accessories that stay. Never throws. */
export function removeDemo(
  api: API,
  config: Config,
  restored: readonly PlatformAccessory[],
  log: Log,
): PlatformAccessory[] {
  const former = restored.filter(isDemoAccessory);
  try {
    for (const accessory of former) {
      unregister(api, accessory);
    }
    removeDemoFolder(api.user.storagePath(), config);
  } catch (error) {
    log.warn(t('Not everything of the demo could be removed: {why}', { why: messageOf(error) }));
  }
  if (former.length > 0) {
    log.info(t('The demo is off; its locks were removed from Home.'));
  }
  return restored.filter((accessory) => !former.includes(accessory));
}
