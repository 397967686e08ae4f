// Pages of other sites against the panel, in a real browser: requests, frames and readings that they try.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dashboardPlace } from '../../src/panel/http/place.ts';
import { type DashboardServer, startPanelServer } from '../../src/panel/http/server.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import { admit } from './account-panel.ts';
import { CHROMIUM, launchChromium } from './chromium.ts';

/** A name that an attacker gave this machine's address, as in DNS rebinding. */
const FOREIGN = 'evil.example';

describe.skipIf(CHROMIUM === undefined)('a page of another site', () => {
  let browser: Browser;
  let foreignServer: Server;
  /** Sites that are not ours: one of another name, and one that differs by its port alone. */
  let sites: readonly string[];
  let panel: DashboardServer;
  let origin: string;
  let performed: string[];
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await launchChromium([`--host-resolver-rules=MAP ${FOREIGN} 127.0.0.1`]);
    foreignServer = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Foreign</title>');
    }).listen(0, '127.0.0.1');
    await once(foreignServer, 'listening');
    const address = foreignServer.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    sites = [`http://${FOREIGN}:${port}`, `http://127.0.0.1:${port}`];
  });

  afterAll(async () => {
    await browser.close();
    foreignServer.close();
  });

  beforeEach(async () => {
    await openPanel('127.0.0.1');
    context = await browser.newContext();
    context.setDefaultTimeout(40_000);
    page = await context.newPage();
    complaints = [];
    page.on('console', (message) => complaints.push(message.text()));
  });

  afterEach(async () => {
    await context.close();
    await panel.close();
  });

  async function openPanel(host: string): Promise<void> {
    performed = [];
    const noting = async (): Promise<string> => {
      performed.push('lock');
      return 'done';
    };
    panel = await startPanelServer({
      // Bound to loopback in any case: a test opens no port of the machine.
      place: { ...dashboardPlace(host, { hostname: '', addresses: [] }), bindHost: '127.0.0.1' },
      port: 0,
      operations: { lock: noting, unlink: noting, forget: noting },
      callback: null,
      shelf: { read: () => undefined, write: () => {} },
      clock: systemClock,
      log: silentLog,
    });
    origin = `http://127.0.0.1:${panel.port}`;
  }

  /** Everything by which a page can make a browser send something to another site. Resolves when all is answered. */
  async function attack(): Promise<readonly string[]> {
    return page.evaluate(async (target) => {
      const results: string[] = [];
      const url = `${target}/api/call/lock`;
      const body = '{"lock":"front"}';
      const tryOut = async (name: string, send: () => Promise<unknown>): Promise<void> => {
        results.push(
          await send().then(
            (said) => `${name}: ${String(said)}`,
            () => `${name}: failed`,
          ),
        );
      };
      const read = async (path: string, init: RequestInit = {}): Promise<string> => {
        const answer = await fetch(target + path, init);
        return `${answer.type} ${String(answer.status)} ${await answer.text()}`;
      };
      const written = { method: 'POST', body, credentials: 'include' } as const;
      const json = { 'content-type': 'application/json', 'latchkey-csrf': 'guess' };
      await tryOut('fetch json', async () => read('/api/call/lock', { ...written, headers: json }));
      await tryOut('fetch text', async () => read('/api/call/lock', written));
      await tryOut('fetch blind', async () => read('/api/call/lock', { ...written, mode: 'no-cors' }));
      await tryOut('read session', async () => read('/api/session', { credentials: 'include' }));
      await tryOut('read session blind', async () => read('/api/session', { mode: 'no-cors' }));
      navigator.sendBeacon(url, new Blob([body], { type: 'text/plain' }));
      const element = async (name: 'img' | 'script', src: string): Promise<string> =>
        new Promise((resolve) => {
          const made = document.createElement(name);
          made.addEventListener('load', () => {
            resolve('loaded');
          });
          made.addEventListener('error', () => {
            resolve('failed');
          });
          made.src = src;
          document.body.append(made);
        });
      await tryOut('image', async () => element('img', url));
      await tryOut('script', async () => element('script', `${target}/panel.js`));
      await tryOut('events', async () => {
        const stream = new EventSource(`${target}/api/events`, { withCredentials: true });
        return new Promise((resolve) => {
          stream.addEventListener('open', () => {
            resolve('opened');
          });
          stream.addEventListener('error', () => {
            resolve('failed');
          });
        });
      });
      return results;
    }, origin);
  }

  /** Sends a form as a click does, and resolves with the status of the page that it leads to. */
  async function sendForm(enctype: string, name: string, value: string): Promise<number | undefined> {
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/call/lock'));
    await page.evaluate(
      ([action = '', kind = '', field = '', content = '']) => {
        const form = document.createElement('form');
        Object.assign(form, { action, method: 'post', enctype: kind });
        const input = document.createElement('input');
        Object.assign(input, { type: 'hidden', name: field, value: content });
        form.append(input);
        document.body.append(form);
        form.submit();
      },
      [`${origin}/api/call/lock`, enctype, name, value],
    );
    const response = await answered;
    await page.waitForURL(response.url());
    return response.status();
  }

  const FAILURES = [
    'fetch json: failed',
    'fetch text: failed',
    'fetch blind: failed',
    'read session: failed',
    'read session blind: failed',
    'image: failed',
    'script: failed',
    'events: failed',
  ];

  async function asOwnPage(token?: string): Promise<string> {
    await page.goto(origin);
    return page.evaluate(async (login) => {
      const headers = { 'content-type': 'application/json' };
      const post = async (path: string, more: object, body: object): Promise<Response> =>
        fetch(path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
      if (login !== undefined) {
        await post('/api/login', {}, { token: login });
      }
      const { csrf } = (await (await fetch('/api/session')).json()) as { csrf: string };
      return (await post('/api/call/lock', { 'latchkey-csrf': csrf }, { lock: 'front' })).text();
    }, token);
  }

  test('a foreign page changes and reads nothing with any request, while a person is logged in beside it (faults#61)', async () => {
    await admit(context, panel);
    for (const site of sites) {
      await page.goto(site);
      expect([site, await attack()]).toEqual([site, FAILURES]);
      for (const [enctype, name, value] of [
        ['application/x-www-form-urlencoded', 'lock', 'front'],
        ['multipart/form-data', 'lock', 'front'],
        ['text/plain', '{"lock":"front","x":"', '"}'],
      ] as const) {
        await page.goto(site);
        expect([site, enctype, await sendForm(enctype, name, value)]).toEqual([site, enctype, 403]);
      }
    }
    expect(performed).toEqual([]);
    // The same browser, from our own page: so it was not the test that failed.
    expect(await asOwnPage()).toBe('{"result":"done"}');
    expect(performed).toEqual(['lock']);
  });

  test('a foreign page does not get our cookie sent (faults#61)', async () => {
    await panel.close();
    await openPanel('0.0.0.0');
    expect(await asOwnPage(panel.mintLogin().token)).toBe('{"result":"done"}');
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const [cookie] = await context.cookies(origin);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    performed.length = 0;
    const [otherName = ''] = sites;
    await page.goto(otherName);
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/session'));
    expect(await attack()).toEqual(FAILURES);
    expect((await (await sent).allHeaders())['cookie']).toBeUndefined();
    expect(await sendForm('text/plain', '{"lock":"front","x":"', '"}')).toBe(403);
    // To a browser another port is the same site, and the cookie does go there: the other guards have to hold.
    const [, otherPort = ''] = sites;
    await page.goto(otherPort);
    expect(await attack()).toEqual(FAILURES);
    expect(await sendForm('text/plain', '{"lock":"front","x":"', '"}')).toBe(403);
    expect(performed).toEqual([]);
  });

  test('a foreign page cannot show ours in a frame, where clicks could be stolen (faults#62)', async () => {
    for (const site of sites) {
      complaints.length = 0;
      await page.goto(site);
      for (const tag of ['iframe', 'object', 'embed']) {
        await page.evaluate(
          ([name = '', src = '']) => {
            const frame = document.createElement(name);
            frame.setAttribute(name === 'object' ? 'data' : 'src', src);
            document.body.append(frame);
          },
          [tag, origin],
        );
      }
      await expect.poll(() => complaints.filter((line) => /frame/iu.test(line)).length).toBeGreaterThan(0);
      await page.waitForLoadState('networkidle');
      const shown = page
        .frames()
        .filter((frame) => frame !== page.mainFrame() && frame.url().startsWith(origin));
      expect(shown).toEqual([]);
      expect(complaints.join('\n')).toMatch(/X-Frame-Options|frame-ancestors/u);
    }
  });

  test('a foreign page cannot reach ours under its own name, even when that name has our address (faults#60)', async () => {
    const rebound = await page.goto(`http://${FOREIGN}:${panel.port}/`);
    expect(rebound?.status()).toBe(421);
    const said = await page.evaluate(async () => {
      const statuses = [];
      for (const path of ['/', '/panel.js', '/api/session', '/api/events']) {
        statuses.push((await fetch(path)).status);
      }
      const headers = { 'content-type': 'application/json', 'latchkey-csrf': 'guess' };
      statuses.push((await fetch('/api/call/lock', { method: 'POST', headers, body: '{}' })).status);
      return statuses;
    });
    expect(said).toEqual([421, 421, 421, 421, 421]);
    expect(performed).toEqual([]);
  });

  test('a foreign page may link to ours, and a person who follows finds it', async () => {
    for (const site of sites) {
      await page.goto(site);
      await page.evaluate((href) => {
        document.body.innerHTML = `<a href="${href}">to the pages</a>`;
      }, origin);
      const [response] = await Promise.all([
        page.waitForResponse(`${origin}/`),
        page.getByText('to the pages').click(),
      ]);
      expect([site, response.status()]).toEqual([site, 200]);
    }
  });
});
