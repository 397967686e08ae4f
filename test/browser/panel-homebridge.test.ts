// The pages in a window like the Homebridge UI's: the blocks that they write into config.json, and their look in it.
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { FinalError } from '../../src/support/errors.ts';
import { aLock, StandInAccount } from '../stand-ins/account/operations.ts';
import { type HomebridgeWindow, openHomebridgeWindow } from '../stand-ins/homebridge/window.ts';
import { AccountPanel } from './account-panel.ts';
import { CHROMIUM } from './chromium.ts';
import { gone, seen, Visitor } from './visitor.ts';

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
  let visitor: Visitor;
  let account: StandInAccount;
  let panel: AccountPanel;
  let homebridge: HomebridgeWindow;
  let page: Page;

  beforeAll(async () => {
    visitor = await Visitor.ofTests();
  });

  beforeEach(async () => {
    account = new StandInAccount();
    panel = await AccountPanel.start(account);
  });

  afterEach(async () => {
    await visitor.leave();
    await panel.close();
  });

  const open = async (options: Parameters<typeof openHomebridgeWindow>[2] = {}): Promise<void> => {
    homebridge = await openHomebridgeWindow(await visitor.context(), panel, options);
    ({ page } = homebridge);
    await page.getByRole('heading', { level: 2 }).waitFor();
  };
  const openLinked = async (): Promise<void> => {
    account.saveCredentials();
    account.link = { ...account.link, state: 'linked' };
    account.hold(aLock('Front door'));
    await open({ blocks: [BLOCK] });
  };
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const fill = async (label: string, text: string): Promise<void> =>
    page.getByLabel(label, { exact: true }).fill(text);
  const heading = (name: string): Locator => page.getByRole('heading', { level: 2, name });

  test('a first visit writes the addresses into config.json, the credentials elsewhere, and links: at most five clicks', async () => {
    await open();
    await expect.poll(async () => page.getByLabel('Authorization server').inputValue()).toBe('');
    await visitor.click(button('Fill in the simulator’s addresses'));
    await fill('Client ID', 'client-1');
    await fill('Client secret', 'hush-hush');
    await fill('Subscription key', 'key-one');
    await visitor.click(button('Save and continue'));
    await heading('Connect').waitFor();
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
    expect(account.count('partner.save')).toBe(1);
    account.answers.set('link.start', () => ({
      ...account.startLinking(),
      authorizeUrl: `${panel.url}#webhooks`,
    }));
    await visitor.click(button('Sign in'));
    account.hold(aLock('Front door'));
    account.become('linked');
    await heading('Locks').waitFor();
    await expect.poll(async () => page.getByRole('article', { name: 'Front door' }).isVisible()).toBe(true);
    expect(visitor.clicks).toBeLessThanOrEqual(MOST_CLICKS);
  });

  test('the demo is one click away, and says to restart; it is no longer offered then', async () => {
    const panelOnly = (): object => {
      throw new FinalError('bad-configuration', 'The demo runs only with the plugin.');
    };
    for (const reading of ['status', 'partner.show', 'link.show'] as const) {
      account.answers.set(reading, panelOnly);
    }
    await open();
    await visitor.click(button('Try the demo'));
    await heading('Demo').waitFor();
    expect(visitor.clicks).toBe(1);
    expect(homebridge.saved()).toEqual([{ platform: 'Latchkey', name: 'Latchkey', demo: true }]);
    expect(await seen(page.getByText('click Save below, then Restart. Three demo locks'))).toBe(true);
    expect(await page.evaluate(() => document.body.classList.contains('save-off'))).toBe(false);
    expect(await seen(page.getByText('Waiting for a restart', { exact: true }))).toBe(true);
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    expect(await button('Try the demo').count()).toBe(0);
  });

  test('every page of the demo says that it is one, and it can be switched off', async () => {
    account.link = { ...account.link, state: 'linked' };
    account.hold(aLock('Demo front door'));
    account.demo = { doorsUrl: 'http://127.0.0.1:4711' };
    const block = { platform: 'Latchkey', name: 'Latchkey', debug: true };
    await open({ blocks: [{ ...block, demo: true }] });
    expect(await seen(page.getByText('This is a demo. The locks are simulated'))).toBe(true);
    const doors = page.getByRole('link', { name: 'page of the simulated doors' });
    expect(await doors.getAttribute('href')).toBe('http://127.0.0.1:4711');
    await button('End the demo').click();
    expect(await seen(page.getByText('Restart Homebridge to remove the demo locks.'))).toBe(true);
    expect(homebridge.saved()).toEqual([{ ...block, demo: false }]);
  });

  test('an option that the form of all options leaves out is removed from config.json, whatever its kind', async () => {
    const cleared = {
      offline: 'lastKnown',
      evidenceAgeSeconds: 600,
      debug: true,
      locks: [{ id: 'a', hide: true }],
      remotePin: '4711',
    };
    account.link = { ...account.link, state: 'linked' };
    await open({ blocks: [{ ...BLOCK, ...cleared }] });
    await button('All settings').click();
    await page.getByText('The form of all options').waitFor();
    await homebridge.fillForm({ name: 'Latchkey', partner: BLOCK.partner });
    await homebridge.save();
    const [saved] = homebridge.saved();
    const before = readConfig(BLOCK);
    expect(readConfig(saved)).toEqual(before);
    expect(JSON.stringify(saved)).not.toContain('4711');
    await button('Close all settings').click();
    await button('All settings').click();
    await page.getByText('The form of all options').waitFor();
    await expect.poll(async () => homebridge.formData()).toEqual(BLOCK);
  });

  test('an account with addresses is offered no demo', async () => {
    await open({ blocks: [BLOCK] });
    expect(await seen(button('Save and continue'))).toBe(true);
    expect(await button('Try the demo').count()).toBe(0);
  });

  test.each([
    { bridge: { username: '0E:00:00:00:00:01' }, says: /Turn Matter on in the Bridge Settings/u, times: 1 },
    { bridge: { matter: { port: 5540 } }, says: /Matter/u, times: 0 },
  ])('the last step names what keeps locks from Matter, with a bridge such as $bridge', async (given) => {
    account.saveCredentials();
    account.hold(aLock('Front door'));
    await open({ blocks: [{ ...BLOCK, matter: 'both', _bridge: given.bridge }] });
    await button('Save and continue').click();
    await heading('Connect').waitFor();
    account.become('linked');
    await heading('Locks').waitFor();
    await button('Continue').click();
    await page.getByText('You’re connected.').waitFor();
    await expect.poll(async () => page.locator('main').getByText(given.says).count()).toBe(given.times);
  });

  test('an address is checked as it is typed, as the plugin itself checks it', async () => {
    await open();
    await fill('Device interface', 'http://api.partner.example');
    expect(await seen(page.getByText('It must start with https://.'))).toBe(true);
    await fill('Device interface', 'https://192.168.1.4/api');
    expect(await seen(page.getByText('It is in a private network'))).toBe(true);
    await fill('Redirect URI', 'http://127.0.0.1:8765/callback');
    await expect.poll(async () => page.getByRole('button', { name: 'Copy, Redirect URI' }).count()).toBe(1);
    await button('Save and continue').click();
    expect(homebridge.saved()).toEqual([]);
  });

  test('a changed address leaves everything else in the block as it was written', async () => {
    account.saveCredentials();
    await open({ blocks: [{ platform: 'Latchkey', name: 'Other' }, BLOCK] });
    await page.getByLabel('Account').selectOption('Latchkey');
    await expect
      .poll(async () => page.getByLabel('Authorization server').inputValue())
      .toBe('https://auth.partner.example');
    await fill('Device interface', ' https://other.partner.example ');
    await button('Save and continue').click();
    await heading('Connect').waitFor();
    expect(homebridge.saved()).toEqual([
      { platform: 'Latchkey', name: 'Other' },
      { ...BLOCK, partner: { ...BLOCK.partner, baseUrl: 'https://other.partner.example' } },
    ]);
  });

  test('a changed address stops the setup while the plugin still runs with the former one', async () => {
    account.saveCredentials();
    const words =
      'The plugin still runs with the former addresses of the service: restart Homebridge, then go on here.';
    account.answers.set('partner.save', () => {
      throw new FinalError('bad-configuration', words);
    });
    await open({ blocks: [BLOCK] });
    await fill('Device interface', 'https://other.partner.example');
    await button('Save and continue').click();
    await page.getByText(words, { exact: true }).waitFor();
    await expect.poll(async () => heading('Service details').isVisible()).toBe(true);
    expect(account.count('partner.save')).toBe(1);
    expect(homebridge.saved()).toMatchObject([{ partner: { baseUrl: 'https://other.partner.example' } }]);
  });

  test('another account closes the form of the one before', async () => {
    account.link = { ...account.link, state: 'linked' };
    await open({ blocks: [BLOCK, { ...BLOCK, name: 'Summer house' }] });
    await button('All settings').click();
    await page.getByText('The form of all options').waitFor();
    await page.getByLabel('Account').selectOption('Summer house');
    expect(await gone(page.getByText('The form of all options'))).toBe(true);
    expect(await seen(heading('Overview'))).toBe(true);
    await expect.poll(async () => button('All settings').isVisible()).toBe(true);
  });

  test('the form of all options takes the place of the page while it is open', async () => {
    await openLinked();
    await button('All settings').click();
    await page.getByText('The form of all options').waitFor();
    expect(await gone(heading('Overview'))).toBe(true);
    await button('Close all settings').click();
    expect(await seen(heading('Overview'))).toBe(true);
    expect(await page.getByText('The form of all options').count()).toBe(0);
  });

  test('events from while another process had the account are read when it is back', async () => {
    await openLinked();
    await homebridge.push({ connected: false });
    await page.getByText('No connection to the plugin.').waitFor();
    expect(await seen(page.getByRole('article', { name: 'Front door' }).getByText('Was locked'))).toBe(true);
    account.hold(aLock('Front door'), aLock('Back door'));
    await homebridge.push({ connected: true });
    expect(await seen(page.getByRole('article', { name: 'Back door' }))).toBe(true);
    expect(await gone(page.getByText('No connection to the plugin.'))).toBe(true);
  });

  test('the Save button of the window is off until the account is connected, and then the one step left', async () => {
    account.saveCredentials();
    account.hold(aLock('Front door'));
    const isOff = async (): Promise<boolean> =>
      page.evaluate(() => document.body.classList.contains('save-off'));
    await open({ blocks: [BLOCK], isPluginRunning: false });
    await expect.poll(isOff).toBe(true);
    // The form of all settings is saved by it.
    await button('All settings').click();
    await expect.poll(isOff).toBe(false);
    await button('Close all settings').click();
    await expect.poll(isOff).toBe(true);
    await button('Save and continue').click();
    await heading('Connect').waitFor();
    account.become('linked');
    await heading('Locks').waitFor();
    expect(await seen(page.getByText('One step left:'))).toBe(true);
    await expect.poll(isOff).toBe(false);
    await button('Continue').click();
    expect(await seen(page.getByText('One step left:'))).toBe(true);
    await expect.poll(isOff).toBe(false);
    expect(await button('Finish').count()).toBe(0);
  });

  test('one step is left until Homebridge runs the plugin with the account', async () => {
    account.saveCredentials();
    account.link = { ...account.link, state: 'linked' };
    await open({ blocks: [BLOCK], isPluginRunning: false });
    expect(await seen(page.getByText('One step left:'))).toBe(true);
    await visitor.leave();
    await open({ blocks: [BLOCK] });
    await heading('Overview').waitFor();
    expect(await page.getByText('One step left:').count()).toBe(0);
  });

  test('the dashboard is turned on where there is none', async () => {
    await openLinked();
    expect(await button('Open the dashboard').count()).toBe(0);
    await button('Turn on the dashboard').click();
    expect(await seen(page.getByText('The dashboard is on after the next restart'))).toBe(true);
    expect(homebridge.saved()).toEqual([{ ...BLOCK, panel: { enabled: true } }]);
  });

  test('the panel opens in a tab of its own, logged in', async () => {
    account.saveCredentials();
    account.link = { ...account.link, state: 'linked' };
    await open({ blocks: [{ ...BLOCK, panel: { enabled: true } }] });
    const opened = page.context().waitForEvent('page');
    await button('Open the dashboard').click();
    const tab = await opened;
    await expect.poll(() => tab.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/(?:#overview)?$/u);
  });

  test.each([
    [false, 'rgb(27, 31, 36)'],
    [true, 'rgb(236, 236, 236)'],
  ])('the theme of the Homebridge UI decides, whatever the system prefers: dark %s', async (dark, ink) => {
    account.hold(aLock('Front door'));
    account.link = { ...account.link, state: 'linked' };
    const context = await visitor.context({ colorScheme: dark ? 'light' : 'dark' });
    ({ page } = await openHomebridgeWindow(context, panel, { blocks: [BLOCK], dark }));
    await heading('Overview').waitFor();
    expect(await heading('Overview').evaluate((element) => getComputedStyle(element).color)).toBe(ink);
  });

  test('the style sheet of the Homebridge UI neither indents our lists nor thins our letters', async () => {
    await openLinked();
    await page.getByRole('link', { name: 'Locks', exact: true }).click();
    const looks = await page.locator('.locks').evaluate((list) => {
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
