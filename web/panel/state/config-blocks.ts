// The plugin's blocks of config.json as the window of the Homebridge UI edits them: found by place, changed and nothing lost.
import { accountNameOf } from '../../../src/config/account-blocks.ts';
import { faultOfAddress } from '../../../src/config/options/address.ts';
import { memberOf } from '../../../src/support/text/foreign-json.ts';

/** One platform block, as it stands in config.json. */
export type Block = Readonly<Record<string, unknown>>;

/** The addresses that config.json alone names. Empty: not written. */
export interface Addresses {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly redirectUri: string;
  /** Plain http on this machine, for the simulator. */
  readonly allowInsecureLoopback: boolean;
  /** Addresses in private networks. Only the form of all options changes it. */
  readonly allowPrivateHosts: boolean;
}

const PLATFORM = 'Latchkey';

/** The block of an account that config.json does not name yet. */
export function newBlock(account: string): Block {
  return { platform: PLATFORM, name: account };
}

/** The place of the account's block; its future place, when there is none. */
export function placeOf(blocks: readonly Block[], account: string): number {
  const place = blocks.findIndex((block) => accountNameOf(block) === account);
  return place === -1 ? blocks.length : place;
}

/** The blocks with the one at that place replaced, or added at the end. Never by name: names change as they are typed. */
export function withBlockAt(blocks: readonly Block[], place: number, changed: Block): readonly Block[] {
  return place < blocks.length ? blocks.with(place, changed) : [...blocks, changed];
}

/** The block with other addresses. Everything else that a person wrote stays as it is. */
export function withAddresses(block: Block, addresses: Addresses): Block {
  const { partner } = block;
  const { allowInsecureLoopback, authUrl, baseUrl, redirectUri } = addresses;
  const kept = typeof partner === 'object' && partner !== null ? { ...partner } : {};
  return {
    ...block,
    partner: {
      ...kept,
      authUrl: authUrl.trim(),
      baseUrl: baseUrl.trim(),
      redirectUri: redirectUri.trim(),
      // Left out rather than false, unless the file has it: the file stays short.
      ...(allowInsecureLoopback || 'allowInsecureLoopback' in kept ? { allowInsecureLoopback } : {}),
    },
  };
}

/** The block with the dashboard turned on; its host and port stay as they are. */
export function withDashboard(block: Block): Block {
  const { panel } = block;
  return { ...block, panel: { ...(typeof panel === 'object' ? panel : {}), enabled: true } };
}

/** The block with the demo on or off. */
export function withDemo(block: Block, isOn: boolean): Block {
  return { ...block, demo: isOn };
}

/**
 * The changed block with null for every option of the former one that it lacks. The Homebridge UI merges the given block
 * into its own, so an option that is only missing would stay; null is read as not set.
 */
export function withNulls(former: Block, changed: Block): Block {
  const cleared = Object.keys(former).filter((option) => !Object.hasOwn(changed, option));
  return { ...Object.fromEntries(cleared.map((option) => [option, null])), ...changed };
}

/** The block without options that were cleared: a form takes null for a wrong value. */
export function withoutNulls(block: Block): Block {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null));
}

/**
 * The block as the form of all options has it. What the form knows and leaves out was taken out by the person; what it
 * does not know, such as the child bridge, stays. `known`: the options of the schema.
 */
export function withForm(block: Block, known: ReadonlySet<string>, form: Block): Block {
  const unknown = Object.entries(block).filter(([option]) => !known.has(option));
  return { ...Object.fromEntries(unknown), ...form };
}

/** The dashboard's usual port. */
const USUAL_PORT = 18_582;

/**
 * A redirect URI that would lead to this plugin: its public address where webhooks have one of their own, else the dashboard's
 * place on this machine, where a small server answers while a sign-in waits if the dashboard is off.
 */
export function suggestedRedirectUri(block: Block): string {
  const publicUrl = memberOf(block['webhooks'], 'publicUrl');
  if (
    memberOf(block['webhooks'], 'via') !== 'relay' &&
    typeof publicUrl === 'string' &&
    faultOfAddress(publicUrl, { insecureLoopback: false, privateHosts: true }) === null
  ) {
    return `${publicUrl.replace(/\/+$/u, '')}/callback`;
  }
  const port = memberOf(block['panel'], 'port');
  return `http://127.0.0.1:${String(typeof port === 'number' ? port : USUAL_PORT)}/callback`;
}

export function addressesOf(block: Block): Addresses {
  const { partner } = block;
  const text = (name: string): string => {
    const value = memberOf(partner, name);
    return typeof value === 'string' ? value : '';
  };
  return {
    authUrl: text('authUrl'),
    baseUrl: text('baseUrl'),
    redirectUri: text('redirectUri'),
    allowInsecureLoopback: memberOf(partner, 'allowInsecureLoopback') === true,
    allowPrivateHosts: memberOf(partner, 'allowPrivateHosts') === true,
  };
}
