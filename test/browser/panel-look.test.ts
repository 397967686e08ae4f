// How the pages look and weigh: for people with a keyboard, a screen reader, weak eyes or a phone, in light and dark.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CHROMIUM } from './chromium.ts';
import { overflowPixels, paleTexts, smallTargets, structureFaults, unnamedControls } from './page-checks.ts';
import { PretendAccount } from './pretend-account.ts';
import { openHomebridgeWindow, PretendPanel } from './pretend-panel.ts';
import { SCENES, type Scene } from './scenes.ts';
import { PHONE, Visitor } from './visitor.ts';

const root = join(import.meta.dirname, '..', '..');

/** The script as it is sent, in kilobytes of 1,000 bytes. */
const MOST_SCRIPT_KB = 60;
const MOST_STYLE_KB = 10;
const FIRST_PAINT_MS = 500;

const violations = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullish(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
    }),
  ),
});

/** What axe calls serious or critical. */
async function axeFaults(page: Page): Promise<string[]> {
  // Not by a tag: the page's policy would stop it.
  await page.evaluate(axe.source);
  const result: unknown = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
  return violations
    .parse(result)
    .violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join(' | ')}`,
    );
}

describe.skipIf(CHROMIUM === undefined)('the pages', () => {
  let visitor: Visitor;
  let panel: PretendPanel;

  beforeAll(async () => {
    visitor = await Visitor.arrive();
  });

  afterAll(async () => {
    await visitor.goHome();
  });

  afterEach(async () => {
    await visitor.leave();
    await panel.close();
  });

  beforeEach(async () => {
    panel = await PretendPanel.start();
  });

  const stage = async (scene: Scene, look: 'light' | 'dark' | 'phone'): Promise<Page> => {
    await panel.close();
    const account = new PretendAccount();
    scene.set(account);
    panel = await PretendPanel.start(account);
    const context = await visitor.context({
      colorScheme: look === 'dark' ? 'dark' : 'light',
      ...(look === 'phone' ? { viewport: PHONE } : {}),
    });
    if (scene.isStranger !== true) {
      await panel.admit(context);
    }
    const page =
      scene.blocks === undefined
        ? await context.newPage()
        : (await openHomebridgeWindow(context, panel, { blocks: scene.blocks, dark: look === 'dark' })).page;
    if (scene.blocks === undefined) {
      await page.goto(panel.url);
    }
    await page.getByRole('heading').first().waitFor();
    await scene.act?.(page, account);
    return page;
  };

  describe.each(SCENES)('$name', (scene) => {
    test.each(['light', 'dark'] as const)(
      'axe finds nothing serious or critical, in the %s',
      async (look) => {
        expect(await axeFaults(await stage(scene, look))).toEqual([]);
      },
    );

    test('is sound: names, headings, contrast, sizes', async () => {
      const page = await stage(scene, 'light');
      expect(await page.evaluate(unnamedControls)).toEqual([]);
      expect(await page.evaluate(paleTexts)).toEqual([]);
      expect(await page.evaluate(structureFaults)).toEqual([]);
    });

    test('fits a phone, and can be pushed there', async () => {
      const page = await stage(scene, 'phone');
      expect(await page.evaluate(overflowPixels)).toBeLessThanOrEqual(0);
      expect(await page.evaluate(smallTargets)).toEqual([]);
    });
  });

  test('weigh little', () => {
    const size = (name: string): number =>
      gzipSync(readFileSync(join(root, 'dist', 'web', 'panel', name))).length / 1_000;
    console.info(
      `The pages: script ${size('panel.js').toFixed(1)} kB, style ${size('index.css').toFixed(1)} kB (gzip)`,
    );
    expect(size('panel.js')).toBeLessThanOrEqual(MOST_SCRIPT_KB);
    expect(size('index.css')).toBeLessThanOrEqual(MOST_STYLE_KB);
  });

  test('are painted soon', async () => {
    const admitted = async (context: BrowserContext): Promise<void> => panel.admit(context);
    await (await visitor.open(panel.url, admitted)).getByRole('heading', { level: 2 }).waitFor();
    const page = await visitor.open(panel.url, admitted);
    await page.getByRole('heading', { level: 2 }).waitFor();
    const paints = await page.evaluate(() =>
      performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime),
    );
    console.info(`The pages: first paint after ${paints.map((ms) => ms.toFixed(0)).join()} ms`);
    expect(paints[0]).toBeLessThan(FIRST_PAINT_MS);
  });
});
