// The same visit where nothing answers the redirect URI, as in Docker or by phone, on a small dark screen; and what the form of
// all options writes. Each test goes on where the one before it ended.
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { PHONE, seen } from '../browser/visitor.ts';
import { Home } from '../harness/home.ts';
import { SettingsWindow } from './settings-window.ts';
import { allow, UiStage, WHY_NOT } from './ui-stage.ts';

const SIMULATOR_PORT = 18_590;
const RESTARTED_WITHIN_MS = 60_000;

/** Registered, and answered by nobody. */
const NOWHERE = 'https://home.example/callback';

if (WHY_NOT !== null) {
  console.warn(`NOT RUN: ${WHY_NOT}.`);
}

describe.skipIf(WHY_NOT !== null)('a visit by phone to a Homebridge without a screen', () => {
  let runtime: UiStage;
  let window: SettingsWindow;
  let home: Home | undefined;

  beforeAll(async () => {
    runtime = await UiStage.open({
      plugin: join(inject('packed').pluginsFolder, 'homebridge-latchkey'),
      simulatorPort: SIMULATOR_PORT,
      scenario: { clients: [{ redirectUris: [NOWHERE] }] },
    });
    window = await SettingsWindow.open(runtime.visitor, runtime.ui, 'dark', PHONE);
  });

  afterAll(async () => {
    await home?.close();
    await runtime.close();
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      await window.picture('failed');
      console.log(runtime.ui.log);
    }
  });

  /** The address bar of a tab that can show nothing. */
  async function addressAfterConsent(): Promise<string> {
    const tab = await window.follow('Sign in');
    const request = tab.waitForEvent('requestfailed', (failed) => failed.url().startsWith(NOWHERE));
    await allow(tab);
    return (await request).url();
  }

  it('a headless account is linked by the address that is copied from the browser, once a wrong one was refused in words', async () => {
    await window.push(/simulator/);
    await window.fill('Redirect URI', NOWHERE);
    await runtime.typeCredentials(window);
    await window.picture('phone-1-filled-in');
    await window.push('Save and continue');
    expect(await seen(window.heading('Connect'))).toBe(true);
    const address = await addressAfterConsent();
    expect(await seen(window.ours.getByText('copy the whole address'))).toBe(true);

    // Nothing answers the redirect URI, so pasting is offered.
    await window.fill('Paste the address from your browser', `${NOWHERE}?code=made-up&state=made-up`);
    await window.push('Continue');
    expect(await seen(window.ours.getByRole('alert'))).toBe(true);
    await window.picture('phone-2-refused');

    await window.fill('Paste the address from your browser', address);
    await window.push('Continue');
    expect(await seen(window.ours.getByRole('article', { name: 'Garage' }))).toBe(true);
    await window.picture('phone-3-locks');
  });

  it('the form of all options decides nothing of a lock by itself, and rows without an id are ignored', async () => {
    await window.push('All settings');
    await window.frame.getByRole('button', { name: 'Locks', exact: true }).press('Enter');
    await window.picture('phone-4-form');
    // Calendars have names, too, in a part that is folded.
    const names = window.frame.getByLabel('Name', { exact: true }).filter({ visible: true });
    await window.frame.getByRole('button', { name: 'Add a lock' }).click();
    await names.last().fill('Nobody knows which');
    await window.frame.getByRole('button', { name: 'Dashboard', exact: true }).press('Enter');
    await window.frame.getByRole('checkbox', { name: 'Serve the dashboard' }).press('Space');
    // The UI collects what is typed for a moment before it tells the page.
    await vi.waitFor(async () => {
      expect(JSON.stringify(await window.pendingConfig())).toMatch(
        /Nobody knows which.*"enabled":true|"enabled":true.*Nobody knows which/,
      );
    }, 20_000);
    await window.save();
    await window.frame.getByText('Use Child Bridge').waitFor();
    const [block] = runtime.ui.blocks();
    expect(block).toMatchObject({ name: 'Latchkey', partner: { redirectUri: NOWHERE } });
    expect(JSON.stringify(block?.['locks'])).not.toMatch(/hide|remoteUnlock|adminOnly|"id"/);
  });

  it('Home shows all locks after the restart, on the bridge of Homebridge itself', async () => {
    // Drawn by a label that lies over it.
    await window.frame.getByRole('checkbox').first().uncheck({ force: true });
    await window.save();
    await window.frame.getByText('Restart Required').waitFor();
    const since = runtime.ui.log.length;
    await window.frame.getByRole('button', { name: 'Restart' }).click();
    const { bridge } = runtime.ui;
    await runtime.ui.logged(new RegExp(`is running on port ${bridge.port}\\.`), RESTARTED_WITHIN_MS, since);
    const paired = await Home.pair(bridge);
    home = paired;
    await vi.waitFor(async () => {
      await paired.refresh();
      expect(paired.accessories.toSorted()).toEqual(['Back door', 'Front door', 'Garage']);
    }, 20_000);
    expect(runtime.ui.log.slice(since)).not.toContain('Nobody knows which');
  });

  it('the panel opens once the form has switched it on', async () => {
    const { contents } = window;
    window = await SettingsWindow.open(runtime.visitor, runtime.ui, 'light', PHONE);
    window.contents.push(...contents);
    await window.picture('phone-5-again');
    const panel = await window.follow('Open the dashboard');
    await panel.getByRole('heading', { level: 2, name: 'Overview' }).waitFor();
    expect(await seen(panel.getByRole('article', { name: 'Front door' }))).toBe(true);
    expect(panel.url()).not.toContain('login');
    await window.pictureOf(panel, 'phone-6-panel');
  });

  it('a headless account leaves no secret in pages, in the log or in any file but the database (faults#66)', async () => {
    expect(await runtime.leaks(window)).toEqual([]);
  });
});
