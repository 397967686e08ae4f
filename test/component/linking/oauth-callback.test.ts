// The ways back from the service's page, over real sockets: a browser of this machine, the public listener, or pasting.
import { createServer, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LINK_TIMEOUT_MS } from '../../../src/linking/link-machine.ts';
import { freePort } from '../../harness/free-port.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';
import { consent } from '../../stand-ins/service/simulated.ts';
import { inWords } from '../../support/in-words.ts';

interface Way {
  readonly home: SimulatedHome;
  readonly redirectUri: string;
}

/** A running account whose registered redirect URI is this. */
async function openWith(redirectUri: string, options: Readonly<Record<string, unknown>> = {}): Promise<Way> {
  const clients = [{ name: 'Latchkey', redirectUris: [redirectUri] }];
  const home = await SimulatedHome.open({ simulator: { scenario: { clients } }, options });
  // A browser that was sent on is not waited for any more.
  onTestFinished(async () => home.clock.advance(3_000));
  return { home, redirectUri };
}

async function openLocal(host = '127.0.0.1'): Promise<Way> {
  return openWith(`http://${host}:${String(await freePort())}/callback`);
}

/** A browser's request of an address: it follows no redirect by itself, so that a test sees each step. */
async function visit(address: string): Promise<Response> {
  return fetch(address, { redirect: 'manual' });
}

/** Whether anything listens there. */
async function isOpen(address: string): Promise<boolean> {
  return visit(address).then(
    () => true,
    () => false,
  );
}

async function tokenPosts({ home }: Way): Promise<number> {
  return home.count('POST', '/token');
}

describe('a redirect URI on this machine', () => {
  it.each(['127.0.0.1', 'localhost'])(
    'finishes linking without pasting, and leaves no code behind: %s',
    async (host) => {
      const way = await openLocal(host);
      const { operations } = way.home.app;
      const { authorizeUrl, callbackMode } = await operations['link.start']({});
      expect(callbackMode).toBe('by-itself');
      const back = await visit(await consent(authorizeUrl));
      expect([back.status, back.headers.get('location')]).toEqual([303, '?outcome=linked']);
      expect(back.headers.get('referrer-policy')).toBe('no-referrer');
      const page = await visit(`${way.redirectUri}?outcome=linked`);
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await page.text()).toContain('Account connected.');
      await way.home.clock.advance(0);
      expect(await operations['link.show']({})).toMatchObject({
        state: 'linked',
        ended: { outcome: 'linked' },
      });
    },
  );

  it('shows a refusal of the service, also on the page where linking began', async () => {
    const way = await openLocal();
    const events: string[] = [];
    way.home.app.subscribe(({ type }) => events.push(type));
    const { authorizeUrl } = await way.home.app.operations['link.start']({});
    const denied = new URL(await consent(authorizeUrl));
    denied.searchParams.delete('code');
    denied.searchParams.set('error', 'access_denied');
    expect((await visit(denied.href)).headers.get('location')).toBe('?outcome=denied');
    expect(events.filter((type) => type === 'linking')).toHaveLength(2);
    expect(inWords(await way.home.app.operations['link.show']({}))).toMatchObject({
      state: 'unlinked',
      waiting: null,
      ended: { outcome: 'denied', message: expect.stringContaining('choose Allow') as string },
    });
  });

  it('is open while a linking waits, and closed before and after', async () => {
    const way = await openLocal();
    const { operations } = way.home.app;
    expect(await isOpen(way.redirectUri)).toBe(false);
    await operations['link.start']({});
    expect(await isOpen(way.redirectUri)).toBe(true);
    await way.home.clock.advance(LINK_TIMEOUT_MS + 60_000);
    expect(await isOpen(way.redirectUri)).toBe(false);
    await way.home.link();
    expect(await isOpen(way.redirectUri)).toBe(true);
    await way.home.clock.advance(60_000);
    expect(await isOpen(way.redirectUri)).toBe(false);
  });

  it('waits for the redirected browser before it closes, and not for long', async () => {
    const way = await openLocal();
    const { authorizeUrl } = await way.home.app.operations['link.start']({});
    await visit(await consent(authorizeUrl));
    const closing = way.home.app.dispose();
    expect((await visit(`${way.redirectUri}?outcome=linked`)).status).toBe(200);
    await closing;
    expect(await isOpen(way.redirectUri)).toBe(false);
  });

  it('answers no foreign name and nothing but the callback', async () => {
    const way = await openLocal();
    await way.home.app.operations['link.start']({});
    const status = async (host: string, path: string, method = 'GET'): Promise<number | undefined> => {
      const { hostname, port } = new URL(way.redirectUri);
      return new Promise((resolve, reject) => {
        request({ hostname, port, path, method, headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    };
    const { host } = new URL(way.redirectUri);
    expect(await status('evil.example', '/callback?outcome=linked')).toBe(421);
    expect(await status(host, '/')).toBe(404);
    expect(await status(host, '/callback/more')).toBe(404);
    expect(await status(host, '/callback', 'POST')).toBe(405);
    expect(await status(host, '/callback?outcome=linked')).toBe(200);
  });

  it('whose port is taken leaves pasting as the way, as one elsewhere does', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      taken.close();
    });
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { readonly port: number };
    for (const redirectUri of [`http://127.0.0.1:${String(port)}/callback`, 'https://home.example/linked']) {
      const { home } = await openWith(redirectUri);
      expect(await home.app.operations['link.start']({})).toMatchObject({ callbackMode: 'paste' });
      await home.link();
      expect(home.app.runtime.linkState()).toBe('linked');
    }
  });
});

