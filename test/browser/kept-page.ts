// One page on one panel for all tests of a process. To open another one costs twice as much as to begin anew on it: the
// entry of the pages runs once more in the document that is there, and takes down what it finds.
import type { BrowserContext, Page } from 'playwright-core';
import type { Role } from '../../src/panel/sessions/role.ts';
import { StandInAccount } from '../stand-ins/account/operations.ts';
import { AccountPanel } from './account-panel.ts';
import { DESKTOP, type Visitor } from './visitor.ts';

export interface Opened {
  readonly page: Page;
  readonly panel: AccountPanel;
}

interface Wanted {
  readonly account: StandInAccount;
  /** What follows the address of the panel: nothing, or a page behind a `#`. */
  readonly path?: string;
  /** Null: nobody is logged in. */
  readonly role?: Role | null | undefined;
  /** Done with the browser before the page asks for anything. */
  readonly prepare?: ((context: BrowserContext) => Promise<unknown>) | undefined;
}

export class KeptPage {
  static readonly #kept = new WeakMap<Visitor, KeptPage>();
  readonly #visitor: Visitor;
  #panel: AccountPanel | null = null;
  #page: Page | null = null;
  #isUsed = false;
  #isSpoilt = false;

  /** The one of this browser. */
  static of(visitor: Visitor): KeptPage {
    const kept = KeptPage.#kept.get(visitor) ?? new KeptPage(visitor);
    KeptPage.#kept.set(visitor, kept);
    return kept;
  }

  private constructor(visitor: Visitor) {
    this.#visitor = visitor;
  }

  async open({ account, path = '', role, prepare }: Wanted): Promise<Opened> {
    // A test that opens twice begins anew as the next test would.
    await this.leave();
    const panel = (this.#panel ??= await AccountPanel.start());
    panel.serve(account);
    this.#isUsed = true;
    const context = this.#visitor.takeUsual();
    await prepare?.(context);
    if (this.#page !== null) {
      await putBack(this.#page);
      const token = role === null ? null : panel.server.mintLogin(role).token;
      await this.#page.evaluate(beginningAnew(path, token));
      return { page: this.#page, panel };
    }
    if (role !== null) {
      await panel.admit(context, role);
    }
    const page = await context.newPage();
    await page.goto(`${panel.url}${path}`);
    this.#page = page;
    this.#visitor.keep(page);
    return { page, panel };
  }

  /** What a test has done to the window or its browser's objects would meet the next one: that gets a new page. */
  spoil(): void {
    this.#isSpoilt = true;
  }

  /** After a test: nobody is logged in, so whatever the page still asks for is refused. */
  async leave(): Promise<void> {
    const [panel, page, isSpoilt] = [this.#panel, this.#page, this.#isSpoilt];
    if (!this.#isUsed || panel === null || page === null) {
      return;
    }
    this.#isUsed = false;
    this.#isSpoilt = false;
    panel.serve(new StandInAccount());
    if (isSpoilt || page.isClosed() || !page.url().startsWith(panel.url)) {
      this.#page = null;
      await page.close();
    }
  }

  has(panel: AccountPanel): boolean {
    return panel === this.#panel;
  }
}

async function putBack(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.emulateMedia({ colorScheme: null, forcedColors: null });
  if (page.viewportSize()?.width !== DESKTOP.width || page.viewportSize()?.height !== DESKTOP.height) {
    await page.setViewportSize(DESKTOP);
  }
}

/**
 * Begins anew in the document of a page: what was there is taken down before the new page logs in. It is sent as text: a test's
 * own imports are not a page's.
 */
function beginningAnew(path: string, token: string | null): string {
  return `(async () => {
    const moveTo = (path) => history.replaceState(null, '', location.pathname + path);
    sessionStorage.clear();
    scrollTo(0, 0);
    moveTo(${JSON.stringify(token === null ? path : `#login=${token}`)});
    // Under another address the script is another module, which runs.
    window.begun = (window.begun ?? 0) + 1;
    await import(document.querySelector('script[type=module][src]').src + '?' + window.begun);
    moveTo(${JSON.stringify(path)});
  })()`;
}
