// The page and the form of all options in the language of the real Homebridge UI: as the UI reads it, and as our page does.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import german from '../../languages/de.json' with { type: 'json' };
import { seen } from '../browser/visitor.ts';
import { SettingsWindow } from './settings-window.ts';
import { UiStage, WHY_NOT } from './ui-stage.ts';

const { 'All settings': ALL, 'Close all settings': CLOSE } = german;

describe.skipIf(WHY_NOT !== null)('the page and the form of all options in a German Homebridge UI', () => {
  let runtime: UiStage;
  let window: SettingsWindow;

  beforeAll(async () => {
    const plugin = join(inject('packed').pluginsFolder, 'homebridge-latchkey');
    runtime = await UiStage.open({ plugin, language: 'de' });
    window = await SettingsWindow.open(runtime.visitor, runtime.ui, 'light');
  });

  afterAll(async () => {
    await runtime.close();
  });

  it('is read in German by the UI itself', async () => {
    expect(await window.titleByTheUi('locks')).toBe('Schlösser');
  });

  it('shows German parts, titles and choices, and saves the same values', async () => {
    await window.push(ALL);
    const part = window.frame.getByRole('button', { name: 'Was die Home-App anzeigt', exact: true });
    expect(await seen(part)).toBe(true);
    await part.press('Enter');
    const offline = window.frame.getByLabel('Wenn ein Schloss offline ist, anzeigen');
    await offline.selectOption('Keine Antwort');
    await expect.poll(async () => window.pendingConfig()).toMatchObject([{ offline: 'noResponse' }]);
    await window.picture('german-form');
    await window.push(CLOSE);
  });

  it('is French where French is on the screen, although the UI itself reads it in German', async () => {
    await window.pretendLanguage('fr');
    expect(await window.titleByTheUi('locks')).toBe('Schlösser');
    await window.push(ALL);
    const part = window.frame.getByRole('button', { name: 'Ce que l’app Maison affiche', exact: true });
    expect(await seen(part)).toBe(true);
    await window.picture('french-form');
  });
});
