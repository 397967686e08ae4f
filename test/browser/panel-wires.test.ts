// The pages after a killed process or a cut connection: they never show a lock as locked when they cannot know it.
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LockView } from '../../src/panel/views/lock.ts';
import { aLock, linked } from '../stand-ins/account/operations.ts';
import { openHomebridgeWindow } from '../stand-ins/homebridge/window.ts';
import { AccountPanel } from './account-panel.ts';
import { CHROMIUM } from './chromium.ts';
import { KillablePanel } from './killable-panel.ts';
import { seen, Visitor } from './visitor.ts';
import { Wire } from './wire.ts';

const BANNER = 'No connection to the plugin.';

describe.skipIf(CHROMIUM === undefined)('the pages (faults#96)', () => {
  let visitor: Visitor;
  let page: Page;
  const closings: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    visitor = await Visitor.ofTests();
  });

  afterEach(async () => {
    // What the browser says of a connection that was cut is no fault of the page.
    visitor.complaints.splice(0);
    await visitor.leave();
    for (const close of closings.splice(0).toReversed()) {
      await close();
    }
  });

  const front = (): Locator => page.getByRole('article', { name: 'Front door' });
  const isLocked = (): Locator => front().getByText('Locked', { exact: true });

  /** The banner comes (how soon, the bench measures), and nothing of what is lost is claimed any more. */
  const saysSo = async (lose: () => Promise<void> | void): Promise<void> => {
    await isLocked().waitFor();
    // What was never read cannot become unknown.
    await page.getByText('All is well').click();
    await page.getByText('Webhooks are switched off.').waitFor();
    await lose();
    await page.getByText(BANNER).waitFor();
    expect(await seen(front().getByText('Was locked'))).toBe(true);
    expect(await isLocked().count()).toBe(0);
    expect(await page.getByText('2 locked', { exact: true }).count()).toBe(0);
    expect(await front().getByText('Connected', { exact: true }).count()).toBe(0);
    expect(await seen(page.getByText('Unknown until the plugin answers again.'))).toBe(true);
    expect(await page.getByRole('button', { name: 'Lock, Front door' }).count()).toBe(0);
    expect(await page.getByText(/Since|No connection/u).count()).toBe(2);
  };

  const startPanel = async (
    change: Partial<LockView> = {},
    lock = async (): Promise<unknown> => ({ kind: 'accepted' }),
  ): Promise<AccountPanel> => {
    const account = linked(0);
    account.hold(aLock('Front door', change), aLock('Back door'));
    account.answers.set('lock', lock);
    const panel = await AccountPanel.start(account);
    closings.push(async () => panel.close());
    return panel;
  };

  const openOver = async (): Promise<Wire> => {
    const panel = await startPanel();
    const wire = await Wire.to(panel.server.port);
    closings.push(async () => wire.close());
    page = await visitor.open(`${wire.url}#login=${panel.server.mintLogin().token}`);
    return wire;
  };

  test('pages report that the plugin’s process was killed, and ask for a login once it runs again', async () => {
    const panel = await KillablePanel.start();
    closings.push(async () => panel.kill());
    page = await visitor.open(panel.loginUrl);
    await saysSo(async () => panel.kill());
    await panel.restart();
    await page.getByText('panel --login').waitFor();
    expect(await front().count()).toBe(0);
    await page.goto('about:blank');
    await page.goto(panel.loginUrl);
    expect(await seen(isLocked())).toBe(true);
  });

  test.each([
    ['cut', 'cut'],
    ['silent, though neither end noticed', 'silence'],
  ] as const)('pages report a connection that is %s, and are live again by themselves', async (_, lose) => {
    const wire = await openOver();
    await saysSo(() => {
      wire[lose]();
    });
    wire.mend();
    await page.getByText(BANNER).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'More, Front door' }).waitFor();
    expect(await seen(isLocked())).toBe(true);
  });

  test('eight tabs of one browser share a stream, so that a press of "Lock" leaves the last one (faults#160)', async () => {
    const panel = await startPanel({ bolt: 'unsecured' });
    const { account } = panel;
    const { id } = aLock('Front door');
    const context = await visitor.context();
    await panel.admit(context);
    const tabs: Page[] = [];
    for (let tab = 0; tab < 8; tab += 1) {
      const opened = await context.newPage();
      tabs.push(opened);
      await opened.goto(panel.url);
      await opened.getByRole('article', { name: 'Front door' }).getByText('Unlocked').waitFor();
    }
    await tabs.at(-1)?.getByRole('button', { name: 'Lock, Front door' }).click();
    await expect.poll(() => account.count('lock')).toBe(1);
    account.emit(id, { bolt: 'secured' });
    for (const tab of tabs) {
      await tab.getByRole('article', { name: 'Front door' }).getByText('Locked', { exact: true }).waitFor();
    }
    // Closed tabs leave the stream to the others.
    await Promise.all(tabs.slice(1).map(async (tab) => tab.close()));
    account.emit(id, { bolt: 'jammed' });
    await tabs[0]?.getByRole('article', { name: 'Front door' }).getByText('Jammed').waitFor();
  });

  test('a press of "Lock" that nothing answers is said not to be answered, until it is', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const panel = await startPanel({ bolt: 'unsecured' }, async () => promise);
    const context = await visitor.context();
    await panel.admit(context);
    page = await context.newPage();
    await page.goto(panel.url);
    await page.getByRole('button', { name: 'Lock, Front door' }).click();
    expect(await seen(front().getByText('The plugin hasn’t answered yet. Check the door.'))).toBe(true);
    resolve({ kind: 'accepted' });
    await front().getByText('The plugin hasn’t answered yet.').waitFor({ state: 'hidden' });
  });

  test('pages in the Homebridge UI report that the window’s own process was killed', async () => {
    const panel = await startPanel();
    const blocks = [{ platform: 'Latchkey', partner: panel.account.partner }];
    const homebridge = await openHomebridgeWindow(await visitor.context(), panel, { blocks });
    ({ page } = homebridge);
    const words = front().locator('.bolt');
    await expect.poll(async () => words.innerText()).toMatch(/^Locked/u);
    await homebridge.kill();
    await page.getByText(BANNER).waitFor();
    expect(await words.innerText()).toMatch(/^Was locked/u);
  });
});
