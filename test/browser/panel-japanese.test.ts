// Every page of the dashboard in Japanese: what axe finds, texts that are too pale in light and dark, and what does not fit a phone or a desk.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import japanese from '../../languages/ja.json' with { type: 'json' };
import { TABS } from '../../web/panel/frame/tabs.ts';
import type { View } from '../../web/panel/state/views.ts';
import { axeFaults } from './axe-faults.ts';
import { CHEAP, CHROMIUM } from './chromium.ts';
import { KeptPage } from './kept-page.ts';
import { MORE_SCENES } from './more-scenes.ts';
import { overflowPixels, paleTexts } from './page-checks.ts';
import { openSceneAnew, SCENES } from './scenes.ts';
import { DESKTOP, PHONE, Visitor } from './visitor.ts';

/** The account whose page has the most to show. */
const SCENE_OF: Readonly<Record<View, string>> = {
  overview: '6-overview',
  locks: '3-locks',
  history: '7-history',
  codes: 'guests and codes',
  stays: 'stays',
  alerts: '4-alerts',
  credentials: 'credentials, with an import that waits',
  webhooks: '4-webhooks',
  mqtt: '4-mqtt',
  link: '7-link',
};

const WORDS: Readonly<Record<string, string | undefined>> = japanese;

describe.skipIf(CHROMIUM === undefined)('in Japanese', () => {
  let visitor: Visitor;

  beforeAll(async () => {
    visitor = await Visitor.arrive(CHEAP, { locale: 'ja-JP' });
  });

  afterAll(async () => {
    await visitor.goHome();
  });

  afterEach(async () => {
    await visitor.leave();
    await KeptPage.of(visitor).leave();
  });

  test.each(TABS)('the page $view is sound, light and dark', async ({ view, title: { text } }) => {
    const scene = [...SCENES, ...MORE_SCENES].find(({ name }) => name === SCENE_OF[view]);
    if (scene === undefined) {
      throw new Error(`There is no scene "${SCENE_OF[view]}"`);
    }
    const { page } = await openSceneAnew(visitor, scene, { at: view });
    const title = WORDS[text] ?? text;
    await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();
    // The page has loaded what it shows.
    await expect.poll(async () => page.getByText(WORDS['Loading …'] ?? '').count()).toBe(0);
    expect(await axeFaults(page, 'shape')).toEqual([]);
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect({ colorScheme, pale: await page.evaluate(paleTexts) }).toEqual({ colorScheme, pale: [] });
      }
      expect(await page.evaluate(overflowPixels)).toBeLessThanOrEqual(0);
    }
  });
});
