// The plugin as a person gets it: found by its name in the real Homebridge UI, installed there, and tried with the demo, on
// every Homebridge and Node that package.json names.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { Visitor } from '../browser/visitor.ts';
import { Home } from '../harness/home.ts';
import { PAIRS } from '../versions/versions.ts';
import { HomebridgeUi } from './homebridge-ui.ts';
import { PluginRegistry } from './plugin-registry.ts';
import { SettingsWindow } from './settings-window.ts';
import { WHY_NOT } from './ui-stage.ts';

const LOCKS = ['Demo back door', 'Demo front door', 'Demo garage'];
/** npm unpacks fifty packages. */
const INSTALLED_WITHIN_MS = 90_000;
const RESTARTED_WITHIN_MS = 60_000;

const installed = PAIRS.filter(
  ({ versions: { node, homebridge } }) => existsSync(node) && existsSync(homebridge),
);

if (installed.length < PAIRS.length) {
  console.warn('NOT RUN on other versions: `npm run test:ui` installs them.');
}

describe.skipIf(WHY_NOT !== null).each(installed)('the plugin, on $title', ({ versions, homebridge }) => {
  let folder: string;
  let registry: PluginRegistry;
  let ui: HomebridgeUi;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-install-'));
    registry = await PluginRegistry.open(inject('packed'));
    ui = await HomebridgeUi.bare(folder, versions, registry.environment);
    visitor = await Visitor.arrive();
    await ui.start();
  });

  afterAll(async () => {
    await visitor.goHome();
    await ui.stop();
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is found by a part of its name, and installed with one button', async () => {
    page = await visitor.open(`${ui.url}/plugins`);
    const search = page.getByPlaceholder('Search for plugins to install');
    await search.fill('latchkey');
    await search.press('Enter');
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    // The newest version stands first, then all of them.
    await page.getByRole('dialog').getByRole('button', { name: 'Install' }).first().click();
    // The UI opens the settings of what it has installed.
    await page
      .frameLocator('iframe')
      .getByRole('button', { name: 'Try the demo' })
      .waitFor({ timeout: INSTALLED_WITHIN_MS });
    expect(ui.blocks()).toEqual([]);
  });

  it('shows the locks of its demo in Home after a restart, and leaves neither a warning nor a stack in the log', async () => {
    const window = await SettingsWindow.open(visitor, ui, 'light');
    await window.push('Try the demo');
    await window.save();
    await window.frame.getByText('Use Child Bridge').waitFor();
    await window.save();
    await window.frame.getByText('Restart Required').waitFor();
    ui.holdToLoopback();
    const since = ui.log.length;
    await window.frame.getByRole('button', { name: 'Restart' }).click();
    await ui.logged(/DEMO: the locks are simulated/u, RESTARTED_WITHIN_MS, since);
    expect(ui.log).toContain(`Started Homebridge v${homebridge} `);
    const home = await Home.pair(ui.childBridge());
    try {
      await vi.waitFor(async () => {
        await home.refresh();
        expect(home.accessories.toSorted()).toEqual(LOCKS);
      }, RESTARTED_WITHIN_MS);
    } finally {
      await home.close();
    }
    expect(ui.log).not.toMatch(/ExperimentalWarning|^\s+at .+:\d+:\d+\)?$/mu);
  });
});