describe('a restart while a person is on the page of the service', () => {
  it('costs nothing: the browser comes back to the next process, which has its proof key', async () => {
    const way = await openLocal();
    const { authorizeUrl } = await way.home.app.operations['link.start']({});
    const genuine = await consent(authorizeUrl);
    await way.home.restart();
    expect(inWords(await way.home.app.operations['link.show']({}))).toMatchObject({
      waiting: {},
      ended: null,
    });
    expect((await visit(genuine)).headers.get('location')).toBe('?outcome=linked');
    await way.home.clock.advance(0);
    expect(way.home.app.runtime.linkState()).toBe('linked');
  });

  it('leaves the limit of ten minutes as it is', async () => {
    const { home } = await openLocal();
    await home.app.operations['link.start']({});
    await home.clock.advance(LINK_TIMEOUT_MS - 40_000);
    await home.restart();
    const { waiting } = await home.app.operations['link.show']({});
    expect(waiting?.expiresInMs).toBeLessThanOrEqual(40_000);
  });

  it('sends the answer of one service to no other that config.json names afterwards', async () => {
    const way = await openLocal();
    const { authorizeUrl } = await way.home.app.operations['link.start']({});
    const redirectedUrl = await consent(authorizeUrl);
    const { authUrl } = way.home.simulator;
    await way.home.restart({ partner: { authUrl: authUrl.replace('127.0.0.1', 'localhost') } });
    expect(inWords(await way.home.app.operations['link.show']({}))).toMatchObject({ waiting: null });
    await expect(way.home.app.operations['link.finish']({ redirectedUrl })).rejects.toThrow(
      'No sign-in is in progress',
    );
    expect(await tokenPosts(way)).toBe(0);
  });
});

it('a redirect URI that leads to the public listener is answered there', async () => {
  const port = await freePort();
  const way = await openWith('https://home.example/linked', {
    webhooks: { enabled: true, port, publicUrl: 'https://home.example' },
  });
  const { authorizeUrl, callbackMode } = await way.home.app.operations['link.start']({});
  expect(callbackMode).toBe('by-itself');
  const { pathname, search } = new URL(await consent(authorizeUrl));
  const behindTheProxy = `http://127.0.0.1:${String(port)}${pathname}${search}`;
  for (let time = 0; time < 2; time += 1) {
    expect((await visit(behindTheProxy)).headers.get('location')).toBe('?outcome=linked');
  }
  expect(await tokenPosts(way)).toBe(1);
});
