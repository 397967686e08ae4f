// The panel's server on real sockets: its pages, the operations that a page may use, and what happens as it happens.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import type { PanelEvent } from '../../../../src/panel/panel-event.ts';
import type { Operations } from '../../../../src/panel/socket/server.ts';
import {
  FinalError,
  RelinkError,
  RetryError,
  UncertainError,
  WaitError,
} from '../../../../src/support/errors.ts';
import { listen, openPanel } from '../panel-visitor.ts';

const FRONT = lockId('front');

/** Resolves when the stream has ended, however it did. */
async function closeOf(response: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('close', resolve);
  return promise;
}

/** Operations of which one ends in that error. */
function failing(error: Error): Operations {
  return {
    status: async () => {
      throw error;
    },
  };
}

describe('the pages', () => {
  it('are served as built, with headers that bind the browser', async () => {
    const panel = await openPanel();
    const page = await panel.ask('/');
    expect([page.status, page.text]).toEqual([200, '<!doctype html><title>Pages</title>']);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect((await panel.ask('/panel.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it('are not sent again to a browser that has them cached', async () => {
    const panel = await openPanel();
    const { etag = '' } = (await panel.ask('/')).headers;
    const again = await panel.ask('/', { headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await panel.ask('/panel.js', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'gzip', 'as gzip'],
    ['gzip', 'gzip', 'as gzip'],
    ['gzip;q=0, identity', undefined, 'export {};'],
    [undefined, undefined, 'export {};'],
  ])(
    'are sent as compressed by the build where a browser takes that: %s',
    async (accepted, encoding, text) => {
      const panel = await openPanel();
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
      const answer = await panel.ask('/named-a1B2_3-d.js', { headers });
      expect([answer.headers['content-encoding'], answer.text]).toEqual([encoding, text]);
      expect(answer.headers).toMatchObject({ vary: 'accept-encoding' });
    },
  );

  it('are cached for good where their name changes with their content, and revalidated otherwise', async () => {
    const panel = await openPanel();
    const kept = async (path: string) => (await panel.ask(path)).headers['cache-control'];
    expect(await kept('/named-a1B2_3-d.js')).toBe('max-age=31536000, immutable');
    expect(await kept('/panel.js')).toBe('no-cache');
    expect((await panel.ask('/named-a1B2_3-d.js.gz')).status).toBe(404);
  });

  it('are the only files that are served: no other file, no path out of the folder, no other method', async () => {
    const panel = await openPanel();
    for (const path of [
      '/secret.sqlite',
      '/index.html',
      '/../package.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/..%2fpackage.json',
      '//panel.js',
      '/panel.js/',
      '/api',
      '/api/',
      '/api/call',
    ]) {
      const { status, text, headers } = await panel.ask(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain('Nothing is here.');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
    const origin = `http://127.0.0.1:${panel.server.port}`;
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
      expect((await panel.ask('/', { method, headers: { origin } })).status).toBe(404);
    }
    expect((await panel.ask('/%zz')).status).toBe(400);
    expect((await panel.ask('http://evil.example/')).status).toBe(421);
  });

  it('explain the missing build, and the rest works', async () => {
    const panel = await openPanel({ pagesFolder: '/nowhere' });
    const { status, text } = await panel.ask('/');
    expect([status, text]).toEqual([503, expect.stringContaining('The pages are not built.')]);
    expect(panel.lines).toEqual([expect.stringContaining('The pages are not built.')]);
    expect((await panel.ask('/api/session')).status).toBe(200);
  });

  it('redirect to no other site, whatever the address asks for (faults#58)', async () => {
    const panel = await openPanel();
    const elsewhere = encodeURIComponent('https://evil.example/');
    const names = 'returnTo return_to redirect redirect_uri next url continue to state code';
    const query = names
      .split(' ')
      .map((name) => `${name}=${elsewhere}`)
      .join('&');
    const paths = ['/', '/panel.js', '/api/session', '/nowhere', '/login', '/callback'];
    for (const path of [...paths, `//${elsewhere}`]) {
      const { status, headers, text } = await panel.ask(`${path}?${query}`);
      expect(status < 300 || status >= 400).toBe(true);
      expect([headers.location, headers['refresh']]).toEqual([undefined, undefined]);
      expect(text).not.toContain('evil.example');
    }
    for (const path of ['/api/login', '/api/logout', '/api/call/status']) {
      const { status, headers } = await panel.asPage(`${path}?${query}`, { body: { returnTo: elsewhere } });
      expect(status < 300 || status >= 400).toBe(true);
      expect(headers.location).toBeUndefined();
    }
  });
});

describe('an operation', () => {
  it('is performed with its input when a page may ask for it', async () => {
    const panel = await openPanel();
    const asked = await panel.asPage('/api/call/lock', { body: { lock: 'front' } });
    expect([asked.status, asked.headers['cache-control'], JSON.parse(asked.text)]).toEqual([
      200,
      'no-store',
      { result: { did: 'lock' } },
    ]);
    await panel.asPage('/api/call/status', { body: '' });
    expect(panel.performed).toEqual([
      ['lock', { lock: 'front' }],
      ['status', undefined],
    ]);
  });

  it('is not found when no page may use it: none unlocks, none makes a login (faults#80)', async () => {
    const panel = await openPanel();
    const none = ['unlock', 'constructor', '__proto__', 'toString', ''];
    for (const name of ['move', 'panel.login', 'step-back', ...none]) {
      expect([name, (await panel.asPage(`/api/call/${name}`, { body: {} })).status]).toEqual([name, 404]);
    }
    expect(panel.performed).toEqual([]);
  });

  it.each([
    [
      new FinalError('bad-request', 'The lock is missing.'),
      400,
      { disposition: 'final', code: 'bad-request' },
    ],
    [new FinalError('refused', 'No.', { reason: 'jammed' }), 409, { code: 'refused', reason: 'jammed' }],
    [new FinalError('not-owner', 'Another process has it.'), 409, { code: 'not-owner' }],
    [new FinalError('not-permitted', 'Not here.'), 409, { code: 'not-permitted' }],
    [new RetryError('unreachable', 'Nobody answers.'), 503, { disposition: 'retry', code: 'unreachable' }],
    [new WaitError('rate-limited', 'Later.', 90_000), 429, { disposition: 'wait', waitMs: 90_000 }],
    [new RelinkError('revoked', 'Link again.'), 409, { disposition: 'relink', code: 'revoked' }],
    [new UncertainError('Nobody knows.'), 500, { disposition: 'uncertain', code: 'reply-lost' }],
  ])('that rejects with %s answers %i and the error as it is', async (error, status, view) => {
    const panel = await openPanel({ operations: failing(error) });
    const answer = await panel.asPage('/api/call/status', { body: {} });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { message: error.message, ...view } });
    expect(answer.headers['retry-after']).toBe(status === 429 ? '90' : undefined);
  });

  it('that fails in an unexpected way says so without details, which are for the log', async () => {
    const fault = new TypeError('at /home/pi/secret.ts');
    const panel = await openPanel({ operations: failing(fault) });
    const answer = await panel.asPage('/api/call/status', { body: {} });
    expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('"uncertain"')]);
    expect(answer.text).not.toContain('secret.ts');
    expect(panel.lines).toEqual([expect.stringContaining('secret.ts')]);
  });

  it('is refused in words when its input is too large, no JSON, or would change the prototype of all objects', async () => {
    const panel = await openPanel();
    const errorOf = async (body: string): Promise<readonly [number, unknown]> => {
      const { status, text } = await panel.asPage('/api/call/status', { body });
      return [status, (JSON.parse(text) as { error: { code: unknown } }).error.code];
    };
    expect(await errorOf('{no')).toEqual([400, 'bad-request']);
    expect(await errorOf('{"__proto__": {"a": 1}}')).toEqual([400, 'bad-request']);
    expect(await errorOf(`"${'x'.repeat(65_600)}"`)).toEqual([413, 'bad-request']);
    expect(panel.performed).toEqual([]);
    expect(panel.lines).toEqual([]);
  });

  it('waits its turn when too many are under way', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const panel = await openPanel({ operations: { status: async () => promise } });
    const calls = Array.from({ length: 33 }, async () => panel.asPage('/api/call/status', { body: {} }));
    expect((await Promise.race(calls)).status).toBe(429);
    resolve('done');
    const statuses = (await Promise.all(calls)).filter(({ status }) => status === 200);
    expect(statuses).toHaveLength(32);
    expect((await panel.asPage('/api/call/status', { body: {} })).status).toBe(200);
  });
});

describe('an event of the account', () => {
  it('is sent to every open page as it happens', async () => {
    const panel = await openPanel();
    const pages = [await listen(panel), await listen(panel)];
    expect(pages[0]?.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(pages[0]?.response.headers['content-security-policy']).toContain("default-src 'none'");
    panel.server.publish({ type: 'link', link: 'linked' });
    panel.server.publish({ type: 'lock-removed', id: FRONT, name: 'a\nb\n\ndata: forged' });
    await vi.waitFor(() => {
      for (const { said } of pages) {
        expect(said.join('')).toBe(
          'retry: 2000\n\ndata: {"type":"link","link":"linked"}\n\ndata: {"type":"lock-removed","id":"front","name":"a\\nb\\n\\ndata: forged"}\n\n',
        );
      }
    });
  });

  it('throws nothing into the account when it cannot be sent', async () => {
    const panel = await openPanel();
    const { said } = await listen(panel);
    const unsendable = { type: 'codes', id: 1n } as unknown as PanelEvent;
    panel.server.publish(unsendable);
    panel.server.publish({ type: 'guests' });
    await expect.poll(() => said.join('')).toContain('data: {"type":"guests"}');
    expect(panel.lines).toEqual([expect.stringContaining('An event could not be sent to the dashboard')]);
  });

  it('is sent over a stream that beats every two seconds for as long as a page listens (faults#96), and costs no timer later', async () => {
    const panel = await openPanel();
    const { response, said } = await listen(panel);
    await panel.clock.advance(10 * 60_000);
    await expect.poll(() => said.join('').split('event: heartbeat\ndata:\n\n')).toHaveLength(301);
    expect([response.closed, panel.clock.pendingTimers]).toEqual([false, 1]);
    panel.server.publish({ type: 'guests' });
    await expect.poll(() => said.join('')).toContain('data: {"type":"guests"}');
    response.destroy();
    await expect.poll(() => panel.clock.pendingTimers).toBe(0);
  });

  it('is sent to sixteen pages, and another one is asked to wait', async () => {
    const panel = await openPanel();
    for (let count = 0; count < 16; count += 1) {
      expect((await listen(panel)).response.statusCode).toBe(200);
    }
    const { response } = await listen(panel);
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '1']);
  });

  it('is not queued without end for a page that does not read', async () => {
    const panel = await openPanel();
    const { response } = await listen(panel);
    response.pause();
    response.socket.pause();
    const closed = closeOf(response);
    for (let count = 0; count < 64; count += 1) {
      panel.server.publish({ type: 'lock-removed', id: FRONT, name: 'x'.repeat(256 * 1024) });
    }
    response.resume();
    response.socket.resume();
    await closed;
    expect(response.complete).toBe(false);
  });

  it('is no longer sent to a page that has logged out', async () => {
    const panel = await openPanel({ host: '0.0.0.0' });
    const { response, said } = await listen(panel);
    const closed = closeOf(response);
    await panel.asPage('/api/logout', { body: {} });
    await closed;
    panel.server.publish({ type: 'guests' });
    expect(said.join('')).not.toContain('guests');
  });

  it('is sent for a day at most in one session', async () => {
    const panel = await openPanel({ host: '0.0.0.0' });
    const { response } = await listen(panel);
    const closed = closeOf(response);
    await panel.clock.advance(23 * 3_600_000);
    expect(response.closed).toBe(false);
    await panel.clock.advance(3_600_000);
    await closed;
    expect((await panel.ask('/api/session')).status).toBe(401);
  });
});

