// The pages in a window like the Homebridge UI's: the blocks that they write into config.json, and their look in it.

import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { FinalError } from '../../src/support/errors.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import type { HomebridgeWindow } from '../stand-ins/homebridge/window.ts';
import { CHROMIUM } from './chromium.ts';
import { configureCredentials } from './credentialing.ts';
import { overflowPixels, unnamedControls } from './page-checks.ts';
import { panelVisits } from './panel-visits.ts';
import { gone, seen } from './visitor.ts';

const MOST_CLICKS = 5;

const BLOCK = {
  platform: 'Latchkey',
  name: 'Latchkey',
  _bridge: { username: '0E:00:00:00:00:01' },
  partner: {
    authUrl: 'https://auth.partner.example',
    baseUrl: 'https://api.partner.example',
    redirectUri: 'https://home.example/callback',
    clientId: 'written-by-hand',
  },
};

describe.skipIf(CHROMIUM === undefined)('in the Homebridge UI', () => {
  const visit = panelVisits();

  const openLinked = async (): Promise<HomebridgeWindow> => {
    visit.link();
    visit.account.hold(aLock('Front door'));
    return visit.openWindow({ blocks: [BLOCK] });
  };
  const openForm = async (): Promise<void> => {
    await visit.push('All settings');
    await visit.words('The form of all options').waitFor();
  };
  const isSaveOff = async (): Promise<boolean> =>
    visit.page.evaluate(() => document.body.classList.contains('save-off'));

  test('a first visit writes the addresses into config.json, the credentials elsewhere, and links: at most five clicks', async () => {
    const homebridge = await visit.openWindow();
    await expect.poll(async () => visit.page.getByLabel('Authorization server').inputValue()).toBe('');
    await visit.visitor.click(visit.button('Fill in the simulator’s addresses'));
    await visit.fill('Client ID', 'client-1');
    await visit.fill('Client secret', 'hush-hush');
    await visit.fill('Subscription key', 'key-one');
    await visit.visitor.click(visit.button('Save and continue'));
    await visit.heading('Connect').waitFor();
    expect(homebridge.saved()).toEqual([
      {
        platform: 'Latchkey',
        name: 'Latchkey',
        partner: {
          authUrl: 'http://127.0.0.1:18590/auth',
          baseUrl: 'http://127.0.0.1:18590/api',
          redirectUri: 'http://127.0.0.1:8765/callback',
          allowInsecureLoopback: true,
        },
      },
    ]);
    expect(visit.account.count('partner.save')).toBe(1);
    visit.account.answers.set('link.start', () => ({
      ...visit.account.startLinking(),
      authorizeUrl: `${visit.panel.url}#webhooks`,
    }));
    await visit.visitor.click(visit.button('Sign in'));
    visit.account.hold(aLock('Front door'));
    visit.account.become('linked');
    await visit.heading('Locks').waitFor();
    await expect.poll(async () => visit.card('Front door').isVisible()).toBe(true);
    expect(visit.visitor.clicks).toBeLessThanOrEqual(MOST_CLICKS);
  });

  test('the demo is one click away, and says to restart; it is no longer offered then', async () => {
    const panelOnly = (): object => {
      throw new FinalError('bad-configuration', 'The demo runs only with the plugin.');
    };
    for (const reading of ['status', 'partner.show', 'link.show'] as const) {
      visit.account.answers.set(reading, panelOnly);
    }
    const homebridge = await visit.openWindow();
    await visit.visitor.click(visit.button('Try the demo'));
    await visit.heading('Demo').waitFor();
    expect(visit.visitor.clicks).toBe(1);
    expect(homebridge.saved()).toEqual([{ platform: 'Latchkey', name: 'Latchkey', demo: true }]);
    expect(await seen(visit.words('Then add the three demo locks to Home.'))).toBe(true);
    expect(await isSaveOff()).toBe(false);
    expect(await seen(visit.page.getByText('Waiting for a restart', { exact: true }))).toBe(true);
    expect(await visit.page.getByText('Live', { exact: true }).count()).toBe(0);
    expect(await visit.button('Try the demo').count()).toBe(0);
  });

  test('every page of the demo says that it is one, and it can be switched off', async () => {
    visit.link();
    visit.account.hold(aLock('Demo front door'));
    visit.account.demo = { doorsUrl: 'http://127.0.0.1:4711' };
    const block = { platform: 'Latchkey', name: 'Latchkey', debug: true };
    const homebridge = await visit.openWindow({ blocks: [{ ...block, demo: true }] });
    expect(await seen(visit.words('This is a demo. The locks are simulated'))).toBe(true);
    const doors = visit.page.getByRole('link', { name: 'page of the simulated doors' });
    expect(await doors.getAttribute('href')).toBe('http://127.0.0.1:4711');
    await visit.push('End the demo');
    expect(await seen(visit.words('That removes the demo locks.'))).toBe(true);
    expect(homebridge.saved()).toEqual([{ ...block, demo: false }]);
  });

  test('an option that the form of all options leaves out is removed from config.json, whatever its kind', async () => {
    const cleared = {
      offline: 'lastKnown',
      lowBattery: { threshold: 30 },
      debug: true,
      locks: [{ id: 'a', hide: true }],
      remotePin: '4711',
    };
    visit.link();
    const homebridge = await visit.openWindow({ blocks: [{ ...BLOCK, ...cleared }] });
    await openForm();
    await homebridge.fillForm({ name: 'Latchkey', partner: BLOCK.partner });
    await homebridge.save();
    const [saved] = homebridge.saved();
    const before = readConfig(BLOCK);
    expect(readConfig(saved)).toEqual(before);
    expect(JSON.stringify(saved)).not.toContain('4711');
    await visit.push('Close all settings');
    await openForm();
    await expect.poll(async () => homebridge.formData()).toEqual(BLOCK);
  });

  test.each([
    { bridge: { username: '0E:00:00:00:00:01' }, says: /Turn Matter on in the Bridge Settings/u, times: 1 },
    { bridge: { matter: { port: 5540 } }, says: /Matter/u, times: 0 },
  ])('the last step names what keeps locks from Matter, with a bridge such as $bridge', async (given) => {
    visit.account.saveCredentials();
    visit.account.hold(aLock('Front door'));
    await visit.openWindow({ blocks: [{ ...BLOCK, matter: 'both', _bridge: given.bridge }] });
    await visit.heading('Connect').waitFor();
    visit.account.become('linked');
    await visit.heading('Locks').waitFor();
    await visit.push('Continue');
    await visit.words('You’re connected.').waitFor();
    await expect.poll(async () => visit.page.locator('main').getByText(given.says).count()).toBe(given.times);
  });

  test('an address is checked as it is typed, as the plugin itself checks it', async () => {
    const homebridge = await visit.openWindow();
    await visit.fill('Device interface', 'http://api.partner.example');
    expect(await seen(visit.words('It must start with https://.'))).toBe(true);
    await visit.fill('Device interface', 'https://192.168.1.4/api');
    expect(await seen(visit.words('It is in a private network'))).toBe(true);
    await visit.fill('Redirect URI', 'http://127.0.0.1:8765/callback');
    await expect.poll(async () => visit.button('Copy, Redirect URI').count()).toBe(1);
    await visit.push('Save and continue');
    expect(homebridge.saved()).toEqual([]);
  });

  test('a changed address leaves everything else in the block as it was written', async () => {
    visit.account.saveCredentials();
    const homebridge = await visit.openWindow({ blocks: [{ platform: 'Latchkey', name: 'Other' }, BLOCK] });
    await visit.page.getByLabel('Account').selectOption('Latchkey');
    await visit.push('Service details');
    await expect
      .poll(async () => visit.page.getByLabel('Authorization server').inputValue())
      .toBe('https://auth.partner.example');
    await visit.fill('Device interface', ' https://other.partner.example ');
    await visit.push('Save and continue');
    await visit.heading('Connect').waitFor();
    expect(homebridge.saved()).toEqual([
      { platform: 'Latchkey', name: 'Other' },
      { ...BLOCK, partner: { ...BLOCK.partner, baseUrl: 'https://other.partner.example' } },
    ]);
  });

  test('a changed address stops the setup while the plugin still runs with the former one, and no demo is offered', async () => {
    visit.account.saveCredentials();
    const words =
      'The plugin still runs with the former addresses of the service: restart Homebridge, then go on here.';
    visit.account.answers.set('partner.save', () => {
      throw new FinalError('bad-configuration', words);
    });
    const homebridge = await visit.openWindow({ blocks: [BLOCK] });
    await visit.push('Service details');
    expect(await visit.button('Try the demo').count()).toBe(0);
    await visit.fill('Device interface', 'https://other.partner.example');
    await visit.push('Save and continue');
    await visit.page.getByText(words, { exact: true }).waitFor();
    await expect.poll(async () => visit.heading('Service details').isVisible()).toBe(true);
    expect(visit.account.count('partner.save')).toBe(1);
    expect(homebridge.saved()).toMatchObject([{ partner: { baseUrl: 'https://other.partner.example' } }]);
  });

  test('the form of all options takes the place of the page while it is open, and another account closes it', async () => {
    visit.link();
    await visit.openWindow({ blocks: [BLOCK, { ...BLOCK, name: 'Summer house' }] });
    await openForm();
    expect(await gone(visit.heading('Overview'))).toBe(true);
    await visit.push('Close all settings');
    expect(await seen(visit.heading('Overview'))).toBe(true);
    expect(await visit.words('The form of all options').count()).toBe(0);
    await openForm();
    await visit.page.getByLabel('Account').selectOption('Summer house');
    expect(await gone(visit.words('The form of all options'))).toBe(true);
    expect(await seen(visit.heading('Overview'))).toBe(true);
    await expect.poll(async () => visit.button('All settings').isVisible()).toBe(true);
  });

  test('events from while another process had the account are read when it is back', async () => {
    const homebridge = await openLinked();
    await homebridge.push({ connected: false });
    await visit.words('No connection to the plugin.').waitFor();
    expect(await seen(visit.card('Front door').getByText('Was locked'))).toBe(true);
    visit.account.hold(aLock('Front door'), aLock('Back door'));
    await homebridge.push({ connected: true });
    expect(await seen(visit.card('Back door'))).toBe(true);
    expect(await gone(visit.words('No connection to the plugin.'))).toBe(true);
  });

  test('the Save button of the window is off until the account is connected, and then the one step left', async () => {
    visit.account.saveCredentials();
    visit.account.hold(aLock('Front door'));
    await visit.openWindow({ blocks: [BLOCK], isPluginRunning: false });
    await expect.poll(isSaveOff).toBe(true);
    // The form of all settings is saved by it.
    await visit.push('All settings');
    await expect.poll(isSaveOff).toBe(false);
    await visit.push('Close all settings');
    await expect.poll(isSaveOff).toBe(true);
    // The credentials are saved: a window that was closed then opens where it was.
    await visit.heading('Connect').waitFor();
    visit.account.become('linked');
    await visit.heading('Locks').waitFor();
    expect(await seen(visit.words('Three clicks left:'))).toBe(true);
    await expect.poll(isSaveOff).toBe(false);
    await visit.push('Continue');
    expect(await seen(visit.words('Three clicks left:'))).toBe(true);
    await expect.poll(isSaveOff).toBe(false);
    expect(await visit.button('Finish').count()).toBe(0);
    await visit.page.reload();
    expect(await seen(visit.words('Three clicks left:'))).toBe(true);
  });

  test('the overview says what is left to do in Home, until the bridge is there', async () => {
    let pairing = 'unpaired';
    visit.account.hold(aLock('Front door'));
    visit.account.become('linked');
    await visit.openWindow({ blocks: [BLOCK], pairing: () => pairing });
    expect(await seen(visit.words('Not in Home yet'))).toBe(true);
    pairing = 'paired';
    expect(await seen(visit.words('Home has added the bridge.'))).toBe(true);
    expect(await visit.words('Not in Home yet').count()).toBe(0);
  });

  test('no step is left where Homebridge runs the plugin with the account', async () => {
    await openLinked();
    await visit.card('Front door').waitFor();
    expect(await visit.words('Three clicks left:').count()).toBe(0);
  });

  test('the Homebridge UI has the same pages as the dashboard, the overview first', async () => {
    await openLinked();
    configureCredentials(visit.account);
    visit.account.become('linked');
    const tabs = async (): Promise<readonly string[]> => {
      await visit.page.getByRole('link', { name: 'Credentials' }).waitFor();
      return visit.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts();
    };
    const here = await tabs();
    expect(here[0]).toBe('Overview');
    expect(await seen(visit.button('More, Front door'))).toBe(true);
    visit.page = await visit.visitor.open(visit.panel.url, async (context) => visit.panel.admit(context));
    expect(await tabs()).toEqual(here);
  });

  test('the Homebridge UI has the history: who came in today, the timeline and the week', async () => {
    await openLinked();
    await visit.show('History');
    expect(await seen(visit.words('Unlocked by Dog walker (a code)').first())).toBe(true);
    await visit.button('Show older entries').scrollIntoViewIfNeeded();
    await expect.poll(async () => visit.page.locator('.activity li').count()).toBeGreaterThanOrEqual(100);
    await visit.page.getByLabel('Lock', { exact: true }).selectOption({ label: 'Front door' });
    await expect
      .poll(() => visit.inputsOf('history.look').at(-1))
      .toMatchObject({ locks: ['id-of-Front door'] });
    expect(await visit.page.getByRole('table').getByRole('row').count()).toBe(25);
    expect(await visit.button(/^Export/u).count()).toBe(0);
    expect(await seen(visit.words('To save the history as a file, open the dashboard'))).toBe(true);
    expect(await visit.page.evaluate(overflowPixels)).toBe(0);
    expect(await visit.page.evaluate(unnamedControls)).toEqual([]);
  });

  test('the dashboard is turned on where there is none', async () => {
    const homebridge = await openLinked();
    expect(await visit.button('Open the dashboard').count()).toBe(0);
    await visit.push('Turn on the dashboard');
    expect(await seen(visit.words('The dashboard is on after the next restart'))).toBe(true);
    expect(homebridge.saved()).toEqual([{ ...BLOCK, panel: { enabled: true } }]);
  });

  test('the panel opens in a tab of its own, logged in', async () => {
    visit.link();
    await visit.openWindow({ blocks: [{ ...BLOCK, panel: { enabled: true } }] });
    const opened = visit.page.context().waitForEvent('page');
    await visit.push('Open the dashboard');
    const tab = await opened;
    await expect.poll(() => tab.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/(?:#overview)?$/u);
  });

  test.each([
    [false, 'rgb(27, 31, 36)'],
    [true, 'rgb(236, 236, 236)'],
  ])('the theme of the Homebridge UI decides, whatever the system prefers: dark %s', async (dark, ink) => {
    visit.link();
    await visit.openWindow({ blocks: [BLOCK], dark }, { colorScheme: dark ? 'light' : 'dark' });
    expect(await visit.heading('Overview').evaluate((element) => getComputedStyle(element).color)).toBe(ink);
  });

  test('the style sheet of the Homebridge UI neither indents our lists nor thins our letters', async () => {
    await openLinked();
    await visit.show('Settings');
    const looks = await visit.page.locator('.locks').evaluate((list) => {
      const { paddingLeft, marginBottom } = getComputedStyle(list);
      return {
        paddingLeft,
        marginBottom,
        weight: getComputedStyle(document.querySelector('main > p') ?? list).fontWeight,
      };
    });
    expect(looks).toEqual({ paddingLeft: '0px', marginBottom: '0px', weight: '400' });
  });
});
