// The OAuth callback over the panel: open to the browser that comes from the service, and good for nothing else.
import { expect, it } from 'vitest';
import { linkCallback } from '../../../../src/linking/link-callback.ts';
import { FinalError } from '../../../../src/support/errors.ts';
import { type OpenDashboard, openPanel } from '../panel-visitor.ts';

const REDIRECT_URI = 'http://127.0.0.1:18582/callback';
const FROM_THE_SERVICE = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

async function openWithCallback(
  host = '0.0.0.0',
  redirectUri = REDIRECT_URI,
): Promise<OpenDashboard & { readonly finished: string[] }> {
  const finished: string[] = [];
  const callback = linkCallback(redirectUri, async (redirectedUrl) => {
    finished.push(redirectedUrl);
    if (!redirectedUrl.includes('state=right')) {
      throw new FinalError('bad-request', 'No.', { reason: 'state-foreign' });
    }
  });
  return { ...(await openPanel({ host, callback })), finished };
}

it('the callback needs no login, hands code and state over once, and leaves neither in the address', async () => {
  const panel = await openWithCallback();
  const back = await panel.ask('/callback?code=c-1&state=right', { headers: FROM_THE_SERVICE });
  expect([back.status, back.headers.location]).toEqual([303, '?outcome=linked']);
  expect(panel.finished).toEqual([`${REDIRECT_URI}?code=c-1&state=right`]);
  const page = await panel.ask('/callback?outcome=linked', { headers: FROM_THE_SERVICE });
  expect([page.status, page.text.includes('c-1')]).toEqual([200, false]);
  expect(page.headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
  expect(panel.finished).toHaveLength(1);
});

it.each(['/c%61llback', '/call%20back', '/call%2Fback', '/caf%C3%A9', '/100%25', '/call:back', '/call*back'])(
  'the callback is served at %s as it is registered, escapes, colons and stars included',
  async (path) => {
    const redirectUri = `http://127.0.0.1:18582${path}`;
    const panel = await openWithCallback('0.0.0.0', redirectUri);
    const { status, headers } = await panel.ask(`${path}?code=c-1&state=right`, {
      headers: FROM_THE_SERVICE,
    });
    expect([status, headers.location]).toEqual([303, '?outcome=linked']);
    expect(panel.finished).toEqual([`${redirectUri}?code=c-1&state=right`]);
  },
);

it('the callback sends the browser only to its own page, whatever the query contains (faults#58)', async () => {
  const panel = await openWithCallback();
  const elsewhere = encodeURIComponent('https://evil.example/');
  for (const query of [
    `code=c&state=right&returnTo=${elsewhere}`,
    `code=c&state=${elsewhere}&redirect=${elsewhere}`,
    `outcome=${elsewhere}`,
    `outcome=linked&next=${elsewhere}`,
    '/evil.example',
  ]) {
    const { headers, text } = await panel.ask(`/callback?${query}`);
    expect(headers.location ?? '?outcome=').toMatch(/^\?outcome=[a-z-]*$/u);
    expect(text).not.toContain('evil.example');
  }
});

it('the callback is refused in a frame, from a script, under a foreign name, and by any other method (faults#56)', async () => {
  const panel = await openWithCallback('127.0.0.1');
  const path = '/callback?code=c-1&state=right';
  const statusOf = async (headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number> =>
    (await panel.ask(path, { method, headers })).status;
  expect(await statusOf({ ...FROM_THE_SERVICE, 'sec-fetch-dest': 'iframe' })).toBe(403);
  expect(await statusOf({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toBe(403);
  expect(await statusOf({ origin: 'http://evil.example' })).toBe(403);
  expect(await statusOf({ host: `evil.example:${panel.server.port}` })).toBe(421);
  expect(await statusOf({ 'x-forwarded-for': '203.0.113.1' })).toBe(403);
  expect(await statusOf({ origin: `http://127.0.0.1:${panel.server.port}` }, 'POST')).toBe(404);
  expect(panel.finished).toEqual([]);
});

it('the callback limits wrong answers, and always accepts the right one', async () => {
  const panel = await openWithCallback();
  const statuses: number[] = [];
  for (let count = 0; count < 22; count += 1) {
    statuses.push((await panel.ask(`/callback?code=c&state=wrong-${count}`)).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 303), 429, 429]);
  const right = await panel.ask('/callback?code=c&state=right');
  expect(right.headers.location).toBe('?outcome=linked');
});
