// The settings of the plugin as a person has them before them: a window of the Homebridge UI, with our page in a frame.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { z } from 'zod';
import type { Visitor } from '../browser/visitor.ts';
import type { HomebridgeUi } from './homebridge-ui.ts';

/** The pictures of the last run, to be looked at. */
const shots = join(import.meta.dirname, 'shots');

export type Light = 'light' | 'dark';

const axeResult = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullish(),
      nodes: z.array(z.object({ html: z.string() })),
    }),
  ),
});

/** Runs in the page. A select is as wide as its words, where it may grow. */
const CUT_CHOICES = `[...document.querySelectorAll('select')].flatMap((select) => {
  const free = select.cloneNode(true);
  free.replaceChildren(new Option(select.selectedOptions[0]?.text ?? ''));
  free.style.cssText = 'position: absolute; width: auto; max-width: none; min-width: 0; visibility: hidden';
  select.after(free);
  const isCut = free.offsetWidth > select.offsetWidth;
  const words = isCut ? [free.textContent] : [];
  free.remove();
  return words;
})`;

const statusAnswer = z.object({ pid: z.number() });
const accountsAnswer = z.array(z.object({ windowPid: z.number() }));

const DESKTOP = { width: 1100, height: 950 };

/** Buttons of the UI in English, German and Japanese. */
const SET_UP = /^\s*(?:Set Up|Einrichten|初期設定)\s*$/;
const PLUGIN_CONFIG = /^\s*(?:Plugin Config|Einstellungen|設定)\s*$/;

/** The UI moves a window for less than this, in milliseconds. */
const SETTLED_AFTER_MS = 700;

export class SettingsWindow {
  readonly page: Page;
  /** Everything that pages held when a picture was taken. */
  readonly contents: string[] = [];
  readonly #visitor: Visitor;
  readonly #light: Light;

  /** Opens the UI and, in it, the settings of the plugin. */
  static async open(
    visitor: Visitor,
    ui: HomebridgeUi,
    light: Light,
    viewport = DESKTOP,
    deviceScaleFactor = 1,
  ): Promise<SettingsWindow> {
    const options = { colorScheme: light, viewport, deviceScaleFactor };
    const page = await visitor.open(`${ui.url}/plugins`, undefined, options);
    const opened = new SettingsWindow(visitor, page, light);
    await opened.openSettings();
    return opened;
  }

  private constructor(visitor: Visitor, page: Page, light: Light) {
    this.#visitor = visitor;
    this.#light = light;
    this.page = page;
  }

  /** The window of the UI around our page; or the one that lies over it. */
  get frame(): Locator {
    return this.page.getByRole('dialog').last();
  }

  /** Our page. */
  get ours(): FrameLocator {
    return this.page.frameLocator('iframe');
  }

  /** From the list of plugins: by a button of its own before anything was configured, later by a menu. */
  async openSettings(): Promise<void> {
    const first = this.page.getByRole('button', { name: SET_UP });
    const actions = this.page.getByRole('button', { name: 'Plugin Actions' });
    await first.or(actions).first().waitFor();
    // The UI's menu opens under the pointer, which begins in its corner, and would lie over the plugin.
    await this.page.mouse.move(this.page.viewportSize()?.width ?? 0, 0);
    if (await first.isVisible()) {
      await this.#visitor.click(first);
    } else {
      await actions.click();
      await this.page.getByRole('button', { name: PLUGIN_CONFIG }).click();
    }
    await this.ours.getByRole('heading', { level: 2 }).first().waitFor();
  }

  /** Our frame, the innermost one. */
  get inner(): Frame {
    const frame = this.page.frames().at(-1);
    if (frame === undefined) {
      throw new Error('The window has no frame');
    }
    return frame;
  }

