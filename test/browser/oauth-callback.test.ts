// A real browser comes back from the service's page: the page that it shows, its address bar and its history.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App } from '../../src/app/app.ts';
import { type Simulator, startSimulator } from '../../src/simulator/partner-server.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import { freePort } from '../harness/free-port.ts';
import { platformBlock, RESIDENT } from '../homes/simulated-home.ts';
import { configOf } from '../support/checked-config.ts';
import { CHROMIUM, launchChromium } from './chromium.ts';

interface HistoryEntry {
  readonly url: string;
}

describe.skipIf(CHROMIUM === undefined)('a browser that comes back from the service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-way-back-'));
  let browser: Browser;
  let simulator: Simulator;
  let app: App;
  let redirectUri: string;

  beforeAll(async () => {
    browser = await launchChromium();
    redirectUri = `http://127.0.0.1:${String(await freePort())}/callback`;
    simulator = await startSimulator({
      scenario: { clients: [{ redirectUris: [redirectUri] }] },
      authorization: { autoApproveUserId: RESIDENT },
    });
    const config = configOf(platformBlock(simulator));
    app = new App({
      config,
      homebridgeFolder: folder,
      clock: systemClock,
      log: silentLog,
      random: () => 0.5,
      resident: false,
      onAskedToStepBack: () => false,
    });
    await app.start();
  });

  afterAll(async () => {
    await browser.close();
    await app.dispose();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('reads that the account is linked, and neither its address bar nor its history holds a code or a state', async () => {
    const { authorizeUrl } = await app.operations['link.start']({});
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(authorizeUrl);
    expect(page.url()).toBe(`${redirectUri}?outcome=linked`);
    await expect.poll(async () => page.locator('h1').textContent()).toBe('Account connected.');
    const devtools = await page.context().newCDPSession(page);
    const { entries } = await devtools.send('Page.getNavigationHistory');
    expect(entries.map(({ url }: HistoryEntry) => url)).toEqual([
      'about:blank',
      `${redirectUri}?outcome=linked`,
    ]);
    // The style by its hash is taken, and nothing else was asked for.
    expect(await page.locator('body').evaluate((body) => getComputedStyle(body).maxWidth)).toBe('576px');
    expect(faults.filter((fault) => !fault.includes('favicon'))).toEqual([]);
    await page.reload();
    await expect.poll(async () => page.locator('h1').textContent()).toBe('Account connected.');
    await page.close();
  });

  it('reads in words what was wrong, and the next step', async () => {
    await app.operations['link.start']({});
    const page = await browser.newPage();
    await page.goto(`${redirectUri}?code=canary&state=of-another`);
    expect(page.url()).toBe(`${redirectUri}?outcome=state-foreign`);
    await expect.poll(async () => page.locator('p').textContent()).toContain('belongs to another sign-in');
    await page.close();
  });
});
