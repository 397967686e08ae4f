// Visits to the panel, one for each test of a file: a page in a real browser, over an account of the test's making.
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import type { PageOperation } from '../../src/panel/operations/panel-api.ts';
import type { Role } from '../../src/panel/sessions/role.ts';
import { StandInAccount } from '../stand-ins/account/operations.ts';
import { type HomebridgeWindow, openHomebridgeWindow } from '../stand-ins/homebridge/window.ts';
import { AccountPanel } from './account-panel.ts';
import { KeptPage } from './kept-page.ts';
import { Visitor } from './visitor.ts';

/** One visit after the other, by the same browser: every test begins with a new account. */
export class PanelVisits {
  visitor!: Visitor;
  account!: StandInAccount;
  panel!: AccountPanel;
  page!: Page;
  readonly #isAlone: boolean;

  constructor({ isAlone = false }: { readonly isAlone?: boolean }) {
    this.#isAlone = isAlone;
  }

  /** The first page, of an account about which a person has entered nothing yet unless the test has. */
  async open(path = '', role?: Role): Promise<void> {
    await (this.#isAlone ? this.#openAlone(path, role) : this.#openKept(path, role));
    await this.page.getByRole('heading', { level: 2 }).waitFor();
  }

  async #openKept(path: string, role?: Role): Promise<void> {
    const { account, visitor } = this;
    const { page, panel } = await KeptPage.of(visitor).open({ account, path, role });
    [this.page, this.panel] = [page, panel];
  }

  async #openAlone(path: string, role?: Role): Promise<void> {
    this.panel = await AccountPanel.start(this.account);
    this.page = await this.visitor.open(`${this.panel.url}${path}`, async (context) =>
      this.panel.admit(context, role),
    );
  }

  /** Call it where a test changes the window or the browser's own objects: the next test gets a new page. */
  spoil(): void {
    KeptPage.of(this.visitor).spoil();
  }

  /** Leaves the page and the panel as the next test needs them, where one was opened. */
  async leave(): Promise<void> {
    const { panel, visitor } = this as Partial<Pick<PanelVisits, 'panel'>> & Pick<PanelVisits, 'visitor'>;
    try {
      await visitor.leave();
    } finally {
      Reflect.deleteProperty(this, 'panel');
      const kept = KeptPage.of(visitor);
      await (panel === undefined || kept.has(panel) ? kept.leave() : panel.close());
    }
  }

  async openLinked(path = '', role?: Role): Promise<void> {
    this.link();
    await this.open(path, role);
  }

  /** The pages in a window like the Homebridge UI's. `browser`: other than usual. */
  async openWindow(
    options?: Parameters<typeof openHomebridgeWindow>[2],
    browser?: BrowserContextOptions,
  ): Promise<HomebridgeWindow> {
    this.panel = await AccountPanel.start(this.account);
    const context = await this.visitor.context(browser);
    const homebridge = await openHomebridgeWindow(context, this.panel, options);
    this.page = homebridge.page;
    await this.page.getByRole('heading', { level: 2 }).waitFor();
    return homebridge;
  }

  /** A person has connected the account already. */
  link(): void {
    this.account.saveCredentials();
    this.account.link = { ...this.account.link, state: 'linked' };
  }

  async push(name: string | RegExp): Promise<void> {
    await this.button(name).click();
  }

  async fill(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(text);
  }

  words(text: string | RegExp): Locator {
    return this.page.getByText(text);
  }

  /** A guest or a code in the table of people. */
  person(name: string): Locator {
    return this.page.getByRole('rowgroup', { name, exact: true });
  }

  /** Opens the menu of a row or of the page, and pushes what it has. */
  async choose(entry: string, of: string): Promise<void> {
    await this.push(`More, ${of}`);
    await this.push(`${entry}, ${of}`);
  }

  /** Answers the question of a row with its own button. */
  async confirm(entry: string, of: string): Promise<void> {
    await this.page
      .getByRole('group', { name: `${entry}, ${of}` })
      .getByRole('button', { name: entry })
      .click();
  }

  /** Goes to a page by its tab. */
  async show(name: string): Promise<void> {
    await this.page.getByRole('link', { name, exact: true }).click();
  }

  /** What an operation was called with, one call after the other. */
  inputsOf(name: PageOperation): unknown[] {
    return this.account.calls.filter(([called]) => called === name).map(([, input]) => input);
  }

  button(entry: string | RegExp): Locator {
    return this.page.getByRole('button', { name: entry, exact: true });
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { level: 2, name });
  }

  card(name: string): Locator {
    return this.page.getByRole('article', { name });
  }
}

/** Call it where tests are described. `isAlone`: each test has a panel of its own, opened in a new page. */
export function panelVisits(options: ConstructorParameters<typeof PanelVisits>[0] = {}): PanelVisits {
  const visits = new PanelVisits(options);
  beforeAll(async () => {
    visits.visitor = await Visitor.ofTests();
  });
  beforeEach(() => {
    visits.account = new StandInAccount();
  });
  afterEach(async () => {
    await visits.leave();
  });
  return visits;
}
