// Pictures of the real Homebridge UI for the README and the documents: the guide, the locks and the settings.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentPicture } from '../browser/document-picture.ts';
import { packPlugin } from '../harness/packed-plugin.ts';
import { type Light, SettingsWindow } from './settings-window.ts';
import { allow, UiStage } from './ui-stage.ts';

/** Where the page expects the simulator. */
const SIMULATOR_PORT = 18_590;

const VIEWPORT = { width: 1000, height: 900 };
const SCALE = 2;

/** Into `folder`, each in light and dark, from a real run of what `npm run build` made. */
export async function windowPictures(folder: string): Promise<void> {
  const packed = mkdtempSync(join(tmpdir(), 'latchkey-pictures-'));
  try {
    const plugin = join(packPlugin(packed).pluginsFolder, 'homebridge-latchkey');
    for (const light of ['light', 'dark'] as const) {
      await oneVisit(folder, plugin, light);
    }
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
}

async function oneVisit(folder: string, plugin: string, light: Light): Promise<void> {
  const household = await UiStage.open({ plugin, simulatorPort: SIMULATOR_PORT });
  try {
    const window = await SettingsWindow.open(household.visitor, household.ui, light, VIEWPORT, SCALE);
    const keep = async (name: string): Promise<void> => {
      await window.page.mouse.move(0, 0);
      await window.settled();
      await documentPicture(window.page, join(folder, `${name}-${light}.webp`));
    };
    await keep('setup');
    await window.push(/simulator/);
    await household.typeCredentials(window);
    await window.push('Save and continue');
    await allow(await window.follow('Sign in'));
    await window.page.bringToFront();
    await window.ours.getByRole('article', { name: 'Garage' }).waitFor();
    await keep('locks');
    await window.push('Continue');
    await window.ours.getByText('You’re connected.').waitFor();
    await keep('finish');
    await window.push('All settings');
    await window.frame.getByRole('button', { name: 'What Home shows' }).waitFor();
    await keep('settings');
  } finally {
    await household.close();
  }
}
