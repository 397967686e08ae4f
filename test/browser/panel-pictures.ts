// Pictures of pages. `node test/browser/panel-pictures.ts FOLDER [PAGES]`: every scene, to be looked at; `npm run pictures`:
// those of the README and the documents, at twice the pixels, light and dark; of the real Homebridge UI where it is installed.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startSimulator } from '../../simulator/src/partner-server.ts';
import { systemClock } from '../../src/support/clock.ts';
import { obstacle } from '../ui/homebridge-ui.ts';
import { windowPictures } from '../ui/window-pictures.ts';
import type { AccountPanel } from './account-panel.ts';
import { documentPicture } from './document-picture.ts';
import { MORE_SCENES } from './more-scenes.ts';
import { openScene, SCENES, type Scene } from './scenes.ts';
import { PHONE, Visitor } from './visitor.ts';

const DESKTOP = { width: 1100, height: 760 };
/** Of a page in a document, uncut where it is shorter. */
const TALLEST = 1040;
const LOWEST = 300;
/** The doors page with all its doors in a row. */
const THREE_DOORS = { width: 1280, height: 860 };
const LOOKS = { light: DESKTOP, dark: DESKTOP, phone: PHONE } as const;

type Look = keyof typeof LOOKS;

/** The scenes that documents show, by the names of their pictures. */
const DOCUMENTED: Readonly<Record<string, string>> = {
  '6-overview-family-week': 'overview',
  '7-history-family-week': 'history',
  'codes-good-day': 'codes',
  '6-overview-many': 'many-locks',
  stays: 'stays',
};

async function stage(
  visitor: Visitor,
  scene: Scene,
  look: Look,
  options: BrowserContextOptions,
  pagesFolder?: string,
): Promise<{ readonly page: Page; readonly panel: AccountPanel }> {
  const isDark = look === 'dark';
  const context = await visitor.context({
    viewport: LOOKS[look],
    colorScheme: isDark ? 'dark' : 'light',
    ...options,
  });
  const { page, panel, account } = await openScene(context, scene, { isDark, pagesFolder });
  await page.locator('main').locator('article, form, .part, h2').first().waitFor();
  await scene.act?.(page, account);
  return { page, panel };
}

/** Until everything that a scene of a document shows has been read: a picture of an empty page helps nobody. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => !/Loading|Connecting/u.test(document.body.innerText));
}

async function everyScene(visitor: Visitor, folder: string, pagesFolder?: string): Promise<void> {
  for (const scene of [...SCENES, ...MORE_SCENES]) {
    for (const look of ['light', 'dark', 'phone'] as const) {
      const { page, panel } = await stage(visitor, scene, look, {}, pagesFolder);
      // A few scenes are about what has not come yet.
      await settle(page).catch(() => undefined);
      await page.screenshot({ path: join(folder, `${scene.name}-${look}.png`), fullPage: true });
      await visitor.leave();
      await panel.close();
    }
  }
}

async function documentPictures(visitor: Visitor, folder: string): Promise<void> {
  for (const scene of [...SCENES, ...MORE_SCENES]) {
    const name = DOCUMENTED[scene.name];
    for (const look of name === undefined ? [] : (['light', 'dark'] as const)) {
      const { page, panel } = await stage(visitor, scene, look, { deviceScaleFactor: 2 });
      await settle(page);
      // A low window first: a page fills at least its window.
      await page.setViewportSize({ ...DESKTOP, height: LOWEST });
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ ...DESKTOP, height: Math.min(height, TALLEST) });
      await documentPicture(page, join(folder, `${name ?? ''}-${look}.webp`));
      await visitor.leave();
      await panel.close();
    }
  }
  const simulator = await startSimulator({ clock: systemClock });
  for (const look of ['light', 'dark'] as const) {
    const page = await visitor.open(simulator.url, undefined, {
      viewport: THREE_DOORS,
      colorScheme: look,
      deviceScaleFactor: 2,
    });
    await page.getByRole('article').first().waitFor();
    await documentPicture(page, join(folder, `doors-${look}.webp`));
    await visitor.leave();
  }
  await simulator.close();
}

const [purpose = 'pictures', pagesFolder] = process.argv.slice(2);
const isForDocuments = purpose === '--documents';
const folder = isForDocuments ? join(import.meta.dirname, '..', '..', 'docs', 'images') : purpose;
mkdirSync(folder, { recursive: true });
const visitor = await Visitor.arrive();
await (isForDocuments ? documentPictures(visitor, folder) : everyScene(visitor, folder, pagesFolder));
await visitor.goHome();
const why = obstacle();
if (isForDocuments && why === null) {
  await windowPictures(folder);
} else if (isForDocuments) {
  console.warn(`The pictures of the Homebridge UI stay as they are: ${why ?? ''}.`);
}
