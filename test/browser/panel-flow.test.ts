// From an installed plugin to locks that are listed, by a person with a browser: the real panel, the real account, the simulator.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { App } from '../../src/app/app.ts';
import type { Config } from '../../src/config/config.ts';
import { type Simulator, startSimulator } from '../../src/simulator/partner-server.ts';
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
  let config: Config;
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
    config = configOf({
      name: 'Latchkey',
      panel: { enabled: true, port },
      partner: { authUrl, baseUrl, redirectUri, allowInsecureLoopback: true },
    });
    await start();
    page = await visitor.open((await app.operations['panel.login']({})).url);
    await heading('Service details').waitFor();
  };

  const start = async (): Promise<void> => {
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

  /** Presses the button and answers the service's question in the tab that opens; resolves with that tab. */
  const consent = async (answer: 'Allow' | 'Deny'): Promise<Page> => {
    const opened = page.context().waitForEvent('page');
    await visitor.click(button('Sign in'));
    const tab = await opened;
    await tab.getByRole('button', { name: answer }).click();
    await page.bringToFront();
    return tab;
  };

  /** From the installation to the list of locks; resolves with the tab of the service. */
  const connect = async (): Promise<Page> => {
    await install(true);
    await enterCredentials();
    const tab = await consent('Allow');
    await heading('Locks').waitFor();
    return tab;
  };

  const done = async (): Promise<void> => {
    await button('Continue').click();
    await page.getByText('You’re connected.').waitFor();
    await button('Finish').click();
    await heading('Overview').waitFor();
  };

  const control = async (path: string, details: object): Promise<void> => {
    const answer = await fetch(`${simulator.controlUrl}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(details),
    });
    expect(answer.ok).toBe(true);
  };
  const turn = async (name: string, to: 'Locked' | 'Unlocked'): Promise<void> =>
    control(`locks/${encodeURIComponent(name)}/turn-thumbturn`, { to });

  test('the account is linked and its locks are listed with at most five clicks besides consent, and locked from there', async () => {
    const tab = await connect();
    expect(await seen(card('Front door'))).toBe(true);
    console.info(
      `From opening the page to locks that are listed: ${String(visitor.clicks)} clicks besides consent`,
    );
    expect(visitor.clicks).toBeLessThanOrEqual(MOST_CLICKS);
    // Neither tab keeps in its address or history what came back from the service.
    await tab.waitForLoadState();
    for (const one of [page, tab]) {
      expect(one.url()).not.toMatch(/code=|state=/u);
    }
    await done();
    await turn('Front door', 'Unlocked');
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
    await consent('Allow');
    await page.getByLabel('Paste the address from your browser').fill((await sentBack).url());
    await visitor.click(button('Continue'));
    await heading('Locks').waitFor();
    expect(await seen(card('Garage'))).toBe(true);
    expect(visitor.clicks).toBeLessThanOrEqual(MOST_CLICKS);
    visitor.complaints.splice(0);
  });

  test('a denial is shown in the tab and on the page, and can be reconsidered', async () => {
    await install(true);
    await enterCredentials();
    const tab = await consent('Deny');
    expect(await seen(tab.getByText('You denied access'))).toBe(true);
    expect(await seen(page.getByText('You denied access'))).toBe(true);
    await consent('Allow');
    expect(await seen(heading('Locks'))).toBe(true);
  });

  test('a revoked link is said at once, and repaired from the page without a restart', async () => {
    await connect();
    await done();
    await control('house/revoke', { userId: 'resident' });
    await button('Refresh now').click();
    // A refusal is asked about once more before the link is given up.
    await page.getByText('Home shows “No Response” until you connect again').waitFor({ timeout: 30_000 });
    await button('Connect again').click();
    await consent('Allow');
    await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await turn('Back door', 'Unlocked');
    await button('Refresh now').click();
    expect(await seen(card('Back door').getByText('Unlocked', { exact: true }))).toBe(true);
  });

  test.each([
    ['is dead', { kind: 'cut', when: 'before-work' }],
    ['takes calls and never answers', { kind: 'latency', delayMs: 600_000 }],
  ])(
    'the service %s: the page says so, calls nothing locked, and recovers by itself',
    async (_name, fault) => {
      await connect();
      await done();
      await card('Front door').getByText('Locked', { exact: true }).waitFor();
      // The listings of the guide are over then: at most two come in any five seconds.
      for (let look = 0; look < 2; look += 1) {
        await page.waitForResponse(/call\/watch$/u);
      }
      await control('house/inject-fault', { ...fault, often: 'always' });
      const banner = page.getByText('Locks show their last known position.');
      await banner.waitFor();
      expect(await seen(card('Front door').getByText('Was locked'))).toBe(true);
      expect(await page.getByRole('button', { name: 'Lock, Front door' }).count()).toBe(0);
      await control('house/clear-faults', {});
      await banner.waitFor({ state: 'hidden', timeout: 60_000 });
      expect(await seen(card('Front door').getByText('Locked', { exact: true }))).toBe(true);
    },
  );

  test('a hidden lock stays hidden, and entered settings survive a restart', async () => {
    await connect();
    await page.getByLabel('Show in Home, Garage').click();
    await button('Hide').click();
    await page.getByText('Saved. Garage was removed from Home.').waitFor();
    await app.dispose();
    await start();
    await page.goto((await app.operations['panel.login']({})).url);
    await page.reload();
    await heading('Overview').waitFor();
    expect(await seen(card('Garage').getByText('hidden from Home'))).toBe(true);
  });
});
