// The self-test through the public address: it comes through, or it reports where it got lost.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startListener } from '../../../src/webhook/listener.ts';
import { SELF_TEST_HEADER, SelfTests } from '../../../src/webhook/self-test.ts';
import { SELF_SIGNED } from '../cloud/self-signed.ts';
import { bodyOf, openListener, PATH, post, receiverFixture } from './fixture.ts';

/** How a proxy changes what passes through it. */
interface Proxying {
  readonly path?: (path: string) => string;
  readonly method?: 'POST' | 'GET';
  readonly drops?: string;
  readonly body?: (body: string) => string;
  readonly status?: number;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

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
  return `http://${await listening(createServer(pass))}${PATH}`;
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

  it('says so when somebody else answers', async () => {
    const { listener } = await openListener();
    const stranger = await listening(
      createServer((_request, answer) => {
        answer.writeHead(403).end('Who are you?');
      }),
    );
    expect(await listener.selfTest(`http://${stranger}${PATH}`)).toMatchObject({
      finding: 'answered-elsewhere',
      status: 403,
    });
  });

  it('says so when the certificate proves nothing', async () => {
    const { listener } = await openListener();
    const stranger = await listening(createSecureServer({ ...SELF_SIGNED }));
    expect(await listener.selfTest(`https://${stranger}${PATH}`)).toMatchObject({
      finding: 'certificate-refused',
      status: null,
    });
  });

  it('says so when what answers speaks no TLS', async () => {
    const { listener, url } = await openListener();
    expect(await listener.selfTest(url.replace('http:', 'https:'))).toMatchObject({
      finding: 'answered-elsewhere',
      status: null,
    });
  });

  it('takes nobody for somebody else where the connection is closed without an answer', async () => {
    const { listener } = await openListener();
    const closing = createServer((_request, answer) => answer.destroy());
    expect(await listener.selfTest(`http://${await listening(closing)}${PATH}`)).toMatchObject({
      finding: 'unreachable',
      status: null,
    });
  });

  it('says so when nobody answers, and when the name does not exist', async () => {
    const { listener } = await openListener();
    const server = createServer();
    const gone = await listening(server);
    server.close();
    expect(await listener.selfTest(`http://${gone}${PATH}`)).toMatchObject({ finding: 'unreachable' });
    // A label this long is no name anywhere, so nobody has to be asked.
    expect(await listener.selfTest(`https://${'x'.repeat(64)}.invalid${PATH}`)).toMatchObject({
      finding: 'name-unknown',
    });
  });

  it('is given up after fifteen seconds, and when the listener closes', async () => {
    const { listener, clock } = await openListener();
    const silent = `http://${await listening(createServer(() => {}))}${PATH}`;
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
    const made = receiverFixture();
    const listener = await startListener({ callback: null, ...made.parts });
    onTestFinished(() => listener.close());
    const answer = await post(listener.address + PATH, bodyOf(), { [SELF_TEST_HEADER]: 'guess' });
    expect(answer.status).toBe(401);
  });
});