  async #inside(script: string): Promise<unknown> {
    return this.inner.evaluate(script);
  }

  heading(name: string): Locator {
    return this.ours.getByRole('heading', { level: 2, name });
  }

  /** Pushes a button of our page, which counts as a click. */
  async push(name: string | RegExp): Promise<void> {
    await this.#visitor.click(this.ours.getByRole('button', { name, exact: true }));
  }

  async fill(label: string, text: string): Promise<void> {
    await this.ours.getByLabel(label, { exact: true }).fill(text);
  }

  /** Pushes the button that brings a tab of its own, and resolves with the tab. */
  async follow(name: string): Promise<Page> {
    const tab = this.page.context().waitForEvent('page');
    await this.push(name);
    return tab;
  }

  /** The foot of the window of the UI: saves the settings and offers the restart. */
  async save(): Promise<void> {
    await this.#visitor.click(this.frame.getByRole('button', { name: 'Save', exact: true }));
  }

  /** The blocks that the foot of the window would save now. */
  async pendingConfig(): Promise<unknown> {
    return this.#inside('homebridge.getPluginConfig()');
  }

  /** The title that the form has for an option, as the UI itself reads it for a page. */
  async titleByTheUi(option: string): Promise<unknown> {
    return this.#inside(
      `homebridge.getPluginConfigSchema().then(({ schema }) => schema.properties[${JSON.stringify(option)}].title)`,
    );
  }

  /** Has another language on the screen than the one that is set, as in a UI that follows the browser. */
  async pretendLanguage(language: string): Promise<void> {
    await this.#inside(`void (homebridge.i18nCurrentLang = async () => ${JSON.stringify(language)})`);
  }

  /** What a page of ours gives the window, without its own page. */
  async giveConfig(blocks: readonly object[]): Promise<void> {
    await this.#inside(`homebridge.updatePluginConfig(${JSON.stringify(blocks)})`);
  }

  /** The processes that answer the page: the plugin's, and the one that the UI started for this window. */
  async processes(account: string): Promise<{ readonly plugin: number; readonly window: number }> {
    const call = JSON.stringify({ account, operation: 'status' });
    const { pid } = statusAnswer.parse(await this.#inside(`homebridge.request('/call', ${call})`));
    const [row] = accountsAnswer.parse(await this.#inside(`homebridge.request('/accounts')`));
    return { plugin: pid, window: row?.windowPid ?? 0 };
  }

  /** What axe calls serious or critical of our page, among the styles that the UI puts upon it. */
  async axeFaults(): Promise<readonly string[]> {
    await this.#inside(axe.source);
    // The frame around it, with its own heading and title, is the UI's.
    const { violations } = axeResult.parse(
      await this.#inside(`axe.run(document.querySelector('.latchkey'), { resultTypes: ['violations'] })`),
    );
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  /** Whether our page is wider than its frame. */
  async reachesBeyond(): Promise<boolean> {
    return this.inner.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
  }

  /** The chosen words that are wider than their place in the form. */
  async cutChoices(): Promise<readonly string[]> {
    return this.inner.evaluate<readonly string[]>(CUT_CHOICES);
  }

  /** Resolves when the UI has given the frame the height of our page, and nothing moves any more. */
  async settled(): Promise<void> {
    let last = '';
    for (;;) {
      const box = await this.page
        .locator('iframe')
        .boundingBox({ timeout: 1_000 })
        .catch(() => null);
      const now = JSON.stringify(box);
      if (now === last) {
        return;
      }
      last = now;
      await this.page.waitForTimeout(SETTLED_AFTER_MS);
    }
  }

  /** Keeps a picture of the whole window under a name that says what is on it, and what the page holds. */
  async picture(name: string): Promise<void> {
    await this.settled();
    for (const frame of this.page.frames()) {
      this.contents.push(await frame.content());
    }
    await this.pictureOf(this.page, name);
  }

  /** The same of a tab that came from the window. */
  async pictureOf(page: Page, name: string): Promise<void> {
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: join(shots, `${name}-${this.#light}.png`), animations: 'disabled' });
  }
}
