// Finds the accounts in a config.json: one for each platform block of this plugin, unchecked.
import { isObject, memberOf } from '../support/text/foreign-json.ts';

export interface AccountBlock {
  /** Its position among the plugin's blocks, such as `#1`, since two may have the same name. */
  readonly id: string;
  readonly name: string;
  readonly block: Readonly<Record<string, unknown>>;
}

/** Homebridge accepts the platform's name alone or after the plugin's. */
const PLATFORM = /^(?:homebridge-latchkey\.)?Latchkey$/u;

/** The same words as in the option table. */
const DEFAULT_NAME = 'Latchkey';

/** The plugin's blocks in a whole config.json; or the file itself, where it is one block alone, as `latchkey serve` allows. */
export function accountBlocks(whole: Readonly<Record<string, unknown>>): readonly AccountBlock[] {
  const isBlock = !('platforms' in whole) && !('bridge' in whole) && ('partner' in whole || 'demo' in whole);
  const ours = isBlock
    ? [whole]
    : platformBlocks(whole).filter(({ platform }) => typeof platform === 'string' && PLATFORM.test(platform));
  return ours.map((block, index) => ({ id: `#${index + 1}`, name: accountNameOf(block), block }));
}

export function platformBlocks(
  whole: Readonly<Record<string, unknown>>,
): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(whole['platforms']) ? whole['platforms'].filter(isObject) : [];
}

export function accountNameOf({ name }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : DEFAULT_NAME;
}

/** The user name of a block's child bridge, which Homebridge keeps; null on the main bridge. */
export function childBridgeOf(block: unknown): string | null {
  const username = memberOf(memberOf(block, '_bridge'), 'username');
  return typeof username === 'string' && username !== '' ? username.toUpperCase() : null;
}
