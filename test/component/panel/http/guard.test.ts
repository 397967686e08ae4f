// Who may reach the pages, tried on real sockets: every way of being called by a foreign name or from a foreign page.
import { describe, expect, it } from 'vitest';
import { type OpenDashboard, openPanel } from '../panel-visitor.ts';

const FOREIGN_HOSTS = [
  'evil.example',
  'evil.example:PORT',
  '127.0.0.1.evil.example:PORT',
  'localhost.evil.example:PORT',
  '127.0.0.1:1',
  'localhost',
  'localhost.:PORT',
  '192.168.1.20:PORT',
  '0.0.0.0:PORT',
  'user@127.0.0.1:PORT',
  '127.0.0.1:PORT, evil.example',
  '127.0.0.1:PORT/',
  '[::ffff:127.0.0.1]:PORT',
  '',
];
const OWN_HOSTS = ['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT'];

const FOREIGN_ORIGINS = [
  'http://evil.example',
  'https://127.0.0.1:PORT',
  'http://127.0.0.1:1',
  'http://127.0.0.1',
  'http://localhost:PORT',
  'http://127.0.0.1:PORT.evil.example',
  'http://127.0.0.1:PORT, http://evil.example',
  'null',
  '',
];

const withPort = (text: string, { server }: OpenDashboard): string =>
  text.replaceAll('PORT', String(server.port));

describe('a page of another site that makes its name point here (faults#60)', () => {
  it('is answered 421 under every foreign Host, with any address and Origin', async () => {
    const panel = await openPanel();
    const origins = [undefined, ...FOREIGN_ORIGINS, 'http://127.0.0.1:PORT'];
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/panel.js'],
      ['GET', '/api/session'],
      ['GET', '/api/events'],
      ['POST', '/api/call/lock'],
      ['POST', '/api/login'],
      ['OPTIONS', '/api/call/lock'],
      ['GET', '/nowhere'],
    ] as const) {
      for (const host of FOREIGN_HOSTS) {
        for (const origin of origins) {
          const headers = { host: withPort(host, panel), origin: origin && withPort(origin, panel) };
          const { status, text } = await panel.ask(path, { method, headers });
          expect([method, path, headers, status]).toEqual([method, path, headers, 421]);
          expect(text).not.toContain('csrf');
        }
      }
    }
    expect(panel.performed).toEqual([]);
    expect(panel.lines).toHaveLength(1);
  });

  it('is refused with a foreign Origin under our own name', async () => {
    const panel = await openPanel();
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/api/session'],
      ['GET', '/api/events'],
      ['POST', '/api/call/lock'],
      ['POST', '/api/login'],
      ['POST', '/api/logout'],
      ['OPTIONS', '/api/call/lock'],
      ['PUT', '/api/call/lock'],
    ] as const) {
      for (const origin of FOREIGN_ORIGINS) {
        const headers = { origin: withPort(origin, panel), 'content-type': 'application/json' };
        const answer = await panel.ask(path, { method, headers, body: method === 'GET' ? undefined : {} });
        expect([method, path, origin, answer.status]).toEqual([method, path, origin, 403]);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
    expect(panel.performed).toEqual([]);
  });

  it('is refused without a Host, or with two', async () => {
    const panel = await openPanel();
    const own = `127.0.0.1:${panel.server.port}`;
    const twice = await panel.ask('/', { headers: { host: [own, 'evil.example'] } });
    const none = await panel.ask('/', { headers: { host: undefined } });
    expect([twice.status, none.status]).toEqual([421, 421]);
  });
});

describe('the hosts of a panel', () => {
  it.each([
    ['127.0.0.1', OWN_HOSTS, ['hallway:PORT', 'hallway.local:PORT', '192.168.1.20:PORT']],
    ['localhost', OWN_HOSTS, ['hallway:PORT', '192.168.1.20:PORT']],
    ['192.168.1.20', ['192.168.1.20:PORT'], ['localhost:PORT', 'hallway:PORT', '192.168.1.21:PORT']],
    ['Hallway.lan', ['hallway.lan:PORT'], ['hallway:PORT', 'localhost:PORT']],
    [
      '0.0.0.0',
      [...OWN_HOSTS, 'hallway:PORT', 'hallway.local:PORT', 'HALLWAY.local:PORT', '192.168.1.20:PORT'],
      ['evil.example:PORT', '192.168.1.21:PORT', 'hallway.evil.example:PORT'],
    ],
  ])('on %s are %j and not %j', async (host, own, foreign) => {
    const panel = await openPanel({ host });
    const statusOf = async (name: string): Promise<number> =>
      (await panel.ask('/', { headers: { host: withPort(name, panel) } })).status;
    // Under the very address at which it was reached a panel always answers.
    for (const name of [...own, '127.0.0.1:PORT']) {
      expect([name, await statusOf(name)]).toEqual([name, 200]);
    }
    for (const name of foreign) {
      expect([name, await statusOf(name)]).toEqual([name, 421]);
    }
  });
});

