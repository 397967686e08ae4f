// The OAuth callback at the listener, over real HTTP: the address that it hands over, and the pages that it shows.
import { describe, expect, it } from 'vitest';
import { linkCallback } from '../../../src/linking/link-callback.ts';
import { FinalError } from '../../../src/support/errors.ts';
import { openListener } from './fixture.ts';

describe('the OAuth callback', () => {
  const REDIRECT_URI = 'https://home.example/linked/back';

  /** The listener as it serves a linking that ends like this, and the addresses it was handed. */
  async function openTo(finish: () => Promise<void>, redirectUri = REDIRECT_URI) {
    const seen: string[] = [];
    const callback = linkCallback(redirectUri, async (url) => {
      seen.push(url);
      await finish();
    });
    const { listener } = await openListener({ callback });
    const visit = async (target: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${listener.address}${target}`, { redirect: 'manual', ...init });
    return { listener, seen, visit };
  }

  it('hands over the whole address under the registered origin, and redirects the browser to one without the code', async () => {
    const { seen, visit } = await openTo(async () => Promise.resolve());
    const response = await visit('/linked/back?state=s&code=c%2B1', {
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    expect(response.status).toBe(303);
    expect(await response.text()).toBe('');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      location: '?outcome=linked',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(seen).toEqual([`${REDIRECT_URI}?state=s&code=c%2B1`]);
    expect(await visit('/linked/back?code=x', { method: 'HEAD' })).toMatchObject({ status: 404 });
    expect(seen).toHaveLength(1);
  });

  it.each(['/c%61llback', '/call%20back', '/call%2Fback', '/100%25', '/call*back', '/call:back'])(
    'is served at %s as it is registered, escapes, stars and colons included',
    async (path) => {
      const redirectUri = `https://home.example${path}`;
      const { seen, visit } = await openTo(async () => Promise.resolve(), redirectUri);
      expect((await visit(`${path}?state=s&code=c`)).status).toBe(303);
      expect(seen).toEqual([`${redirectUri}?state=s&code=c`]);
    },
  );

  it('shows the outcome there, on a page that is not cached, framed or scripted', async () => {
    const { seen, visit } = await openTo(async () => Promise.resolve());
    const response = await visit('/linked/back?outcome=linked');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('Account connected.');
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('script-src');
    expect(seen).toEqual([]);
  });

  it('tells the person why linking failed, without the address', async () => {
    const { listener, visit } = await openTo(async () =>
      Promise.reject(new FinalError('bad-request', 'canary', { reason: 'denied' })),
    );
    const sentOn = await visit('/linked/back?code=canary');
    expect([sentOn.status, sentOn.headers.get('location')]).toEqual([303, '?outcome=denied']);
    const page = await visit('/linked/back?outcome=denied');
    expect(page.status).toBe(400);
    const text = await page.text();
    expect(text).toContain('You denied access');
    expect(text).not.toContain('canary');
    expect(listener.counts()).toMatchObject({ 'not-linked': 1, 'link-page': 1 });
  });

  it.each(['anything', '<script>', 'linked&code=x', 'toString'])(
    'shows no page for an outcome that it does not know: %s',
    async (word) => {
      const { visit } = await openTo(async () => Promise.reject(new FinalError('bad-request', 'No.')));
      const response = await visit(`/linked/back?outcome=${word}`);
      expect([response.status, response.headers.get('location')]).toEqual([303, '?outcome=failed']);
    },
  );

  it('shows no detail of an error in our code', async () => {
    const { visit } = await openTo(async () => Promise.reject(new Error('canary')));
    const response = await visit('/linked/back?code=x');
    expect([response.status, response.headers.get('location')]).toEqual([303, '?outcome=failed']);
    expect(await (await visit('/linked/back?outcome=failed')).text()).not.toContain('canary');
  });
});
