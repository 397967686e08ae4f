// The layout on a phone: five places under the thumb, one row of tabs in the Homebridge UI, one width for all, and sheets that do not move the page.

import { describe, expect, test } from 'vitest';
import { t } from '../../src/words/translate.ts';
import { titleOf } from '../../web/panel/frame/tabs.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { AccountPanel } from './account-panel.ts';
import { CHROMIUM } from './chromium.ts';
import { configureCredentials } from './credentialing.ts';
import { panelVisits } from './panel-visits.ts';
import { BLOCK } from './scenes.ts';
import { gone, seen } from './visitor.ts';

const PHONE = { width: 375, height: 740 };

describe.skipIf(CHROMIUM === undefined)('the panel on a phone', () => {
  const visit = panelVisits({ isAlone: true });

  /** With every page that an account can have. */
  const openAll = async (path: string): Promise<void> => {
    configureCredentials(visit.account);
    visit.account.mqtt = { ...visit.account.mqtt, broker: 'mqtt://127.0.0.1' };
    visit.account.hold(aLock('Front door'), aLock('Back door'));
    await visit.openLinked(path);
    await visit.page.getByRole('link', { name: 'MQTT' }).waitFor({ state: 'attached' });
    await visit.page.setViewportSize(PHONE);
  };

  /** In the window of the Homebridge UI, with every page. */
  const openWindow = async (): Promise<void> => {
    configureCredentials(visit.account);
    visit.account.mqtt = { ...visit.account.mqtt, broker: 'mqtt://127.0.0.1' };
    visit.account.hold(aLock('Front door'), aLock('Back door'));
    visit.link();
    await visit.openWindow({ blocks: [BLOCK] });
    await visit.page.setViewportSize(PHONE);
    await visit.page.getByRole('link', { name: 'MQTT' }).waitFor({ state: 'attached' });
  };

  /** Whether the tab is within the screen. */
  const isInSight = async (name: string): Promise<boolean> =>
    visit.page
      .locator('.tabs')
      .getByRole('link', { name, exact: true })
      .evaluate(
        (tab) =>
          tab.getBoundingClientRect().left >= 0 && tab.getBoundingClientRect().right <= window.innerWidth,
      );

  test('the window of the Homebridge UI has one row of tabs, in which the chosen one is in sight', async () => {
    await openWindow();
    const tops = await visit.page
      .locator('.tabs li')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
    expect(tops).toHaveLength(10);
    expect(new Set(tops).size).toBe(1);
    expect([await isInSight('Overview'), await isInSight('Account')]).toEqual([true, false]);
    await visit.show('Account');
    await expect.poll(async () => isInSight('Account')).toBe(true);
    await visit.page.getByRole('link', { name: 'Overview', exact: true }).focus();
    for (let tab = 1; tab < 9; tab += 1) {
      await visit.page.keyboard.press('Tab');
    }
    await expect.poll(async () => isInSight('Account')).toBe(true);
  });

  test('the menu of the page of codes opens within the screen', async () => {
    await openAll('#codes');
    const menu = visit.page.locator('.bar .menu');
    await menu.locator('.dots').click();
    const box = await menu.locator('.menu-list').boundingBox();
    expect(box?.width).toBeGreaterThan(100);
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
  });

  test('the dashboard has five places under the thumb, of which the last leads to every other page', async () => {
    await openAll('#overview');
    const bar = visit.page.locator('.page-bar');
    expect(await bar.locator('> a, > button').allInnerTexts()).toEqual([
      'Overview',
      'History',
      'Codes',
      'Stays',
      'More',
    ]);
    const box = await bar.boundingBox();
    expect([box?.x, box?.width, (box?.y ?? 0) + (box?.height ?? 0)]).toEqual([0, PHONE.width, PHONE.height]);
    await bar.getByRole('link', { name: 'History' }).click();
    await visit.heading('History').waitFor();
    await bar.getByRole('button', { name: 'More' }).click();
    const sheet = visit.page.getByRole('dialog', { name: 'More' });
    expect(await sheet.getByRole('link').allInnerTexts()).toEqual([
      'Settings',
      'Alerts',
      'Credentials',
      'Webhooks',
      'MQTT',
      'Account',
    ]);
    await sheet.getByRole('link', { name: 'MQTT' }).click();
    await visit.heading('MQTT').waitFor();
    expect(await gone(sheet)).toBe(true);
    await visit.page.goBack();
    await visit.heading('History').waitFor();
  });

  test('an installed page says that the device is offline, and comes back by itself', async () => {
    visit.account.hold(aLock('Front door'));
    visit.link();
    visit.panel = await AccountPanel.start(visit.account);
    const context = await visit.visitor.context({ viewport: PHONE, serviceWorkers: 'allow' });
    await visit.panel.admit(context);
    visit.page = await context.newPage();
    await visit.page.goto(visit.panel.url);
    await visit.card('Front door').waitFor();
    await visit.page.evaluate(async () => navigator.serviceWorker.ready);
    await visit.page.reload();
    await visit.card('Front door').waitFor();
    await context.setOffline(true);
    await visit.page.reload();
    expect(await seen(visit.words('This device is offline'))).toBe(true);
    expect(await visit.card('Front door').count()).toBe(0);
    await context.setOffline(false);
    expect(await seen(visit.card('Front door'))).toBe(true);
  });

  test.each([PHONE, { width: 1280, height: 900 }])('every page has one width: $width', async (viewport) => {
    await openAll('#overview');
    await visit.page.setViewportSize(viewport);
    const edges = new Set<string>();
    for (const name of ['locks', 'codes', 'webhooks', 'mqtt', 'link'] as const) {
      await visit.page.evaluate((page) => {
        location.hash = page;
      }, name);
      await visit.heading(t(titleOf(name))).waitFor();
      const found = await visit.page.locator('header.top, main > .part').evaluateAll((boxes) =>
        boxes.map((box) => {
          const { left, right } = box.getBoundingClientRect();
          return `${String(Math.round(left))} to ${String(Math.round(right))}`;
        }),
      );
      for (const edge of found) {
        edges.add(edge);
      }
    }
    expect([...edges]).toHaveLength(1);
  });

  test('shows the options of a lock in a sheet, and no card moves', async () => {
    await openAll('#locks');
    const card = visit.card('Back door');
    const before = await card.boundingBox();
    await visit.push('Name and options, Front door');
    const sheet = visit.page.getByRole('dialog', { name: 'Front door' });
    expect(await seen(sheet.getByLabel('Time zone'))).toBe(true);
    expect(await card.boundingBox()).toEqual(before);
    const box = await sheet.boundingBox();
    expect([box?.x, box?.width, (box?.y ?? 0) + (box?.height ?? 0)]).toEqual([0, PHONE.width, PHONE.height]);
    await sheet.getByRole('button', { name: 'Close' }).click();
    expect(await gone(sheet)).toBe(true);
    const options = visit.button('Name and options, Front door');
    await expect.poll(async () => options.evaluate((button) => button.matches(':focus'))).toBe(true);
  });

  test('logs out this browser, or every one after a question', async () => {
    await openAll('#link');
    await visit.push('Log out everywhere, all browsers');
    await visit.confirm('Log out everywhere', 'all browsers');
    expect(await seen(visit.page.getByLabel('Login address'))).toBe(true);
    await visit.page.reload();
    expect(await seen(visit.page.getByLabel('Login address'))).toBe(true);
  });
});
