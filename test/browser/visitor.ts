// A person with a browser: opens pages, counts the clicks, and records every complaint of the browser.
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Locator,
  Page,
} from 'playwright-core';
import { CHEAP, launchChromium } from './chromium.ts';

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 900 };

/** Longer than a busy machine takes; how soon pages say what they have to, the bench measures. */
const TIMEOUT_MS = 40_000;

const USUAL = {
  viewport: DESKTOP,
  reducedMotion: 'reduce',
  locale: 'en-US',
  serviceWorkers: 'block',
} as const;

export class Visitor {
  readonly #browser: Browser;
  /** What the tests of a file use one after the other, so that its process starts once; emptied between them. */
  readonly #usual: BrowserContext;
  readonly #usualSession: CDPSession;
  #isUsualTaken = false;
  /** What one test opened beside it. */
  readonly #others: BrowserContext[] = [];
  /** What stays open between tests. */
  readonly #kept = new Set<Page>();
  /** Whose pages were opened since the last time. */
  readonly #origins = new Set<string>();
  /** Errors of scripts, and everything that the page's policy stopped. */
  readonly complaints: string[] = [];
  clicks = 0;

  private constructor(browser: Browser, usual: BrowserContext, session: CDPSession) {
    this.#browser = browser;
    this.#usual = usual;
    this.#usualSession = session;
    this.#prepare(usual);
  }

  static #ofTests: Promise<Visitor> | undefined;

  /** The same for every test file of a process, with which the browser ends. */
  static async ofTests(): Promise<Visitor> {
    Visitor.#ofTests ??= Visitor.arrive(CHEAP);
    return Visitor.#ofTests;
  }

  /** `more`: further arguments of the browser. `options`: of its usual context, other than most have. */
  static async arrive(more: readonly string[] = [], options: BrowserContextOptions = {}): Promise<Visitor> {
    const browser = await launchChromium(more);
    const usual = await browser.newContext({ ...USUAL, ...options });
    // This page stays, and with it the process of those that are opened later.
    return new Visitor(browser, usual, await usual.newCDPSession(await usual.newPage()));
  }

  /** The browser of one person; asked for a second time, that of another. `options`: other than usual. */
  async context(options?: BrowserContextOptions): Promise<BrowserContext> {
    if (options === undefined && !this.#isUsualTaken) {
      this.#isUsualTaken = true;
      return this.#usual;
    }
    const context = await this.#browser.newContext({ ...USUAL, ...options });
    this.#others.push(context);
    this.#prepare(context);
    return context;
  }

  /** The browser that most tests have, also for a second time. */
  takeUsual(): BrowserContext {
    this.#isUsualTaken = true;
    return this.#usual;
  }

  /** `prepare`: done with the new browser before it opens the page. */
  async open(
    url: string,
    prepare?: (context: BrowserContext) => Promise<void>,
    options?: BrowserContextOptions,
  ): Promise<Page> {
    const context = await this.context(options);
    await prepare?.(context);
    const page = await context.newPage();
    await page.goto(url);
    return page;
  }

  /** Leaves this page of the usual context open between tests. */
  keep(page: Page): void {
    this.#kept.add(page);
    page.once('close', () => this.#kept.delete(page));
  }

  async click(control: Locator): Promise<void> {
    this.clicks += 1;
    await control.click();
  }

  /** Closes the pages opened since the last time, and throws when the browser complained. */
  async leave(): Promise<void> {
    await Promise.all(this.#others.splice(0).map(async (context) => context.close()));
    await this.#emptyUsual();
    this.clicks = 0;
    const complaints = this.complaints.splice(0);
    if (complaints.length > 0) {
      throw new Error(`The browser complained: ${complaints.join('; ')}`);
    }
  }

  async goHome(): Promise<void> {
    await this.#browser.close();
  }

  /** As new: without other pages than those that are kept, cookies, permissions, routes, and what the pages stored. */
  async #emptyUsual(): Promise<void> {
    const [, ...pages] = this.#usual.pages();
    await Promise.all(pages.filter((page) => !this.#kept.has(page)).map(async (page) => page.close()));
    await Promise.all([
      this.#usual.clearCookies(),
      this.#usual.clearPermissions(),
      this.#usual.unrouteAll(),
      ...[...this.#origins].map(async (origin) =>
        this.#usualSession.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
      ),
    ]);
    this.#origins.clear();
    this.#isUsualTaken = false;
  }

  #prepare(context: BrowserContext): void {
    context.setDefaultTimeout(TIMEOUT_MS);
    context.on('page', (page) => {
      this.#watch(page);
    });
  }

  #watch(page: Page): void {
    page.on('framenavigated', (frame) => {
      const { protocol, origin } = new URL(frame.url());
      if (protocol.startsWith('http')) {
        this.#origins.add(origin);
      }
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // An operation or a linking that is refused, and a stream that ends, the browser itself tells on the console.
      if (message.type() === 'error' && !/\/(?:api|callback|_control)\b/u.test(message.location().url)) {
        this.complaints.push(message.text());
      }
    });
  }
}

/** Waits until the element is visible; fails in the browser's words when it does not come. */
export async function seen(locator: Locator): Promise<boolean> {
  await locator.first().waitFor();
  return true;
}

/** Waits until it can no longer be seen. */
export async function gone(locator: Locator): Promise<boolean> {
  await locator.first().waitFor({ state: 'hidden' });
  return true;
}
