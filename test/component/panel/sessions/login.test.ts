// Logging in to a panel: tokens that are good once, sessions that end, and the worth of a cookie.
import { describe, expect, it } from 'vitest';
import { type Answer, cookieOf, csrfIn, type OpenDashboard, openPanel } from '../panel-visitor.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function logIn(panel: OpenDashboard, token: unknown, headers = {}): Promise<Answer> {
  const own = { origin: `http://127.0.0.1:${panel.server.port}`, 'content-type': 'application/json' };
  return panel.ask('/api/login', { method: 'POST', headers: { ...own, ...headers }, body: { token } });
}

async function session(panel: OpenDashboard, cookie: string): Promise<number> {
  return (await panel.ask('/api/session', { headers: { cookie } })).status;
}

describe('a panel', () => {
  // A forwarder on this machine calls as every other program here does: from loopback, with any header.
  it('serves its page to every browser, and everything else only after a login (faults#94)', async () => {
    const panel = await openPanel({ loggedIn: false });
    expect((await panel.ask('/')).status).toBe(200);
    const calls = ['/api/call/status', '/api/call/lock', '/api/logout', '/api/call/nothing'];
    const answers = [
      ...['/api/session', '/api/events'].map(async (path) =>
        panel.ask(path, { headers: { cookie: undefined } }),
      ),
      ...calls.map(async (path) => panel.asPage(path, { body: {} })),
    ];
    for (const { status, text } of await Promise.all(answers)) {
      expect(status).toBe(401);
      expect(text).not.toContain('csrf');
    }
    expect(panel.performed).toEqual([]);
  });

  it('exchanges a token once for a session, in a cookie that no script reads and no foreign page sends', async () => {
    const panel = await openPanel({ loggedIn: false });
    const token = panel.mint();
    // 256 bits.
    expect(token).toMatch(/^[\w-]{43}$/u);
    const first = await logIn(panel, token);
    expect(first.status).toBe(200);
    const name = `latchkey-${panel.server.port}`;
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^${name}=[\\w-]{43}; Path=/; Max-Age=86400; HttpOnly; SameSite=Strict$`, 'u'),
      ),
    ]);
    const cookie = cookieOf(first);
    expect(cookie).not.toContain(token);
    const answer = await panel.asPage('/api/call/status', { headers: { cookie }, body: {} });
    expect([answer.status, answer.text]).toEqual([200, '{"result":{"did":"status"}}']);
    const second = await logIn(panel, token);
    expect([second.status, cookieOf(second)]).toEqual([401, '']);
  });

  it('accepts no token after five minutes, and none that it never made', async () => {
    const panel = await openPanel({ loggedIn: false });
    const [late, inTime] = [panel.mint(), panel.mint()];
    await panel.clock.advance(5 * MINUTE_MS - 1);
    expect((await logIn(panel, inTime)).status).toBe(200);
    await panel.clock.advance(1);
    expect((await logIn(panel, late)).status).toBe(401);
    for (const token of ['', 'A'.repeat(43), 17, null, undefined, { $ne: '' }, ['a'], 'x'.repeat(10_000)]) {
      expect((await logIn(panel, token)).status).toBe(401);
    }
  });

  it('ends a session after an hour without a request, and by a log-out', async () => {
    const panel = await openPanel({ loggedIn: false });
    const begin = async (): Promise<string> => cookieOf(await logIn(panel, panel.mint()));
    const idle = await begin();
    await panel.clock.advance(HOUR_MS - 1);
    expect(await session(panel, idle)).toBe(200);
    await panel.clock.advance(HOUR_MS);
    expect(await session(panel, idle)).toBe(401);

    const [leaving, staying] = [await begin(), await begin()];
    const left = await panel.asPage('/api/logout', { headers: { cookie: leaving }, body: {} });
    expect([left.status, left.headers['set-cookie']?.[0]]).toEqual([
      204,
      expect.stringContaining('=; Path=/; Max-Age=0'),
    ]);
    expect([await session(panel, leaving), await session(panel, staying)]).toEqual([401, 200]);
  });

  it('withdraws every session and unused login when a person logs out everywhere', async () => {
    const panel = await openPanel({ loggedIn: false });
    const [mine, theirs] = [await logIn(panel, panel.mint()), await logIn(panel, panel.mint())];
    const unused = panel.mint();
    const headers = { cookie: cookieOf(mine) };
    expect((await panel.asPage('/api/logout', { headers, body: { everywhere: true } })).status).toBe(204);
    expect([await session(panel, cookieOf(mine)), await session(panel, cookieOf(theirs))]).toEqual([
      401, 401,
    ]);
    expect((await logIn(panel, unused)).status).toBe(401);
  });

  it('gives every session a word for writes, which is worth nothing in another session', async () => {
    const panel = await openPanel({ loggedIn: false });
    const [mine, theirs] = [await logIn(panel, panel.mint()), await logIn(panel, panel.mint())];
    const headers = { cookie: cookieOf(mine), 'latchkey-csrf': csrfIn(theirs.text) };
    expect(csrfIn(theirs.text)).not.toBe(csrfIn(mine.text));
    expect((await panel.asPage('/api/call/lock', { headers, body: {} })).status).toBe(403);
  });

  it('reads a cookie strictly', async () => {
    const panel = await openPanel({ loggedIn: false });
    const cookie = cookieOf(await logIn(panel, panel.mint()));
    const [name = '', id = ''] = cookie.split('=');
    expect(await session(panel, `other=1; ${cookie}; more=2`)).toBe(200);
    for (const wrong of [
      `${cookie}; ${cookie}`,
      `${name}=${id.slice(1)}`,
      `${name}=${id}x`,
      `${name}="${id}"`,
      `x${cookie}`,
      `${name}x=${id}`,
      `latchkey-1=${id}`,
      `${name}=`,
      id,
    ]) {
      expect([wrong, await session(panel, wrong)]).toEqual([wrong, 401]);
    }
  });

  it('holds few tokens and sessions, and drops the oldest', async () => {
    const panel = await openPanel({ loggedIn: false });
    const tokens = Array.from({ length: 9 }, () => panel.mint());
    expect((await logIn(panel, tokens[0])).status).toBe(401);
    expect((await logIn(panel, tokens[1])).status).toBe(200);
    const cookies: string[] = [];
    for (let count = 0; count < 33; count += 1) {
      await panel.clock.advance(1);
      cookies.push(cookieOf(await logIn(panel, panel.mint())));
    }
    expect(await session(panel, cookies[0] ?? '')).toBe(401);
    expect(await session(panel, cookies[1] ?? '')).toBe(200);
  });

  it('limits wrong tokens of all clients together, and always accepts a right one', async () => {
    const panel = await openPanel({ host: '0.0.0.0', loggedIn: false });
    const statuses: number[] = [];
    for (let count = 0; count < 22; count += 1) {
      statuses.push((await logIn(panel, 'wrong', { 'x-forwarded-for': `10.0.0.${count}` })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429]);
    expect((await logIn(panel, 'wrong')).headers['retry-after']).toBe('3');
    expect((await logIn(panel, panel.mint())).status).toBe(200);
    await panel.clock.advance(3_000);
    expect((await logIn(panel, 'wrong')).status).toBe(401);
  });
});
