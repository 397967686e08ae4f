// What only the Homebridge UI can do: write the addresses of the service into config.json, and show the form of all options.
import type { IHomebridgePluginUi, PluginConfig } from '@homebridge/plugin-ui-utils/ui.interface';
import type { AccountRow } from '../../src/ui-server/account-desk.ts';
import { ask } from './homebridge-transport.ts';
import { member, senseless } from './transport.ts';

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

/** Where `latchkey simulate --port 18590` answers, and a redirect URI that it knows. */
export const SIMULATOR: Omit<Addresses, 'allowPrivateHosts'> = {
  authUrl: 'http://127.0.0.1:18590/auth',
  baseUrl: 'http://127.0.0.1:18590/api',
  redirectUri: 'http://127.0.0.1:8765/callback',
  allowInsecureLoopback: true,
};

export interface HomebridgeConfig {
  accounts(): Promise<readonly AccountRow[]>;
  addresses(account: string): Promise<Addresses>;
  /** Writes them into the account's block, or into a new one, and saves config.json. */
  save(account: string, addresses: Addresses): Promise<void>;
  /** Shows the form of all options below the page; Homebridge's own button saves it. Resolves with what closes it. */
  openForm(account: string): Promise<() => void>;
  /** A login address for the panel, good for one use. Rejects when the panel is off. */
  panelLogin(account: string): Promise<string>;
}

const PLATFORM = 'Latchkey';
const DEFAULT_NAME = 'Latchkey';

export function homebridgeConfig(homebridge: IHomebridgePluginUi): HomebridgeConfig {
  const blockOf = async (account: string): Promise<PluginConfig> => {
    const blocks = await homebridge.getPluginConfig();
    return blocks.find((block) => nameOf(block) === account) ?? { platform: PLATFORM, name: account };
  };
  const update = async (account: string, changed: PluginConfig): Promise<void> => {
    await homebridge.updatePluginConfig(withBlock(await homebridge.getPluginConfig(), account, changed));
  };
  return {
    accounts: async () => accountsOf(await ask(homebridge, '/accounts')),
    addresses: async (account) => addressesOf(await blockOf(account)),
    save: async (account, addresses) => {
      await update(account, withAddresses(await blockOf(account), addresses));
      await homebridge.savePluginConfig();
    },
    openForm: async (account) => {
      const { schema, layout, form } = await homebridge.getPluginConfigSchema();
      const block = await blockOf(account);
      const shown = homebridge.createForm(
        { schema: schema ?? {}, layout: layout ?? null, form: form ?? null },
        block,
      );
      let current = account;
      shown.onChange((change) => {
        const renamed = { ...block, ...change };
        void update(current, renamed);
        current = nameOf(renamed);
      });
      return () => {
        shown.end();
      };
    },
    panelLogin: async (account) => {
      const url = member(await ask(homebridge, '/panel-login', { account }), 'url');
      if (typeof url !== 'string') {
        throw senseless();
      }
      return url;
    },
  };
}

/** The blocks with one of them replaced, or added at the end. */
function withBlock(blocks: readonly PluginConfig[], account: string, changed: PluginConfig): PluginConfig[] {
  const place = blocks.findIndex((block) => nameOf(block) === account);
  return place === -1
    ? [...blocks, changed]
    : blocks.map((block, index) => (index === place ? changed : block));
}

/** The block with other addresses. Everything else that a person wrote stays as it is. */
function withAddresses(block: PluginConfig, addresses: Addresses): PluginConfig {
  const partner: unknown = block['partner'];
  const { allowInsecureLoopback, authUrl, baseUrl, redirectUri } = addresses;
  const kept = typeof partner === 'object' && partner !== null ? { ...partner } : {};
  return {
    ...block,
    partner: {
      ...kept,
      authUrl: authUrl.trim(),
      baseUrl: baseUrl.trim(),
      redirectUri: redirectUri.trim(),
      // Left out rather than false, unless somebody wrote it: the file stays short.
      ...(allowInsecureLoopback || 'allowInsecureLoopback' in kept ? { allowInsecureLoopback } : {}),
    },
  };
}

function addressesOf(block: PluginConfig): Addresses {
  const text = (name: string): string => {
    const value = member(block['partner'], name);
    return typeof value === 'string' ? value : '';
  };
  return {
    authUrl: text('authUrl'),
    baseUrl: text('baseUrl'),
    redirectUri: text('redirectUri'),
    allowInsecureLoopback: member(block['partner'], 'allowInsecureLoopback') === true,
    allowPrivateHosts: member(block['partner'], 'allowPrivateHosts') === true,
  };
}

function nameOf(block: PluginConfig): string {
  const name: unknown = block['name'];
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : DEFAULT_NAME;
}

function accountsOf(answer: unknown): readonly AccountRow[] {
  return Array.isArray(answer)
    ? answer.map((row: unknown) => ({
        name: String(member(row, 'name')),
        configured: member(row, 'configured') === true,
        problems: linesOf(member(row, 'problems')),
      }))
    : [];
}

function linesOf(lines: unknown): readonly string[] {
  return Array.isArray(lines)
    ? lines.filter((line: unknown): line is string => typeof line === 'string')
    : [];
}
