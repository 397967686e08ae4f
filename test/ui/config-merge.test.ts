// What the real Homebridge UI keeps of the blocks that a page gives it: its stand-in does the same. And what is taken
// back in our page is taken back in config.json: the demo, and an option of each kind.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { gone, seen } from '../browser/visitor.ts';
import type { Blocks } from '../stand-ins/homebridge/config-merge.ts';
import { mergedBy } from '../stand-ins/homebridge/window-rules.ts';
import { SettingsWindow } from './settings-window.ts';
import { UiStage, WHY_NOT } from './ui-stage.ts';

const BLOCK = { platform: 'Latchkey', name: 'Latchkey' };

describe.skipIf(WHY_NOT !== null)('the settings window of the Homebridge UI', () => {
  let runtime: UiStage;
  let window: SettingsWindow;

  beforeAll(async () => {
    runtime = await UiStage.open({ plugin: join(inject('packed').pluginsFolder, 'homebridge-latchkey') });
    window = await SettingsWindow.open(runtime.visitor, runtime.ui, 'light');
  });

  afterAll(async () => {
    await runtime.close();
  });

  it('lays the blocks of a page over its own, as the stand-in of the window does', async () => {
    const merged = await mergedBy({
      give: async (blocks) => window.giveConfig(blocks),
      held: async () => window.pendingConfig(),
    });
    for (const [held, expected] of merged) {
      expect(held).toEqual(expected);
    }
  });

  it('the demo ends with one click in the real Homebridge UI', async () => {
    await window.push('Try the demo');
    await seen(window.ours.getByText('three demo locks to Home'));
    expect(runtime.ui.blocks()).toEqual([{ ...BLOCK, demo: true }]);
    await window.push('End the demo');
    expect(await gone(window.ours.getByRole('button', { name: 'End the demo' }))).toBe(true);
    expect(runtime.ui.blocks()).toEqual([{ ...BLOCK, demo: false }]);
    await window.picture('demo-ended');
  });

  it('an option of each kind is cleared by emptying its field: text, number, choice, switch, list and PIN', async () => {
    const { frame } = window;
    const open = async (part: string): Promise<void> =>
      frame.getByRole('button', { name: part, exact: true }).press('Enter');
    const block = {
      ...BLOCK,
      debug: true,
      offline: 'lastKnown',
      polling: { idleSeconds: 60 },
      remotePin: '4711',
      panel: { enabled: true, host: '127.0.0.2' },
      locks: [{ id: 'front', name: 'Front' }],
    };
    await window.giveConfig([block]);
    await window.push('All settings');
    await open('Locks');
    await open('What Home shows');
    await open('Dashboard');
    await open('Advanced');
    await frame.getByLabel('Bind address').fill('');
    await frame.getByLabel('Interval without webhooks (seconds)').fill('');
    await frame.getByLabel('While a lock is offline, show').selectOption({ index: 0 });
    await frame.getByLabel('PIN for unlocking over Matter and MQTT').fill('');
    await frame.getByRole('checkbox', { name: 'Serve the dashboard' }).press('Space');
    await frame.getByRole('checkbox', { name: 'Debug log' }).press('Space');
    await window.picture('clear-1-form');
    await frame
      .getByLabel('Lock ID')
      .locator('xpath=ancestor::*[.//button][1]')
      .getByRole('button')
      .first()
      .click();
    await vi.waitFor(async () => {
      const [pending] = (await window.pendingConfig()) as Blocks;
      expect(readConfig(pending)).toEqual(readConfig(BLOCK));
    }, 10_000);
    await window.save();
    await frame.getByText('Use Child Bridge').waitFor();
    expect(readConfig(runtime.ui.blocks()[0])).toEqual(readConfig(BLOCK));
    expect(runtime.ui.configText()).not.toContain('4711');
  });
});
