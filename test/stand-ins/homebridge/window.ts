// The window of the Homebridge UI, in a browser: its object is in the page, and config.json is a list.
import type { BrowserContext, Page } from 'playwright-core';
import type { AccountPanel } from '../../browser/account-panel.ts';
import { type Blocks, mergedBlocks } from './config-merge.ts';

/** A window as the Homebridge UI opens it: its object is in the page, and config.json is a list that can be looked at. */
export interface HomebridgeWindow {
  readonly page: Page;
  /** The blocks as they were saved last. */
  readonly saved: () => Blocks;
  /** Fills in the form of all options: the block as the form has it then. */
  readonly fillForm: (filled: Blocks[number]) => Promise<void>;
  /** The block that the form was opened with. */
  readonly formData: () => Promise<unknown>;
  /** The button at the foot of the window. */
  readonly save: () => Promise<void>;
  /** Passes the server process's events to the page. */
  readonly push: (message: object) => Promise<void>;
  /** Kills the server process: it neither answers nor beats any more. */
  readonly kill: () => Promise<void>;
}

export async function openHomebridgeWindow(
  context: BrowserContext,
  panel: AccountPanel,
  options: {
    readonly blocks?: Blocks;
    readonly dark?: boolean;
    /** False: the window's own process answers for the account. */
    readonly isPluginRunning?: boolean;
    /** Whether the bridge is in Home, asked each time. */
    readonly pairing?: () => string;
    /** What the UI has on the screen. */
    readonly language?: string;
  } = {},
): Promise<HomebridgeWindow> {
  let blocks = options.blocks ?? [];
  let saved = blocks;
  let isKilled = false;
  const page = await context.newPage();
  const { account } = panel;
  await page.exposeFunction('uiConfig', (next?: Blocks) => {
    blocks = next === undefined || next === null ? blocks : mergedBlocks(blocks, next);
    return blocks;
  });
  await page.exposeFunction('uiSave', () => {
    saved = blocks;
    // The server process opens the account with what is written now.
    const { partner } = saved.find(({ name }) => name === 'Latchkey') ?? {};
    account.partner = { ...account.partner, ...(typeof partner === 'object' ? partner : {}) };
  });
  await page.exposeFunction(
    'uiRequest',
    async (path: string, body?: { operation: string; input: unknown }) => {
      if (path === '/panel-login') {
        return { url: `${panel.url}#login=${panel.server.mintLogin().token}`, expiresInMs: 300_000 };
      }
      if (path === '/accounts') {
        return saved.map(({ name = 'Latchkey', partner, panel: dashboard, demo = false }) => ({
          name,
          configured:
            demo === true || (typeof partner === 'object' && partner !== null && 'authUrl' in partner),
          demo,
          problems: [],
          hasDashboard: typeof dashboard === 'object',
          pairing: options.pairing?.() ?? 'unknown',
          windowPid: options.isPluginRunning === false ? 1 : 2,
        }));
      }
      return isKilled ? new Promise(() => {}) : account.operations[body?.operation ?? '']?.(body?.input);
    },
  );
  await page.addInitScript(standInHomebridge, options.language ?? 'en');
  const push = async (message: object): Promise<void> => {
    await page.evaluate((detail) => window.dispatchEvent(new CustomEvent('ui-news', { detail })), message);
  };
  const kill = async (): Promise<void> => {
    isKilled = true;
    await page.evaluate(() => {
      document.body.dataset['serverProcess'] = 'killed';
    });
  };
  const server = account.publish;
  account.publish = (event) => {
    server(event);
    // A window that is closed meanwhile hears nothing, as in real life.
    push({ event }).catch(() => {});
  };
  await page.goto(panel.url);
  await page.evaluate((isDark) => {
    document.body.classList.toggle('dark-mode', isDark);
    const theme = new CSSStyleSheet();
    // What comes through of Bootstrap there.
    theme.insertRule('body { font-weight: 300; letter-spacing: 0.02rem }');
    theme.insertRule('ol, ul { padding-left: 2rem }');
    theme.insertRule('p, ul, h2 { margin-bottom: 1rem }');
    theme.insertRule('td { font-size: 0.9rem; font-weight: 300; color: #999 !important }');
    theme.insertRule('label { margin-bottom: 0.5rem; display: inline-block }');
    theme.insertRule(`body { background: ${isDark ? '#242424' : '#ffffff'}; margin: 1rem }`);
    document.adoptedStyleSheets.push(theme);
  }, options.dark ?? false);
  return {
    page,
    saved: () => saved,
    fillForm: async (filled) => {
      await page.evaluate((block) => window.uiForm?.fill(block), filled);
    },
    formData: async () => page.evaluate(() => window.uiForm?.data),
    save: async () => {
      await page.evaluate(async () => window.uiSave());
    },
    push,
    kill,
  };
}

declare global {
  interface Window {
    uiConfig: (blocks?: unknown) => Promise<unknown>;
    uiSave: () => Promise<unknown>;
    uiForm: { readonly data: unknown; fill: (block: unknown) => void } | undefined;
    uiRequest: (path: string, body?: unknown) => Promise<unknown>;
  }
}

/** Runs in the page, before anything of it: what `@homebridge/plugin-ui-utils` offers, as far as the pages use it. */
function standInHomebridge(language: string): void {
  const homebridge = Object.assign(new EventTarget(), {
    getPluginConfig: async () => window.uiConfig(),
    updatePluginConfig: async (blocks: unknown) => window.uiConfig(blocks),
    savePluginConfig: async () => window.uiSave(),
    request: async (path: string, body: unknown) => window.uiRequest(path, body),
    enableSaveButton: () => document.body.classList.remove('save-off'),
    disableSaveButton: () => document.body.classList.add('save-off'),
    i18nCurrentLang: async () => language,
    getPluginConfigSchema: async () => ({
      schema: {
        properties: Object.fromEntries(
          ['name', 'partner', 'panel', 'remotePin', 'locks', 'debug', 'offline', 'lowBattery'].map((name) => [
            name,
            {},
          ]),
        ),
      },
    }),
    createForm: (_schema: unknown, data: unknown) => {
      const form = document.body.appendChild(document.createElement('p'));
      form.textContent = 'The form of all options';
      return {
        onChange: (fill: (block: unknown) => void) => {
          window.uiForm = { data, fill };
        },
        end: () => {
          form.remove();
        },
      };
    },
  });
  Reflect.set(window, 'homebridge', homebridge);
  window.addEventListener('ui-news', ({ detail: message }: CustomEventInit<object>) => {
    homebridge.dispatchEvent(new MessageEvent('latchkey', { data: { account: 'Latchkey', ...message } }));
  });
  // As the server process does for as long as it lives.
  setInterval(() => {
    if (document.body.dataset['serverProcess'] !== 'killed') {
      homebridge.dispatchEvent(new MessageEvent('latchkey-heartbeat'));
    }
  }, 1_000);
  window.addEventListener('load', () => {
    homebridge.dispatchEvent(new Event('ready'));
  });
}
