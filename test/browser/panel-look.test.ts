// How the pages look and weigh: for people with a keyboard, a screen reader, weak eyes or a phone, in light and dark.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { IN_TORTURE } from '../harness/how-often.ts';
import type { StandInAccount } from '../stand-ins/account/operations.ts';
import { AccountPanel } from './account-panel.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM } from './chromium.ts';
import { MORE_SCENES } from './more-scenes.ts';
import {
  overflowPixels,
  paleTexts,
  smallTargets,
  squeezedTexts,
  structureFaults,
  unnamedControls,
} from './page-checks.ts';
import { MOST_SCRIPT_KB, MOST_TRANSLATION_KB, scriptWeight } from './page-weight.ts';
import { panelVisits } from './panel-visits.ts';
import { crowded, openSceneAnew, SCENES, type Scene } from './scenes.ts';
import { DESKTOP, PHONE } from './visitor.ts';

const root = join(import.meta.dirname, '..', '..');

/** The style as it is sent, in kilobytes of 1,000 bytes. */
const MOST_STYLE_KB = 10;

const NARROW = { width: 320, height: 640 };
/** A desk of 1280 by 900 at 200 percent. */
const ZOOMED = { width: 640, height: 450 };

/** In every run a measure of our own, the stricter one; axe's takes ten times as long, and the torture has it. */
const faultsOfColour = async (page: Page): Promise<string[]> =>
  IN_TORTURE ? axeFaults(page, 'colours') : page.evaluate(paleTexts);

type Look = 'light' | 'dark' | 'phone' | 'forced';

