// Checks whether this bridge can show locks over Matter, and logs one line when it should but cannot.
import type { API } from 'homebridge';
import type { Config } from '../../../config/config.ts';
import { PLATFORM_NAME, PLUGIN_NAME } from '../../../homekit/platform-accessories.ts';
import { readInstallation } from '../../../installation/installation.ts';
import { messageOf } from '../../../support/errors.ts';
import type { Log } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';
import { faultOfMatter } from '../node/evidence-lock.ts';
import { Matter, type MatterParts } from '../node/matter-accessories.ts';
import { isMatterApi, type MatterApi } from '../node/matter-api.ts';
import { type MatterBridge, matterBridgeOf, matterObstacle, wantsMatter } from '../options/choice.ts';

/** Homebridge before version 2.4 has neither member. */
type MatterHost = Pick<API, 'user'> & Partial<Pick<API, 'matter' | 'isMatterEnabled' | 'serverVersion'>>;

/** Versions of Homebridge with a part of Matter. */
const BEFORE_2_4 = /^(?:[01]\.|2\.[0-3]\.)/;

/** Homebridge's Matter interface; null, with the reason logged, when locks stay in HomeKit alone. Never throws. */
export function openMatterBridge(api: MatterHost, config: Config, log: Log): MatterApi | null {
  if (!wantsMatter(config)) {
    return null;
  }
  const obstacle = knownObstacle(api, config);
  if (obstacle !== null) {
    log.warn(`${t('Locks stay in HomeKit and are not shown over Matter.')} ${obstacle}`);
    return null;
  }
  return isMatterApi(api.matter) ? api.matter : null;
}

function knownObstacle(api: MatterHost, config: Config): string | null {
  try {
    return obstacleOf(api, config);
  } catch (error) {
    return messageOf(error);
  }
}

function obstacleOf(api: MatterHost, config: Config): string | null {
  if (!('matter' in api) || BEFORE_2_4.test(api.serverVersion ?? '')) {
    return t(
      'This Homebridge does not offer to plugins what a Matter lock needs. Install Homebridge 2.4 or later.',
    );
  }
  const bridge = bridgeInConfig(api.user, config.name);
  if (bridge !== 'on') {
    const { why, advice } = matterObstacle(bridge);
    return `${t(why)} ${t(advice)}`;
  }
  if (api.isMatterEnabled?.() !== true) {
    return t('Matter did not start on this bridge. The log of Homebridge says why.');
  }
  const fault = faultOfMatter(api.matter, config.remotePin !== null);
  return fault === null
    ? null
    : t(
        'The Matter interface of this Homebridge is not the one the plugin was made for ({fault}). Look for an update of the plugin.',
        { fault },
      );
}

/** Homebridge does not expose its bridge to a plugin; config.json does. Throws when that cannot be read. */
function bridgeInConfig(user: API['user'], name: string): MatterBridge {
  const { accounts } = readInstallation(user.storagePath(), user.configPath());
  const account = accounts.find((candidate) => candidate.name === name);
  return account === undefined ? 'main-bridge' : matterBridgeOf(account.block);
}

/** Shows the locks over Matter, or removes leftover accessories after the option was turned off. */
export function startMatterOn(
  opened: MatterApi | null,
  given: Omit<MatterParts, 'plugin' | 'platform' | 'pin' | 'api' | 'uuidOf'> & {
    readonly api: API;
    readonly config: Config;
  },
): Matter | null {
  const { api, config, ...parts } = given;
  const isLeftOver = parts.restored.length > 0 && !wantsMatter(config);
  const bridge = isLeftOver && isMatterApi(api.matter) ? api.matter : opened;
  if (bridge === null) {
    return null;
  }
  const uuidOf = (text: string): string => api.hap.uuid.generate(text);
  const names = { plugin: PLUGIN_NAME, platform: PLATFORM_NAME };
  try {
    return new Matter({ ...parts, ...names, pin: config.remotePin, api: bridge, uuidOf });
  } catch (error) {
    parts.log.error(t('Locks could not be shown over Matter: {why}', { why: messageOf(error) }));
    return null;
  }
}
