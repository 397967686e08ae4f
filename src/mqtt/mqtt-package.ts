// Loads the `mqtt` package, which is installed only where MQTT is used, and names the command that installs it.

import type { IClientOptions, MqttClient } from 'mqtt';
import { FinalError } from '../support/errors.ts';
import { memberOf } from '../support/foreign-json.ts';

/** The part of it that is used. */
export interface MqttPackage {
  readonly default: { readonly connect: (options: IClientOptions) => MqttClient };
}

/** The release that the plugin is tested with; a later one of the same major number serves, too. */
const TESTED = '5.16.0';

/**
 * @param root folder of this plugin's package: npm finds the other package beside it.
 * @throws FinalError with the command that installs the package.
 */
export async function loadMqtt(
  root: string,
  load: () => Promise<MqttPackage> = async () => import('mqtt'),
): Promise<MqttPackage> {
  try {
    return await load();
  } catch (error) {
    const isMissing = memberOf(error, 'code') === 'ERR_MODULE_NOT_FOUND';
    const why = isMissing ? 'is not installed' : 'could not be loaded';
    throw new FinalError(
      'bad-configuration',
      `MQTT needs the package "mqtt", which ${why}. Run: ${installCommand(root)} Then restart.`,
      { cause: error },
    );
  }
}

/** npm installs into the folder that holds `node_modules`; a global installation has `lib` above it. */
export function installCommand(root: string): string {
  const parts = root.split('/node_modules/');
  const folder = parts.length > 1 ? parts.slice(0, -1).join('/node_modules/') : root;
  const where = parts.length > 1 && folder.endsWith('/lib') ? '--global' : `--prefix "${folder}"`;
  return `npm install ${where} mqtt@${TESTED}`;
}