describe.skipIf(CHROMIUM === undefined)('the pages', () => {
  const visits = panelVisits();

  const stage = async (scene: Scene, look: Look): Promise<Page> => {
    await visits.leave();
    const opened = await openSceneAnew(visits.visitor, scene, { isDark: look === 'dark' });
    const { page, account } = opened;
    visits.panel = opened.panel;
    await page.setViewportSize(look === 'phone' ? PHONE : DESKTOP);
    await page.emulateMedia({
      colorScheme: look === 'dark' ? 'dark' : 'light',
      forcedColors: look === 'forced' ? 'active' : 'none',
    });
    await page.getByRole('heading').first().waitFor();
    await scene.act?.(page, account);
    return page;
  };

  /** The Homebridge UI sets its own theme as it opens the window. */
  const inTheDark = async (page: Page, scene: Scene): Promise<Page> => {
    if (scene.blocks !== undefined) {
      return stage(scene, 'dark');
    }
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ colorScheme: 'dark' });
    return page;
  };

  describe.each([...SCENES, ...MORE_SCENES])('$name', (scene) => {
    // One page in one look after the other: opening it takes longer than looking at it.
    test('is sound in light, dark and forced colours, on a phone, at 320 pixels and at 200 percent', async () => {
      const page = await stage(scene, 'light');
      expect(await axeFaults(page, IN_TORTURE ? 'all' : 'shape'), 'light').toEqual([]);
      expect(await page.evaluate(unnamedControls)).toEqual([]);
      expect(await page.evaluate(paleTexts)).toEqual([]);
      expect(await page.evaluate(structureFaults)).toEqual([]);

      await page.emulateMedia({ forcedColors: 'active' });
      expect(await faultsOfColour(page), 'forced colours').toEqual([]);
      await page.emulateMedia({ forcedColors: 'none' });

      await page.setViewportSize(PHONE);
      // The week of the history alone has other elements there.
      const asked = scene.name.startsWith('7-history') ? 'shape' : 'room';
      expect(await axeFaults(page, IN_TORTURE ? 'all' : asked), 'phone').toEqual([]);
      expect(await page.evaluate(unnamedControls), 'phone').toEqual([]);
      expect(await page.evaluate(structureFaults), 'phone').toEqual([]);
      expect(await page.evaluate(overflowPixels), 'phone').toBeLessThanOrEqual(0);
      expect(await page.evaluate(smallTargets), 'phone').toEqual([]);

      await page.setViewportSize(NARROW);
      expect(await page.evaluate(overflowPixels), '320 pixels').toBeLessThanOrEqual(0);
      expect(await page.evaluate(squeezedTexts), '320 pixels').toEqual([]);
      await page.setViewportSize(ZOOMED);
      expect(await page.evaluate(overflowPixels), '200 percent').toBeLessThanOrEqual(0);

      expect(await faultsOfColour(await inTheDark(page, scene)), 'dark').toEqual([]);
    });
  });

  test.each([
    ['today', 12 * 60_000],
    ['on another day', 40 * 3_600_000],
  ])(
    'the overview shows thirty locks that moved %s on three screens of a phone, the one in trouble first',
    async (_when, agoMs) => {
      const at = Date.now() - agoMs;
      const set = (account: StandInAccount): void => {
        crowded(account);
        account.hold(
          ...account.locks.map((lock) => ({ ...lock, lastMove: lock.lastMove && { ...lock.lastMove, at } })),
        );
      };
      const page = await stage({ name: 'many', set }, 'phone');
      const rows = page.locator('.rows .row');
      await expect.poll(async () => rows.count()).toBe(30);
      const end = await rows.last().evaluate((row) => row.getBoundingClientRect().bottom + window.scrollY);
      console.info(`30 locks on a phone: ${(end / PHONE.height).toFixed(1)} screens`);
      expect(end).toBeLessThanOrEqual(3 * PHONE.height);
      expect(await rows.first().innerText()).toMatch(/Garage[^]*Jammed[^]*Close the door/u);
      expect(await page.getByRole('group', { name: 'Show only' }).innerText()).toMatch(
        /1 jammed\s+29 locked/u,
      );
      await page.getByLabel('Search locks').fill('corridor');
      await expect.poll(async () => rows.count()).toBe(1);
    },
  );

  test('the pages write a name from right to left in its own direction, beside its sign like every other', async () => {
    const page = await stage({ name: 'many', set: crowded }, 'light');
    const edgeOf = async (name: string): Promise<number> =>
      page
        .getByRole('heading', { level: 3, name, exact: true })
        .locator('bdi')
        .evaluate((text) => {
          const row = text.closest('article')?.getBoundingClientRect().left ?? Number.NaN;
          return text.getBoundingClientRect().left - row;
        });
    const name = page.getByText('הדלת הקדמית', { exact: true });
    await expect.poll(async () => name.evaluate((text) => text.matches(':dir(rtl)'))).toBe(true);
    expect(await edgeOf('הדלת הקדמית')).toBeCloseTo(await edgeOf('Apartment 1'), 0);
  });

  test('the pages tell states apart without colours of their own, and show the focus there', async () => {
    const page = await stage({ name: 'many', set: crowded }, 'forced');
    const jammed = page.getByRole('article', { name: 'Garage' });
    await expect.poll(async () => jammed.innerText()).toContain('Jammed');
    const looks = await jammed.locator('.seal').evaluate((seal) => getComputedStyle(seal).borderStyle);
    expect(looks).toBe('solid');
    await page.getByRole('link', { name: 'Settings', exact: true }).focus();
    await page.keyboard.press('Tab');
    const outline = await page
      .locator(':focus')
      .evaluate((element) => getComputedStyle(element).outlineStyle);
    expect(outline).toBe('solid');
  });

  test('the pages stay within their size limits', () => {
    const folder = join(root, 'dist', 'homebridge-ui', 'public');
    const { first, heaviest, all, translation } = scriptWeight(folder);
    const style = readdirSync(folder)
      .filter((name) => name.endsWith('.css.gz'))
      .reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    const kb = (bytes: number): string => `${bytes.toFixed(1)} kB`;
    console.info(
      `The pages: script ${kb(first)} first, ${kb(heaviest)} at most, ${kb(all)} in all, a translation ${kb(translation)} at most; style ${kb(style / 1_000)} (gzip)`,
    );
    expect(first).toBeGreaterThan(1);
    expect(heaviest).toBeGreaterThan(first);
    expect(translation).toBeGreaterThan(1);
    expect(heaviest).toBeLessThanOrEqual(MOST_SCRIPT_KB);
    expect(translation).toBeLessThanOrEqual(MOST_TRANSLATION_KB);
    expect(style / 1_000).toBeLessThanOrEqual(MOST_STYLE_KB);
  });

  test('the pages are sent compressed, cached by their names, and ask no other host for anything', async () => {
    visits.panel = await AccountPanel.start();
    visits.panel.account.link = { ...visits.panel.account.link, state: 'linked' };
    const context = await visits.visitor.context();
    await visits.panel.admit(context);
    const page = await context.newPage();
    const hosts = new Set<string>();
    const seen = new Map<string, Record<string, string | undefined>>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    page.on('response', async (response) => {
      if (/\.(?:js|css)$/u.test(response.url())) {
        seen.set(response.url(), response.headers());
      }
    });
    await page.goto(visits.panel.url);
    await page.getByRole('link', { name: 'Overview', exact: true }).waitFor();
    // The style, the first script, and those of the other pages, which are loaded beforehand; forms come when they are opened.
    const needed = readdirSync(join(root, 'dist', 'homebridge-ui', 'public')).filter((name) =>
      /^(?:index-.*\.css|panel-.*\.js|(?:codes|history|locks|lock|mqtt|stays|webhooks|link)-page-.*\.js)$/u.test(
        name,
      ),
    );
    expect(needed.length).toBeGreaterThan(8);
    await expect
      .poll(() => needed.filter((name) => ![...seen.keys()].some((url) => url.endsWith(`/${name}`))))
      .toEqual([]);
    expect(hosts).toEqual(new Set([new URL(visits.panel.url).host]));
    expect(new Set([...seen.values()].map((headers) => headers['cache-control']))).toEqual(
      new Set(['max-age=31536000, immutable']),
    );
    expect(
      [...seen.values()].every((headers) => /^(?:br|gzip)$/u.test(headers['content-encoding'] ?? '')),
    ).toBe(true);
  });
});
