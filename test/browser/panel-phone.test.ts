// The layout on a phone: one row of tabs, one width for all, and sheets that do not move the page.
import { describe, expect, test } from 'vitest';
import { aLock } from '../stand-ins/account/operations.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { gone, seen } from './visitor.ts';

const PHONE = { width: 375, height: 740 };

describe.skipIf(CHROMIUM === undefined)('the panel on a phone', () => {
  const visit = panelVisits();

  /** With every page that an account can have. */
  const openAll = async (path: string): Promise<void> => {
    visit.configureCredentials();
    visit.account.mqtt = { ...visit.account.mqtt, broker: 'mqtt://127.0.0.1' };
    visit.account.hold(aLock('Front door'), aLock('Back door'));
    await visit.openLinked(path);
    await visit.page.setViewportSize(PHONE);
    await visit.page.getByRole('link', { name: 'MQTT' }).waitFor({ state: 'attached' });
  };

  /** Whether the tab is within the screen. */
  const isInSight = async (name: string): Promise<boolean> =>
    visit.page
      .getByRole('link', { name, exact: true })
      .evaluate(
        (tab) =>
          tab.getBoundingClientRect().left >= 0 && tab.getBoundingClientRect().right <= window.innerWidth,
      );

  test('has one row of tabs, in which the chosen one is in sight', async () => {
    await openAll('#overview');
    const tops = await visit.page
      .locator('.tabs li')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
    expect(tops).toHaveLength(9);
    expect(new Set(tops).size).toBe(1);
    expect([await isInSight('Overview'), await isInSight('Account')]).toEqual([true, false]);
    await visit.show('Account');
    await expect.poll(async () => isInSight('Account')).toBe(true);
    await visit.page.goBack();
    await expect.poll(async () => isInSight('Overview')).toBe(true);
  });

  test('brings the tab of the address into sight, and each tab that the keyboard reaches', async () => {
    visit.account.hold(aLock('Front door'));
    await openAll('#mqtt');
    await visit.page.reload();
    await visit.heading('MQTT').waitFor();
    await expect.poll(async () => isInSight('MQTT')).toBe(true);
    const first = visit.page.getByRole('link', { name: 'Overview', exact: true });
    await first.focus();
    await expect.poll(async () => isInSight('Overview')).toBe(true);
    for (let tab = 1; tab < 9; tab += 1) {
      await visit.page.keyboard.press('Tab');
    }
    await expect.poll(async () => isInSight('Account')).toBe(true);
  });

  test.each([PHONE, { width: 1280, height: 900 }])('every page has one width: $width', async (viewport) => {
    await openAll('#overview');
    await visit.page.setViewportSize(viewport);
    const edges = new Set<string>();
    for (const name of ['Locks', 'Codes', 'Webhooks', 'MQTT', 'Account']) {
      await visit.show(name);
      await visit.heading(name).waitFor();
      const found = await visit.page.locator('header.top, main > nav, main > .part').evaluateAll((boxes) =>
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