describe('a page of another site that only sends (faults#61)', () => {
  it('is refused by what the browser says of it, even where it sends no Origin', async () => {
    const panel = await openPanel();
    const from = async (site: string, path: string, more = {}): Promise<number> =>
      (await panel.ask(path, { headers: { 'sec-fetch-site': site, ...more } })).status;
    for (const site of ['cross-site', 'same-site', 'anything']) {
      for (const path of ['/', '/panel.js', '/api/session', '/api/events']) {
        const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
        expect([path, await from(site, path)]).toEqual([path, 403]);
        expect([path, await from(site, path, frame)]).toEqual([path, 403]);
      }
    }
    const opened = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(await from('cross-site', '/', opened)).toBe(200);
    expect(await from('cross-site', '/api/session', opened)).toBe(403);
    expect(await from('cross-site', '/%61pi/session', opened)).toBe(403);
    expect(await from('same-origin', '/panel.js')).toBe(200);
    expect(await from('none', '/')).toBe(200);
  });

  it('changes nothing by a write without an Origin or the word of the session, or with another body than JSON', async () => {
    const panel = await openPanel();
    const lock = { body: { lock: 'front' } };
    const statuses = async (headers: Readonly<Record<string, string | undefined>>): Promise<number> =>
      (await panel.asPage('/api/call/lock', { ...lock, headers })).status;
    for (const csrf of ['', 'x', 'A'.repeat(43), 'A'.repeat(10_000)]) {
      expect(await statuses({ 'latchkey-csrf': csrf })).toBe(403);
    }
    for (const type of [
      '',
      'text/plain',
      'text/plain;application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/json+x',
    ]) {
      expect([type, await statuses({ 'content-type': type })]).toEqual([type, 415]);
      const empty = await panel.asPage('/api/call/status', { headers: { 'content-type': type } });
      expect([type, empty.status]).toEqual([type, 415]);
    }
    const none = await panel.asPage('/api/call/status', { headers: { 'content-type': undefined } });
    expect(none.status).toBe(415);
    expect(await statuses({ origin: undefined })).toBe(403);
    expect(panel.performed).toEqual([]);
    expect(await statuses({})).toBe(200);
    expect(panel.performed).toEqual([['lock', { lock: 'front' }]]);
  });
});

describe('a panel for this machine alone', () => {
  it.each([
    'forwarded',
    'x-forwarded-for',
    'X-Forwarded-Host',
    'x-forwarded-proto',
    'via',
    'x-real-ip',
    'cf-connecting-ip',
    'CF-Ray',
    'cdn-loop',
    'true-client-ip',
    'tailscale-user-login',
  ])('refuses what came through a proxy or tunnel, as %s tells, and says why (faults#63)', async (name) => {
    const panel = await openPanel();
    for (const path of ['/', '/panel.js', '/api/session']) {
      const { status, text } = await panel.ask(path, { headers: { [name]: '127.0.0.1' } });
      expect([path, status]).toEqual([path, 403]);
      expect(text).toContain('came through a proxy or tunnel');
    }
    expect(panel.lines).toEqual([expect.stringContaining('Take the dashboard out of it')]);
  });

  it('is stricter than one for other machines, which ignores such headers', async () => {
    const panel = await openPanel({ host: '0.0.0.0', loggedIn: false });
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '127.0.0.1' };
    expect((await panel.ask('/', { headers })).status).toBe(200);
    expect((await panel.ask('/api/session', { headers })).status).toBe(401);
    const foreign = { host: 'evil.example', 'x-forwarded-host': `127.0.0.1:${panel.server.port}` };
    expect((await panel.ask('/', { headers: foreign })).status).toBe(421);
  });
});
