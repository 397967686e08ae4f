// Whether a bridge of Homebridge is in the Home app, by the file that Homebridge keeps of its pairing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { childBridgeOf } from '../config/account-blocks.ts';
import { isObject, memberOf } from '../support/text/foreign-json.ts';

/** `unknown`: Homebridge has not started the bridge yet, or keeps its pairings elsewhere. */
export type Pairing = 'paired' | 'unpaired' | 'unknown';

/** Of the bridge of a block: its child bridge, or else the main bridge of the whole config.json. */
export function pairingOf(folder: string, whole: unknown, block: unknown): Pairing {
  const main = memberOf(memberOf(whole, 'bridge'), 'username');
  const username = childBridgeOf(block) ?? (typeof main === 'string' ? main : null);
  // A name from config.json becomes part of a path.
  if (username === null || !/^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$/iu.test(username)) {
    return 'unknown';
  }
  const file = `AccessoryInfo.${username.replaceAll(':', '').toUpperCase()}.json`;
  try {
    const info: unknown = JSON.parse(readFileSync(join(folder, 'persist', file), 'utf8'));
    const clients = memberOf(info, 'pairedClients');
    return isObject(clients) ? (Object.keys(clients).length > 0 ? 'paired' : 'unpaired') : 'unknown';
  } catch {
    return 'unknown';
  }
}