describe('the server', () => {
  it('closes at once, with streams open and an operation under way', async () => {
    const panel = await openPanel({ operations: { status: async () => new Promise(() => {}) } });
    const { response } = await listen(panel);
    const ended = closeOf(response);
    const call = panel.asPage('/api/call/status', { body: {} }).catch(() => 'cut');
    await expect.poll(async () => (await panel.ask('/')).status).toBe(200);
    await panel.server.close();
    await ended;
    expect(await call).toBe('cut');
    expect(panel.clock.pendingTimers).toBe(0);
  });

  it('rejects in words when its port is taken', async () => {
    const panel = await openPanel();
    const { port } = panel.server;
    await expect(openPanel({ port })).rejects.toThrow(
      `The dashboard cannot be served on 127.0.0.1 port ${port}: another program uses it.`,
    );
  });

  it('has room for new connections, and leaves open pages alone, however many connections strangers hold', async () => {
    const panel = await openPanel({ mostConnections: 3 });
    const { response } = await listen(panel);
    for (let index = 0; index < 5; index += 1) {
      const stranger = connect(panel.server.port, '127.0.0.1').on('error', () => {});
      onTestFinished(() => {
        stranger.destroy();
      });
      await once(stranger, 'connect');
    }
    expect((await panel.ask('/')).status).toBe(200);
    expect(response.destroyed).toBe(false);
  });

  it('cuts off a client that sends too slowly, or heads without end', async () => {
    const panel = await openPanel({ slowestRequestMs: 200 });
    const raw = async (text: string): Promise<string> => {
      const socket = connect(panel.server.port, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString();
      });
      socket.on('error', () => {});
      socket.write(text);
      const closed = once(socket, 'close');
      // Answered by another connection, so that the first one was taken before.
      await panel.ask('/');
      await panel.clock.advance(200);
      await closed;
      return answer;
    };
    const head = `POST /api/login HTTP/1.1\r\nhost: 127.0.0.1:${panel.server.port}\r\n`;
    expect(await raw(head)).toMatch(/^HTTP\/1\.1 408 /u);
    expect(await raw(`${head}x: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /u);
    expect(await raw('no http at all\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /u);
  });
});
