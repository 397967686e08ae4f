// The accounts that a config.json holds: one for each platform block of ours, as written and not judged yet.
import { isObject, memberOf } from '../support/foreign-json.ts';

/** One platform block. */
export interface AccountBlock {
  /** Its place among the blocks of ours, such as `#1`: names may be doubled. */
  readonly id: string;
  readonly name: string;
  readonly block: Readonly<Record<string, unknown>>;
}

/** The platform's name, alone or with the plugin's before it: Homebridge takes both. */
const PLATFORM = /^(?:homebridge-latchkey\.)?Latchkey$/u;

/** What a block without a name is called (docs/options.md). */
const DEFAULT_NAME = 'Latchkey';

/** The blocks of ours in all of config.json. Whatever else stands there is passed over. */
export function accountBlocks(whole: Readonly<Record<string, unknown>>): readonly AccountBlock[] {
  return platformBlocks(whole)
    .filter(({ platform }) => typeof platform === 'string' && PLATFORM.test(platform))
    .map((block, index) => ({
      id: `#${index + 1}`,
      name: accountNameOf(block),
      block,
    }));
}

/** The blocks of all platforms, ours and others'. */
export function platformBlocks(
  whole: Readonly<Record<string, unknown>>,
): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(whole['platforms']) ? whole['platforms'].filter(isObject) : [];
}

/** What the account of a platform block is called. */
export function accountNameOf({ name }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : DEFAULT_NAME;
}

/** The user name of a block's child bridge, which Homebridge keeps; null on the main bridge. */
export function childBridgeOf(block: unknown): string | null {
  const username = memberOf(memberOf(block, '_bridge'), 'username');
  return typeof username === 'string' && username !== '' ? username.toUpperCase() : null;
}
