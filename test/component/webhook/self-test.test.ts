// The self-test through the public address: it comes through, or it reports where it got lost.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Server } from 'node:net';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { SELF_TEST_HEADER, SelfTests } from '../../../src/webhook/self-test.ts';
import { listeningPort } from '../../support/listening-port.ts';
import { SELF_SIGNED } from '../cloud/self-signed.ts';
import { bodyOf, openListener, PATH, post } from './fixture.ts';

/** How a proxy changes what passes through it. */
interface Proxying {
  readonly path?: (path: string) => string;
  readonly method?: 'POST' | 'GET';
  readonly drops?: string;
  /** In place of the content type as it came. */
  readonly type?: string;
  readonly body?: (body: string) => string;
  readonly status?: number;
}

const addressOf = async (server: Server, scheme = 'http'): Promise<string> =>
  `${scheme}://127.0.0.1:${String(await listeningPort(server))}${PATH}`;

/** Somebody in front of the listener; resolves with the public address. */
async function proxied(target: string, change: Proxying): Promise<string> {
  const pass: RequestListener = (incoming, answer) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) {
        chunks.push(chunk as Buffer);
      }
      const {
        host: _host,
        connection: _connection,
        'content-length': _length,
        'transfer-encoding': _encoding,
        ...headers
      } = incoming.headers;
      if (change.drops !== undefined) {
        delete headers[change.drops];
      }
      if (change.type !== undefined) {
        headers['content-type'] = change.type;
      }
      const body = Buffer.concat(chunks).toString();
      const method = change.method ?? 'POST';
      const path = incoming.url ?? '';
      const reply = await request(target + (change.path?.(path) ?? path), {
        method,
        headers: headers as Record<string, string>,
        body: method === 'GET' ? null : (change.body?.(body) ?? body),
      });
      await reply.body.dump();
      answer.writeHead(change.status ?? reply.statusCode).end();
    })();
  };
  return addressOf(createServer(pass));
}

