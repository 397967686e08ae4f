// From an installed plugin to working locks in Home with nothing but a browser, in the real Homebridge UI; and repairing the
// link there. Each test goes on where the one before it ended.
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { gone, seen } from '../browser/visitor.ts';
import { Home } from '../harness/home.ts';
import { TestLock } from '../harness/test-lock.ts';
import { SettingsWindow } from './settings-window.ts';
import { allow, UiStage, WHY_NOT } from './ui-stage.ts';

/** Where the page expects the simulator. */
const SIMULATOR_PORT = 18_590;

/** The UI waits five seconds before it starts Homebridge again. */
const RESTARTED_WITHIN_MS = 60_000;

/** From installed to working: the consent counts, and so does the button that fills in the simulator's addresses. */
const MOST_CLICKS = 8;

/** "Allow", on the service's own page. */
const CONSENT_CLICKS = 1;

/** From the plugin's tile to the list of locks. */
const CLICKS_TO_LOCKS = 4;

if (WHY_NOT !== null) {
  console.warn(`NOT RUN: ${WHY_NOT}.`);
}

describe.skipIf(WHY_NOT !== null)('a first visit in the Homebridge UI', () => {
  let runtime: UiStage;
  let window: SettingsWindow;
  let home: Home;

  beforeAll(async () => {
    runtime = await UiStage.open({
      plugin: join(inject('packed').pluginsFolder, 'homebridge-latchkey'),
      simulatorPort: SIMULATOR_PORT,
    });
    window = await SettingsWindow.open(runtime.visitor, runtime.ui, 'light');
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

  const names = async (): Promise<readonly string[]> => {
    await home.refresh();
    return home.accessories.toSorted();
  };
  const shown = async (lock: string): Promise<string> =>
    new TestLock(lock, () => home, runtime.simulator.controlUrl).shown();

  it('a first visit begins with the fields of a partner account', async () => {
    expect(await seen(window.heading('Service details'))).toBe(true);
    await window.picture('1-before-you-begin');
  });

  it(`a first visit comes to the locks of the account in at most ${CLICKS_TO_LOCKS} clicks beside the consent`, async () => {
    await window.push(/simulator/);
    await runtime.typeCredentials(window);
    await window.picture('2-filled-in');
    expect(await window.axeFaults()).toEqual([]);
    await window.push('Save and continue');
    expect(await seen(window.heading('Connect'))).toBe(true);
    await window.picture('3-link');
    const tab = await window.follow('Sign in');
    await allow(tab);
    await tab.getByText('Account connected.').waitFor();
    expect(new URL(tab.url()).search).not.toContain('code');
    expect(await seen(window.ours.getByRole('article', { name: 'Garage' }))).toBe(true);
    await window.picture('4-locks');
    console.log(`Clicks from the open page to the list of locks: ${runtime.visitor.clicks}`);
    expect(runtime.visitor.clicks).toBeLessThanOrEqual(CLICKS_TO_LOCKS);
  });

  it('a first visit can hide a lock', async () => {
    const garage = window.ours.getByRole('article', { name: 'Garage' });
    await garage.getByText('Show in Home').click();
    await garage.getByRole('button', { name: 'Hide' }).click();
    expect(await seen(garage.getByText('Garage was removed from Home'))).toBe(true);
    await window.picture('5-hidden');
    expect(await window.axeFaults()).toEqual([]);
  });

  it('a first visit reads the list before the setup counts as done, and shows no pairing code', async () => {
    // A look at the last step, which nobody has to take: it is no click of the way.
    await window.ours.getByRole('button', { name: 'Continue', exact: true }).click();
    expect(await seen(window.ours.getByText('You’re connected.'))).toBe(true);
    expect(await seen(window.ours.getByText('Three clicks left:'))).toBe(true);
    expect(await window.ours.locator('body').innerText()).not.toMatch(/\d{3}-\d{2}-\d{3}/);
    await window.picture('7-check');
  });

  it('a first visit writes nothing into config.json but the addresses', () => {
    expect(runtime.ui.blocks()).toEqual([
      {
        platform: 'Latchkey',
        name: 'Latchkey',
        partner: {
          authUrl: runtime.simulator.authUrl,
          baseUrl: runtime.simulator.baseUrl,
          redirectUri: runtime.client.redirectUris[0],
          allowInsecureLoopback: true,
        },
      },
    ]);
  });

  it('the account is in Home after the restart that the UI offers, without the hidden lock', async () => {
    await window.save();
    // The first time, the UI offers a bridge of its own for the plugin.
    await window.frame.getByText('Use Child Bridge').waitFor();
    await window.picture('8-child-bridge');
    await window.save();
    await window.frame.getByText('Restart Required').waitFor();
    runtime.ui.holdToLoopback();
    const since = runtime.ui.log.length;
    await runtime.visitor.click(window.frame.getByRole('button', { name: 'Restart' }));
    const clicks = runtime.visitor.clicks + CONSENT_CLICKS;
    console.log(`Clicks from installed to working: ${clicks}`);
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    const bridge = runtime.ui.childBridge();
    await runtime.ui.logged(new RegExp(`is running on port ${bridge.port}\\.`), RESTARTED_WITHIN_MS, since);
    home = await Home.pair(bridge);
    await vi.waitFor(async () => expect(await names()).toEqual(['Back door', 'Front door']), 20_000);
    await vi.waitFor(async () => expect(await shown('Front door')).toBe('locked'), 20_000);
  });

  it('the window shows the account of the running plugin, and brings the lock back without another restart', async () => {
    const { contents } = window;
    window = await SettingsWindow.open(runtime.visitor, runtime.ui, 'dark');
    window.contents.push(...contents);
    expect(await seen(window.heading('Overview'))).toBe(true);
    await window.picture('9-again');
    await window.ours.getByRole('link', { name: 'Settings', exact: true }).click();
    const garage = window.ours.getByRole('article', { name: 'Garage' });
    await garage.getByText('Show in Home').click();
    expect(await seen(garage.getByText('Home shows Garage'))).toBe(true);
    await vi.waitFor(
      async () => expect(await names()).toEqual(['Back door', 'Front door', 'Garage']),
      20_000,
    );
  });

  it('the window says that the service has ended the link, and links again without a restart (faults#15)', async () => {
    await runtime.happens('house/revoke', { userId: 'resident' });
    runtime.simulator.clock.advance(3_600_001);
    await window.push('Refresh');
    // A refusal is asked about once more before the link is given up.
    await window.ours
      .getByText('The lock service disconnected this account')
      .first()
      .waitFor({ timeout: 30_000 });
    await window.picture('10-revoked');
    expect(await window.axeFaults()).toEqual([]);
    await vi.waitFor(async () => expect(await shown('Front door')).toBe('no response'), 20_000);
    await window.push('Connect again');
    await window.picture('11-link-again');
    const tab = await window.follow('Sign in');
    await allow(tab);
    await tab.getByText('Account connected.').waitFor();
    await vi.waitFor(async () => expect(await shown('Front door')).toBe('locked'), 20_000);
    await window.picture('12-linked-again');
    expect(await window.axeFaults()).toEqual([]);
  });

  it('the window opens the form of all options, and closes it again', async () => {
    const form = window.frame.getByRole('button', { name: 'What Home shows' });
    await window.push('All settings');
    await seen(form);
    await window.picture('13-all-settings');
    await window.push('Close all settings');
    expect(await gone(form)).toBe(true);
  });

  it('a first visit leaves no secret in pages, in the log or in any file but the database (faults#66)', async () => {
    const secrets = await runtime.secrets();
    expect([...secrets.keys()]).toEqual(
      expect.arrayContaining(['an access token', 'a refresh token', 'an authorization code']),
    );
    expect(await runtime.leaks(window)).toEqual([]);
  });
});
