// Pictures of every page, light and dark, on a desk and on a phone: `node test/browser/panel-pictures.ts FOLDER [PAGES]`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PretendAccount } from './pretend-account.ts';
import { openHomebridgeWindow, PretendPanel } from './pretend-panel.ts';
import { SCENES, type Scene } from './scenes.ts';
import { PHONE, Visitor } from './visitor.ts';

const [folder = 'pictures', pagesFolder] = process.argv.slice(2);

const DESK = { width: 1100, height: 760 };
const LOOKS = { light: DESK, dark: DESK, phone: PHONE } as const;

async function picture(visitor: Visitor, scene: Scene, look: keyof typeof LOOKS): Promise<void> {
  const account = new PretendAccount();
  scene.set(account);
  const panel = await PretendPanel.start(account, { pagesFolder });
  const context = await visitor.context({
    viewport: LOOKS[look],
    colorScheme: look === 'dark' ? 'dark' : 'light',
  });
  if (scene.isStranger !== true) {
    await panel.admit(context);
  }
  const { blocks } = scene;
  const page =
    blocks === undefined
      ? await context.newPage()
      : (await openHomebridgeWindow(context, panel, { blocks, dark: look === 'dark' })).page;
  if (blocks === undefined) {
    await page.goto(panel.url);
  }
  await page.getByRole('heading').first().waitFor();
  await scene.act?.(page, account);
  await page.screenshot({ path: join(folder, `${scene.name}-${look}.png`), fullPage: true });
  await visitor.leave();
  await panel.close();
}

mkdirSync(folder, { recursive: true });
const visitor = await Visitor.arrive();
for (const scene of SCENES) {
  for (const look of ['light', 'dark', 'phone'] as const) {
    await picture(visitor, scene, look);
  }
}
await visitor.goHome();
