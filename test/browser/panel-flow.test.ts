// From an installed plugin to locks that are listed, by a person with a browser: the real panel, the real account, the simulator.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/src/partner-server.ts';
import { App } from '../../src/app/app.ts';
import { systemClock } from '../../src/support/clock.ts';
import { freePort } from '../harness/free-port.ts';
import { configOf } from '../support/checked-config.ts';
import { CHROMIUM } from './chromium.ts';
import { seen, Visitor } from './visitor.ts';

/** The clicks from opening the page to listed locks, besides those on the service's own page. */
const MOST_CLICKS = 5;

describe.skipIf(CHROMIUM === undefined)('from the panel alone', () => {
  let visitor: Visitor;
  let simulator: Simulator;
  let folder: string;
  let app: App;
  let url: string;
  let page: Page;
  /** Every line of the log, debug included. */
  let lines: string[];

  beforeAll(async () => {
    visitor = await Visitor.ofTests();
  });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-flow-'));
    lines = [];
  });

  afterEach(async () => {
    await visitor.leave();
    await app.dispose();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** `isReached`: the redirect URI leads to the panel, so that the callback needs no pasting. */
  const install = async (isReached: boolean): Promise<void> => {
    const port = await freePort();
    url = `http://127.0.0.1:${String(port)}/`;
    const redirectUri = isReached ? `${url}callback` : 'https://home.example/callback';
    simulator = await startSimulator({
      scenario: { clients: [{ name: 'Homebridge Latchkey', redirectUris: [redirectUri] }] },
    });
    const { authUrl, baseUrl } = simulator;
    const config = configOf({
      name: 'Latchkey',
      panel: { enabled: true, port },
      partner: { authUrl, baseUrl, redirectUri, allowInsecureLoopback: true },
    });
    const say = (line: string): void => {
      lines.push(line);
    };
    app = new App({
      config,
      homebridgeFolder: folder,
      clock: systemClock,
      log: { debug: say, info: say, warn: say, error: say },
      random: () => 0.5,
      resident: true,
      onAskedToStepBack: () => false,
    });
    await app.start();
    page = await visitor.open((await app.operations['panel.login']({})).url);
    await heading('Service details').waitFor();
  };

  const heading = (name: string): Locator => page.getByRole('heading', { level: 2, name });
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const card = (name: string): Locator => page.getByRole('article', { name });
  const client = () => {
    const [first] = simulator.clients;
    if (first === undefined) {
      throw new Error('The simulator has no client');
    }
    return first;
  };

  const enterCredentials = async (): Promise<void> => {
    const { clientId, clientSecret, subscriptionKeys } = client();
    await page.getByLabel('Client ID', { exact: true }).fill(clientId);
    await page.getByLabel('Client secret', { exact: true }).fill(clientSecret);
    await page.getByLabel('Subscription key', { exact: true }).fill(subscriptionKeys[0]);
    await visitor.click(button('Save and continue'));
    await heading('Connect').waitFor();
  };

  /** Signs in and allows access in the tab that opens; resolves with that tab. */
  const consent = async (): Promise<Page> => {
    const opened = page.context().waitForEvent('page');
    await visitor.click(button('Sign in'));
    const tab = await opened;
    await tab.getByRole('button', { name: 'Allow' }).click();
    await page.bringToFront();
    return tab;
  };

  test('the account is linked and its locks are listed with at most five clicks besides consent, and locked from there', async () => {
    await install(true);
    await enterCredentials();
    const tab = await consent();
    await heading('Locks').waitFor();
    expect(await seen(card('Front door'))).toBe(true);
    console.info(
      `From opening the page to locks that are listed: ${String(visitor.clicks)} clicks besides consent`,
    );
    expect(visitor.clicks).toBeLessThanOrEqual(MOST_CLICKS);
    // The page at the end of the callback has its style, which its policy allows by its hash.
    await tab.getByRole('heading', { name: 'Account connected.' }).waitFor();
    expect(await tab.locator('body').evaluate((body) => getComputedStyle(body).maxWidth)).toBe('576px');
    expect(tab.url()).toBe(`${url}callback?outcome=linked`);
    // Neither tab keeps in its history what came back from the service.
    for (const one of [page, tab]) {
      const devtools = await page.context().newCDPSession(one);
      const { entries } = await devtools.send('Page.getNavigationHistory');
      expect(entries.map((entry) => entry.url).join('\n')).not.toContain('code=');
    }
    await button('Continue').click();
    await page.getByText('You’re connected.').waitFor();
    await button('Finish').click();
    await heading('Overview').waitFor();
    simulator.world.turnThumbturn(simulator.world.deviceIds()[0] ?? '', 'Unlocked');
    await page.getByText('All is well').click();
    await button('Refresh now').click();
    await card('Front door').getByText('Unlocked', { exact: true }).waitFor();
    await button('Lock, Front door').click();
    expect(await seen(card('Front door').getByText('Locked', { exact: true }))).toBe(true);
    const { clientSecret, subscriptionKeys } = client();
    for (const secret of [clientSecret, subscriptionKeys[0]]) {
      expect(lines.join('\n')).not.toContain(secret);
      expect(await page.content()).not.toContain(secret);
    }
  });

  test('the address is pasted where the redirect URI leads nowhere', async () => {
    await install(false);
    await enterCredentials();
    // Nothing answers there, as at most homes: what counts is the address.
    await page.context().route('https://home.example/**', async (route) => route.abort());
    const sentBack = page
      .context()
      .waitForEvent('request', (request) => request.url().startsWith('https://home.example/'));
    await consent();
    await page.getByLabel('Paste the address from your browser').fill((await sentBack).url());
    await visitor.click(button('Continue'));
    await heading('Locks').waitFor();
    expect(await seen(card('Garage'))).toBe(true);
    expect(visitor.clicks).toBeLessThanOrEqual(MOST_CLICKS);
    visitor.complaints.splice(0);
  });
});
