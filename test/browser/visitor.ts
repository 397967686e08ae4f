// A person with a browser: opens pages, counts the clicks, and writes down everything that the browser complains of.
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 900 };

const TIMEOUT_MS = 10_000;

export class Visitor {
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  /** Errors of scripts, and everything that the page's policy stopped. */
  readonly complaints: string[] = [];
  clicks = 0;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async arrive(): Promise<Visitor> {
    return new Visitor(await launchChromium());
  }

  async context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      viewport: DESKTOP,
      reducedMotion: 'reduce',
      locale: 'en-US',
      ...options,
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    this.#contexts.push(context);
    context.on('page', (page) => {
      this.#watch(page);
    });
    return context;
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

  async click(control: Locator): Promise<void> {
    this.clicks += 1;
    await control.click();
  }

  /** Closes what was opened since the last time, and throws when the browser complained of anything. */
  async leave(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map(async (context) => context.close()));
    this.clicks = 0;
    const complaints = this.complaints.splice(0);
    if (complaints.length > 0) {
      throw new Error(`The browser complained: ${complaints.join('; ')}`);
    }
  }

  async goHome(): Promise<void> {
    await this.#browser.close();
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // An operation or a linking that is refused, and a stream that ends, the browser itself tells on the console.
      if (message.type() === 'error' && !/\/(?:api\/|callback)/u.test(message.location().url)) {
        this.complaints.push(message.text());
      }
    });
  }
}

/** Waits until it can be seen; fails in the browser's words when it does not come. */
export async function seen(locator: Locator): Promise<boolean> {
  await locator.first().waitFor();
  return locator.first().isVisible();
}

/** Waits until it can no longer be seen. */
export async function gone(locator: Locator): Promise<boolean> {
  await locator.first().waitFor({ state: 'hidden' });
  return !(await locator.first().isVisible());
}