describe('a self-test', () => {
  it('that comes through says so, with the time it took, and is no event', async () => {
    const { listener, url, received, ledger } = await openListener();
    const report = await listener.selfTest(url);
    expect(report).toMatchObject({ finding: 'came-through', status: 204, tookMs: 0 });
    expect([received, ledger.events.size, listener.counts()]).toEqual([[], 0, { 'self-tested': 1 }]);
  });

  it.each<[string, Proxying, object]>([
    [
      'takes away the beginning of the path',
      { path: (path) => path.replace('/hooks', '') },
      { finding: 'path-changed', status: 404 },
    ],
    ['turns it into a GET', { method: 'GET' }, { finding: 'method-changed', status: 405 }],
    ['drops the header of the signature', { drops: 'webhook-signature' }, { finding: 'signature-removed' }],
    ['drops the header of the test', { drops: SELF_TEST_HEADER }, { finding: 'marker-removed' }],
    ['drops the content type', { drops: 'content-type' }, { finding: 'content-changed' }],
    ['sends text', { type: 'text/plain' }, { finding: 'content-changed' }],
    ['sends a form', { type: 'application/x-www-form-urlencoded' }, { finding: 'content-changed' }],
    ['names another charset', { type: 'application/json; charset=latin1' }, { finding: 'content-changed' }],
    ['sends a content type of one word', { type: 'json' }, { finding: 'content-changed' }],
    ['sends two content types', { type: 'application/json, text/plain' }, { finding: 'content-changed' }],
    ['leaves the content type empty', { type: '' }, { finding: 'content-changed' }],
    [
      'formats the body anew',
      { body: (body) => JSON.stringify(JSON.parse(body)) },
      { finding: 'content-changed' },
    ],
    ['answers in our place', { status: 502 }, { finding: 'answer-lost', status: 502 }],
  ])('says so when a proxy %s', async (_title, change, report) => {
    const { listener } = await openListener();
    expect(await listener.selfTest(await proxied(listener.address, change))).toMatchObject(report);
  });

  it.each<[string, () => Promise<string>, object]>([
    [
      'somebody else answers',
      async () => addressOf(createServer((_request, answer) => answer.writeHead(403).end('Who are you?'))),
      { finding: 'answered-elsewhere', status: 403 },
    ],
    [
      'the certificate proves nothing',
      async () => addressOf(createSecureServer(SELF_SIGNED), 'https'),
      { finding: 'certificate-refused', status: null },
    ],
    [
      'what answers speaks no TLS',
      async () => addressOf(createServer(), 'https'),
      { finding: 'answered-elsewhere', status: null },
    ],
    [
      // Nobody is taken for somebody else there.
      'the connection is closed without an answer',
      async () => addressOf(createServer((_request, answer) => answer.destroy())),
      { finding: 'unreachable', status: null },
    ],
    [
      'nobody answers',
      async () => {
        const server = createServer();
        const address = await addressOf(server);
        server.close();
        return address;
      },
      { finding: 'unreachable' },
    ],
    [
      // A label this long is no name anywhere, so nobody has to be asked.
      'the name does not exist',
      async () => Promise.resolve(`https://${'x'.repeat(64)}.invalid${PATH}`),
      { finding: 'name-unknown' },
    ],
  ])('says so when %s', async (_title, addressOfPublic, report) => {
    const { listener } = await openListener();
    expect(await listener.selfTest(await addressOfPublic())).toMatchObject(report);
  });

  it('is given up after fifteen seconds, and when the listener closes', async () => {
    const { listener, clock } = await openListener();
    const silent = await addressOf(createServer(() => {}));
    const slow = listener.selfTest(silent);
    await clock.advance(14_999);
    await clock.advance(1);
    expect(await slow).toMatchObject({ finding: 'timed-out', tookMs: 15_000 });
    const last = listener.selfTest(silent);
    await listener.close();
    expect(await last).toMatchObject({ finding: 'timed-out' });
    expect(clock.pendingTimers).toBe(0);
  });

  it('asks for the keys when none is known, and says so when none is to be had', async () => {
    const { listener, url, keys } = await openListener();
    const [key = ''] = keys.held;
    keys.held = [];
    expect(await listener.selfTest(url)).toMatchObject({ finding: 'no-keys', status: 204 });
    keys.onRefresh = async () => {
      keys.held = [key];
      return Promise.resolve('current');
    };
    expect(await listener.selfTest(url)).toMatchObject({ finding: 'came-through' });
  });

  it('needs no key where nothing is signed', async () => {
    const { listener, url, keys } = await openListener({ method: null });
    keys.held = [];
    expect(await listener.selfTest(url)).toMatchObject({ finding: 'came-through' });
  });

  it('tests the very header in which the service signs', async () => {
    const { listener } = await openListener({ signatureHeader: 'X-Signed' });
    const url = await proxied(listener.address, { drops: 'x-signed' });
    expect(await listener.selfTest(url)).toMatchObject({ finding: 'signature-removed' });
  });

  it('is recognised by its word alone, once, and only while it waits', async () => {
    const tests = new SelfTests();
    const test = tests.begin();
    const marks = { marker: test.nonce, signature: test.nonce };
    expect([
      tests.testOf({ marker: 'guess', signature: undefined }),
      tests.testOf({ marker: '', signature: '' }),
    ]).toEqual([null, null]);
    expect(tests.testOf(marks)).toBe(test);
    tests.meet(test, marks, true, Buffer.from(test.body));
    expect([test.arrival, tests.testOf(marks)]).toEqual(['whole', null]);
    const ended = tests.begin();
    tests.end(ended);
    expect(tests.testOf({ marker: ended.nonce, signature: ended.nonce })).toBeNull();
  });

  it('opens no door for anybody else: a guessed word is refused as any stranger is', async () => {
    const { url } = await openListener();
    const answer = await post(url, bodyOf(), { [SELF_TEST_HEADER]: 'guess' });
    expect(answer.status).toBe(401);
  });
});
