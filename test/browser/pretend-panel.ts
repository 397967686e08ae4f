// The pages on a real panel, or in a window like the Homebridge UI's, over an account of a test's making.
import type { BrowserContext, Page } from 'playwright-core';
import { panelPlace } from '../../src/panel/panel-place.ts';
import { type PanelServer, startPanelServer } from '../../src/panel/panel-server.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import { type Blocks, mergedBlocks } from './merged-blocks.ts';
import { PretendAccount } from './pretend-account.ts';

export class PretendPanel {
  readonly account: PretendAccount;
  readonly server: PanelServer;

  private constructor(account: PretendAccount, server: PanelServer) {
    this.account = account;
    this.server = server;
  }

  /** `pagesFolder`: other pages than those in dist/. */
  static async start(
    account = new PretendAccount(),
    options: {
      readonly pagesFolder?: string | undefined;
      readonly port?: number;
    } = {},
  ): Promise<PretendPanel> {
    const { pagesFolder, port = 0 } = options;
    const place = panelPlace('127.0.0.1', { hostname: 'hallway', addresses: [] });
    const server = await startPanelServer({
      place,
      port,
      operations: account.operations,
      callback: null,
      clock: systemClock,
      log: silentLog,
      ...(pagesFolder === undefined ? {} : { pagesFolder }),
    });
    account.publish = (event) => {
      server.publish(event);
    };
    return new PretendPanel(account, server);
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.server.port)}/`;
  }

  /** Logs the browser in beforehand, so that its pages open at once. */
  async admit(context: BrowserContext): Promise<void> {
    await admit(context, this.server);
  }

  async close(): Promise<void> {
    await this.server.close();
  }
}

/** Exchanges a login token for the cookie of a session, and gives it to the browser. */
export async function admit(context: BrowserContext, server: PanelServer): Promise<void> {
  const url = `http://127.0.0.1:${String(server.port)}`;
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ token: server.mintLogin().token }),
  });
  const [name = '', value = ''] = answer.headers.get('set-cookie')?.split(';', 1)[0]?.split('=') ?? [];
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
}

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
  /** Tells the page what the server process pushes. */
  readonly push: (message: object) => Promise<void>;
  /** Kills the server process: it neither answers nor beats any more. */
  readonly kill: () => Promise<void>;
}

export async function openHomebridgeWindow(
  context: BrowserContext,
  panel: PretendPanel,
  options: {
    readonly blocks?: Blocks;
    readonly dark?: boolean;
    /** False: the window's own process answers for the account. */
    readonly isPluginRunning?: boolean;
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
          windowPid: options.isPluginRunning === false ? 1 : 2,
        }));
      }
      return isKilled ? new Promise(() => {}) : account.operations[body?.operation ?? '']?.(body?.input);
    },
  );
  await page.addInitScript(pretendHomebridge);
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
function pretendHomebridge(): void {
  const homebridge = Object.assign(new EventTarget(), {
    getPluginConfig: async () => window.uiConfig(),
    updatePluginConfig: async (blocks: unknown) => window.uiConfig(blocks),
    savePluginConfig: async () => window.uiSave(),
    request: async (path: string, body: unknown) => window.uiRequest(path, body),
    enableSaveButton: () => document.body.classList.remove('save-off'),
    disableSaveButton: () => document.body.classList.add('save-off'),
    getPluginConfigSchema: async () => ({
      schema: {
        properties: Object.fromEntries(
          ['name', 'partner', 'panel', 'remotePin', 'locks', 'debug', 'offline', 'evidenceAgeSeconds'].map(
            (name) => [name, {}],
          ),
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
