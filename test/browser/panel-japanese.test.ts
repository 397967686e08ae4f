// Every page of the dashboard in Japanese, light and dark: what axe finds, on a phone and on a desk.
import { describe, expect, test } from 'vitest';
import japanese from '../../languages/ja.json' with { type: 'json' };
import { TABS } from '../../web/panel/frame/tabs.ts';
import type { View } from '../../web/panel/state/views.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM } from './chromium.ts';
import { MORE_SCENES } from './more-scenes.ts';
import { overflowPixels } from './page-checks.ts';
import { panelVisits } from './panel-visits.ts';
import { openScene, SCENES } from './scenes.ts';
import { DESKTOP, PHONE } from './visitor.ts';

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
  const visits = panelVisits();

  test.each(TABS)('the page $view is sound, light and dark', async ({ view, title: { text } }) => {
    const scene = [...SCENES, ...MORE_SCENES].find(({ name }) => name === SCENE_OF[view]);
    if (scene === undefined) {
      throw new Error(`There is no scene "${SCENE_OF[view]}"`);
    }
    const context = await visits.visitor.context({ locale: 'ja-JP', viewport: DESKTOP });
    const opened = await openScene(context, scene, { at: view });
    visits.panel = opened.panel;
    const { page } = opened;
    const title = WORDS[text] ?? text;
    await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();
    // The page has loaded what it shows.
    await expect.poll(async () => page.getByText(WORDS['Loading …'] ?? '').count()).toBe(0);
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await axeFaults(page), 'light').toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeFaults(page, 'colours'), 'dark').toEqual([]);
      expect(await page.evaluate(overflowPixels)).toBeLessThanOrEqual(0);
    }
  });
});
