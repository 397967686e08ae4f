// What only the Homebridge UI can do: write the addresses of the service into config.json, and show the form of all options.
import type { IHomebridgePluginUi } from '@homebridge/plugin-ui-utils/ui.interface';
import { memberOf } from '../../../src/support/text/foreign-json.ts';
import type { AccountRow } from '../../../src/ui-server/account-service.ts';
import {
  type Addresses,
  addressesOf,
  type Block,
  newBlock,
  placeOf,
  suggestedRedirectUri,
  withAddresses,
  withBlockAt,
  withDashboard,
  withDemo,
  withForm,
  withNulls,
  withoutNulls,
} from './config-blocks.ts';
import { formInLanguage } from './form-language.ts';
import { ask } from './homebridge-transport.ts';
import { senseless } from './transport.ts';

/** Where `latchkey simulate --port 18590` answers, and a redirect URI that it knows. */
export const SIMULATOR: Omit<Addresses, 'allowPrivateHosts'> = {
  authUrl: 'http://127.0.0.1:18590/auth',
  baseUrl: 'http://127.0.0.1:18590/api',
  redirectUri: 'http://127.0.0.1:8765/callback',
  allowInsecureLoopback: true,
};

export type HomebridgeConfig = ReturnType<typeof homebridgeConfig>;

export function homebridgeConfig(homebridge: IHomebridgePluginUi) {
  /** Where each account's block stands: found once, because its name may change while it is edited. */
  const places = new Map<string, number>();
  let lastChange: Promise<unknown> = Promise.resolve();

  const blocksNow = async (): Promise<readonly Block[]> => homebridge.getPluginConfig();
  const find = async (account: string): Promise<{ readonly place: number; readonly block: Block }> => {
    const blocks = await blocksNow();
    const place = places.get(account) ?? placeOf(blocks, account);
    places.set(account, place);
    return { place, block: blocks[place] ?? newBlock(account) };
  };
  const write = async (place: number, changed: Block): Promise<void> => {
    const blocks = await blocksNow();
    const whole = withNulls(blocks[place] ?? {}, changed);
    await homebridge.updatePluginConfig([...withBlockAt(blocks, place, whole)]);
  };
  /** Changes run one after the other: each begins with the result of the one before. */
  const inTurn = async (change: () => Promise<void>): Promise<void> => {
    const mine = lastChange.then(change);
    lastChange = mine.catch(() => undefined);
    await mine;
  };
  /** Changes the account's block, or a new one, and saves config.json. */
  const saveWith = async (account: string, changed: (block: Block) => Block): Promise<void> =>
    inTurn(async () => {
      const { place, block } = await find(account);
      await write(place, changed(block));
      await homebridge.savePluginConfig();
    });

  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page and its server are built together
    accounts: async () => (await ask(homebridge, '/accounts')) as readonly AccountRow[],
    /** The values of the account's block; a missing redirect URI is suggested. */
    addresses: async (account: string): Promise<Addresses> => {
      const { block } = await find(account);
      const addresses = addressesOf(block);
      return { ...addresses, redirectUri: addresses.redirectUri || suggestedRedirectUri(block) };
    },
    save: async (account: string, addresses: Addresses) =>
      saveWith(account, (block) => withAddresses(block, addresses)),
    /** Homebridge serves it after a restart. */
    turnOnDashboard: async (account: string) => saveWith(account, withDashboard),
    /** The account's block, for a page whose options only it knows. */
    block: async (account: string): Promise<Block> => (await find(account)).block,
    saveBlock: async (account: string, changed: (block: Block) => Block) => saveWith(account, changed),
    saveDemo: async (account: string, isOn: boolean) => saveWith(account, (block) => withDemo(block, isOn)),
    /** Whether the Save button at the foot of the window can be used. */
    allowSave: (isAllowed: boolean) =>
      isAllowed ? homebridge.enableSaveButton() : homebridge.disableSaveButton(),
    /** Shows the form of all options below the page; Homebridge's own button saves it. Resolves with what closes it. */
    openForm: async (account: string) => {
      const { place, block } = await find(account);
      return openForm(homebridge, block, (changed) => void inTurn(async () => write(place, changed)));
    },
    /** Where the dashboard is, with a login where it asks for one. Rejects when the dashboard is off. */
    panelLogin: async (account: string): Promise<string> => {
      const url = memberOf(await ask(homebridge, '/panel-login', { account }), 'url');
      if (typeof url !== 'string') {
        throw senseless();
      }
      return url;
    },
  };
}

/** The form opens in English when its translation takes longer. */
const TRANSLATION_WITHIN_MS = 3_000;

async function readBeside(path: string): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- the browser's own, on the page's own origin
  return fetch(path, { signal: AbortSignal.timeout(TRANSLATION_WITHIN_MS) });
}

/** The form that Homebridge draws of the schema, filled with the block. */
async function openForm(
  homebridge: IHomebridgePluginUi,
  block: Block,
  change: (changed: Block) => void,
): Promise<() => void> {
  const { schema = {}, layout = null, form = null } = await formInLanguage(homebridge, readBeside);
  const properties = memberOf(schema, 'properties');
  const known = new Set(typeof properties === 'object' && properties !== null ? Object.keys(properties) : []);
  const shown = homebridge.createForm({ schema, layout, form }, withoutNulls(block));
  shown.onChange((filled) => change(withForm(block, known, filled)));
  return () => shown.end();
}
