// History and access codes in a window like the Homebridge UI's: the same pages as on the dashboard.
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aLock, StandInAccount } from '../stand-ins/account/operations.ts';
import { openHomebridgeWindow } from '../stand-ins/homebridge/window.ts';
import { AccountPanel } from './account-panel.ts';
import { CHROMIUM } from './chromium.ts';
import { overflowPixels, unnamedControls } from './page-checks.ts';
import { BLOCK, listCodes } from './scenes.ts';
import { seen, Visitor } from './visitor.ts';

describe.skipIf(CHROMIUM === undefined)('the window of the Homebridge UI', () => {
  let visitor: Visitor;
  let account: StandInAccount;
  let panel: AccountPanel;
  let page: Page;

  beforeAll(async () => {
    visitor = await Visitor.ofTests();
  });

  beforeEach(async () => {
    account = new StandInAccount();
    account.saveCredentials();
    account.link = { ...account.link, state: 'linked' };
    account.hold(aLock('Front door'), aLock('Back door'));
    panel = await AccountPanel.start(account);
    ({ page } = await openHomebridgeWindow(await visitor.context(), panel, { blocks: [BLOCK] }));
    await page.getByRole('heading', { level: 2, name: 'Overview' }).waitFor();
  });

  afterEach(async () => {
    await visitor.leave();
    await panel.close();
  });

  test('the Homebridge UI has the same pages as the dashboard, the overview first', async () => {
    account.partner = { ...account.partner, credentialsUrl: 'https://credentials.partner.example' };
    account.become('linked');
    await page.getByRole('link', { name: 'Credentials' }).waitFor();
    const tabs = async (): Promise<readonly string[]> =>
      page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts();
    const here = await tabs();
    expect(here[0]).toBe('Overview');
    expect(await seen(page.getByRole('button', { name: 'More, Front door' }))).toBe(true);
    const context = await visitor.context();
    await panel.admit(context);
    page = await context.newPage();
    await page.goto(panel.url);
    await page.getByRole('link', { name: 'Credentials' }).waitFor();
    expect(await tabs()).toEqual(here);
  });

  test('the Homebridge UI has the history: who came in today, the timeline and the week', async () => {
    await page.getByRole('link', { name: 'History' }).click();
    expect(await seen(page.getByText('Unlocked by Dog walker (a code)').first())).toBe(true);
    await page.getByRole('button', { name: 'Show older entries' }).scrollIntoViewIfNeeded();
    await expect.poll(async () => page.locator('.activity li').count()).toBeGreaterThanOrEqual(100);
    await page.getByLabel('Lock', { exact: true }).selectOption({ label: 'Back door' });
    await expect
      .poll(() => account.calls.findLast(([name]) => name === 'history.look')?.[1])
      .toMatchObject({ locks: ['id-of-Back door'] });
    expect(await page.getByRole('table').getByRole('row').count()).toBe(25);
    expect(await page.getByRole('button', { name: /^Export/u }).count()).toBe(0);
    expect(await seen(page.getByText('To save the history as a file, open the dashboard'))).toBe(true);
    expect(await page.evaluate(overflowPixels)).toBe(0);
    expect(await page.evaluate(unnamedControls)).toEqual([]);
  });

  test('the Homebridge UI has the access codes of each lock', async () => {
    const asked: unknown[] = [];
    listCodes(account, (lock) => {
      asked.push(lock);
      const schedule = { kind: 'always' };
      return { codes: [{ id: 'c-1', name: 'Cleaner', pinLength: 4, readOnly: false, schedule }] };
    });
    await page.getByRole('link', { name: 'Codes' }).click();
    expect(await seen(page.getByRole('rowgroup', { name: 'Cleaner', exact: true }).first())).toBe(true);
    expect(asked).toContain('id-of-Front door');
  });
});
