// What the pages cost, by counts that a busy machine does not change: what is asked for before the first lock is shown, and what is drawn when all change.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { linked, type StandInAccount } from '../stand-ins/account/operations.ts';
import { AccountPanel } from './account-panel.ts';
import { CHROMIUM } from './chromium.ts';
import { turnLocks } from './page-crowds.ts';
import { panelVisits } from './panel-visits.ts';
import { DESKTOP } from './visitor.ts';

const LOCKS = 149;

/** The page, its parts and language, and every reading twice: at once, and when the stream of events is there. */
const MOST_REQUESTS = 32;
/** Of a German reader with three locks, in kilobytes as they are sent. */
const MOST_KB = 135;

/** Changes of the document for each lock: its row, and a line of activity that comes and goes. */
const MOST_CHANGES = 22;

describe.skipIf(CHROMIUM === undefined)('the cost of the pages', () => {
  const visits = panelVisits();

  const open = async (account: StandInAccount, locale: string): Promise<Page> => {
    visits.panel = await AccountPanel.start(account);
    const context = await visits.visitor.context({ locale, viewport: DESKTOP });
    await visits.panel.admit(context);
    return context.newPage();
  };

  test(`the first lock is shown after ${MOST_REQUESTS} requests and ${MOST_KB} kB at most`, async () => {
    const page = await open(linked(3), 'de-DE');
    const asked: string[] = [];
    let bytes = 0;
    let isShown = false;
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += isShown ? 0 : encodedDataLength;
    });
    page.on('request', (request) => {
      if (!isShown) {
        asked.push(new URL(request.url()).pathname);
      }
    });
    await page.goto(visits.panel.url);
    await page.getByText('Lock 1', { exact: true }).waitFor();
    isShown = true;
    console.info(
      `Before the first lock: ${asked.length} requests, ${(bytes / 1_000).toFixed(0)} kB\n${asked.join('\n')}`,
    );
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.length).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(bytes / 1_000).toBeLessThanOrEqual(MOST_KB);
    // Pages that are not looked at come later.
    expect(asked.filter((path) => /\/(?:stays|codes|history|alerts)-page-/u.test(path))).toEqual([]);
  });

  test(`${LOCKS} changes at once touch each lock's row and activity alone`, async () => {
    const account = linked(LOCKS);
    const page = await open(account, 'en-US');
    await page.goto(visits.panel.url);
    await page.getByText(`Lock ${LOCKS}`, { exact: true }).waitFor();
    turnLocks(account, LOCKS, LOCKS);
    const last = (round: number) => page.getByText(`Turn ${(round + 1) * LOCKS - 1}`).first();
    await last(1).waitFor({ state: 'attached' });
    const rows = await page.locator('.rows .row').elementHandles();
    await page.evaluate(() => {
      Object.assign(globalThis, { changes: 0 });
      new MutationObserver((records) => {
        Object.assign(globalThis, { changes: Number(Reflect.get(globalThis, 'changes')) + records.length });
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    turnLocks(account, 2 * LOCKS, LOCKS);
    await last(2).waitFor({ state: 'attached' });
    await expect.poll(async () => page.locator('.rows .row').count()).toBe(LOCKS);
    const changes = await page.evaluate(() => Number(Reflect.get(globalThis, 'changes')));
    console.info(`Changes of the document for ${LOCKS} locks: ${changes}`);
    expect(changes).toBeGreaterThan(LOCKS);
    expect(changes).toBeLessThanOrEqual(MOST_CHANGES * LOCKS);
    // A row that is drawn anew would lose the place of a reader in it.
    const kept = await Promise.all(rows.map(async (row) => row.evaluate((element) => element.isConnected)));
    expect(kept.filter((isKept) => !isKept)).toEqual([]);
  });
});
