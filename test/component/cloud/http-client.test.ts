// HTTP to the service over real sockets: bytes that leave this machine, answers, and how far a failed call got.
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpOutcome, HttpRequest } from '../../../src/cloud/http/exchange.ts';
import { HttpClient } from '../../../src/cloud/http/http-client.ts';
import { serviceAddress } from '../../../src/cloud/http/service-address.ts';
import { commitNow } from '../../../src/support/commit-scheduler.ts';
import { FinalError } from '../../../src/support/errors.ts';
import { type Answerer, json, startLoopbackService } from '../../stand-ins/service/loopback.ts';
import { listeningPort } from '../../support/listening-port.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { SELF_SIGNED } from './self-signed.ts';

const GET: HttpRequest = { method: 'GET', path: '/things', headers: { authorization: 'Bearer canary' } };
const POST: HttpRequest = { ...GET, method: 'POST', body: '{}', ownConnection: true };

const fine: Answerer = (_, response) => {
  json(response, 200, {});
};

function connect(baseUrl: string, clock = new ManualClock()): HttpClient {
  const client = new HttpClient({ baseUrl, allowInsecureLoopback: true, clock });
  onTestFinished(() => client.close());
  return client;
}

function failure(outcome: HttpOutcome): { why: string; written: boolean } {
  return outcome.kind === 'failure' ? outcome : { why: 'none', written: true };
}

describe('an address of the service', () => {
  it.each([
    ['https://api.example', 'https://api.example', ''],
    ['https://api.example/v2/', 'https://api.example', '/v2'],
    ['https://api.example:8443/a/b', 'https://api.example:8443', '/a/b'],
    ['http://127.0.0.1:8080/api', 'http://127.0.0.1:8080', '/api'],
    ['http://localhost:8080', 'http://localhost:8080', ''],
    ['http://[::1]:8080', 'http://[::1]:8080', ''],
  ])('%s is called, plain http only on loopback and when allowed', (url, origin, basePath) => {
    expect(serviceAddress(url, true)).toEqual({ origin, basePath });
  });

  it.each([
    'http://api.example',
    'http://127.0.0.1.api.example',
    'http://10.0.0.1',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'https://user:canary@api.example',
    'https://api.example?key=canary',
    'https://api.example#canary',
    'api.example',
    '',
  ])('%s is refused, without repeating it', (url) => {
    expect(() => serviceAddress(url, true)).toThrow(FinalError);
    expect(() => serviceAddress(url, true)).not.toThrow(/canary/);
  });

  it('of plain http on loopback is refused unless it was allowed', () => {
    expect(() => serviceAddress('http://127.0.0.1:8080', false)).toThrow(/https/);
  });
});

describe('a call', () => {
  it('goes below the base address, and its answer comes back whole', async () => {
    const service = await startLoopbackService((_, response) => {
      json(response, 200, { grüße: 'ja' }, { 'x-one': 'a' });
    });
    const outcome = await connect(`${service.url}/base/`).send(GET);
    expect(outcome).toMatchObject({ kind: 'answer', status: 200, text: '{"grüße":"ja"}' });
    expect(outcome).toMatchObject({ headers: { 'x-one': 'a', 'content-type': 'application/json' } });
    expect(service.seen).toMatchObject([{ method: 'GET', path: '/base/things' }]);
  });

  it('to an address where no program listens was never written', async () => {
    const service = await startLoopbackService(() => {});
    await service.close();
    const outcome = await connect(service.url).send(POST);
    expect(failure(outcome)).toMatchObject({ why: 'unreachable', written: false });
  });

  it('without an answer ends at its deadline, and was written', async () => {
    const service = await startLoopbackService(() => {});
    const clock = new ManualClock();
    const sent = connect(service.url, clock).send({ ...POST, deadlineMs: 5_000 });
    await service.arrived(1);
    await clock.advance(4_999);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    expect(failure(await sent)).toMatchObject({ why: 'timed-out', written: true });
    expect(clock.pendingTimers).toBe(0);
  });

  it.each<[string, HttpRequest, number]>([
    ['in the time that it may take, not even later', { ...POST, startWithinMs: 1_000 }, 1_000],
    ['at all', GET, 32_000],
  ])('that gets no connection %s, was never written', async (_, request, afterMs) => {
    const accepted: Socket[] = [];
    // A TCP server that never answers the TLS hello: the connection is never there.
    const port = await listeningPort(createTcpServer((socket) => accepted.push(socket)));
    const clock = new ManualClock();
    const sent = connect(`https://127.0.0.1:${String(port)}`, clock).send(request);
    await expect.poll(() => accepted.length).toBe(1);
    await clock.advance(afterMs);
    expect(failure(await sent)).toMatchObject({ why: 'timed-out', written: false });
    expect(clock.pendingTimers).toBe(0);
  });

  it('that gets its connection after a pause of the whole process, before any timer fires, is not sent', async () => {
    const service = await startLoopbackService(fine);
    let monotonicMs = 0;
    const clock = { commits: commitNow, now: () => 0, monotonic: () => monotonicMs, after: () => () => {} };
    const client = new HttpClient({ baseUrl: service.url, allowInsecureLoopback: true, clock });
    onTestFinished(() => client.close());
    const sent = client.send({ ...POST, startWithinMs: 1_000 });
    monotonicMs = 1_000;
    expect(failure(await sent)).toMatchObject({ why: 'timed-out', written: false });
    await settle();
    expect(service.seen).toEqual([]);
  });

  const withheld = new Error('Not any more.');

  it.each<[string, Partial<HttpRequest>, object]>([
    ['whose time is over already', { startWithinMs: 0 }, { why: 'timed-out' }],
    [
      'whose headers cannot be written as HTTP',
      { headers: { authorization: 'Bearer a\r\nb: c' } },
      { why: 'invalid' },
    ],
    [
      'that the send guard cancels once the connection is there',
      {
        beforeLeaving: () => {
          throw withheld;
        },
      },
      { why: 'cancelledBeforeSend', cause: withheld },
    ],
  ])('%s is never written, and says why', async (_, request, expected) => {
    const service = await startLoopbackService(fine);
    const outcome = await connect(service.url).send({ ...POST, ...request });
    expect(outcome).toMatchObject({ kind: 'failure', written: false, ...expected });
    await settle();
    expect(service.seen).toEqual([]);
  });

  it.each([
    ['before its head', (response: ServerResponse) => response.socket?.resetAndDestroy()],
    [
      'in the middle of its body',
      (response: ServerResponse) => {
        response.writeHead(202, { location: '/commands/c-1', 'content-length': '100' });
        response.write('{"commandId"', () => response.socket?.destroy());
      },
    ],
  ])('whose answer is cut %s is lost, and was written', async (_, cut) => {
    const service = await startLoopbackService((__, response) => {
      cut(response);
    });
    expect(failure(await connect(service.url).send(POST))).toMatchObject({ why: 'lost', written: true });
    expect(service.seen).toHaveLength(1);
  });

  it('under way when the client closes ends as if its deadline had passed, and later ones at once', async () => {
    const service = await startLoopbackService(() => {});
    const client = connect(service.url);
    const sent = client.send(POST);
    await service.arrived(1);
    await client.close();
    expect(failure(await sent)).toMatchObject({ why: 'closed', written: true });
    expect(failure(await client.send(POST))).toMatchObject({ why: 'closed', written: false });
    expect(service.seen).toHaveLength(1);
  });
});

describe('an answer that is a trap', () => {
  it('of a redirect is not followed, and no other server sees the token (faults#73)', async () => {
    const stranger = await startLoopbackService(fine);
    for (const status of [301, 302, 303, 307, 308]) {
      const service = await startLoopbackService((_, response) => {
        response.writeHead(status, { location: `${stranger.url}/things` }).end();
      });
      expect(await connect(service.url).send(GET)).toMatchObject({ kind: 'answer', status });
    }
    expect(stranger.seen).toEqual([]);
  });

  it('without end is cut at 5 MB (faults#74)', async () => {
    let written = 0;
    const service = await startLoopbackService((_, response) => {
      const block = Buffer.alloc(64 * 1024, 'a');
      const more = (): void => {
        written += block.length;
        response.write(block, (error) => {
          if (!error) {
            more();
          }
        });
      };
      response.on('error', () => {});
      more();
    });
    expect(failure(await connect(service.url).send(GET)).why).toBe('oversized');
    // What was read, and what the sockets of both sides had buffered by then.
    expect(written).toBeLessThan(5 * 1024 * 1024 + 16 * 1024 * 1024);
  });

  it('of packed bytes, which the call did not ask for, is read all the same', async () => {
    const service = await startLoopbackService((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('[]'));
    });
    const client = connect(service.url);
    expect(await client.send(GET)).toMatchObject({ kind: 'answer', text: '[]' });
    expect(await client.send(POST)).toMatchObject({ kind: 'answer', text: '[]' });
  });

  it('with a bomb of compressed bytes is not unpacked, and compression is not asked for (faults#74)', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const service = await startLoopbackService((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const outcome = await connect(service.url).send(GET);
    expect(service.seen[0]?.headers['accept-encoding']).toBe('identity');
    expect(failure(outcome).why).toBe('oversized');
  });

  it('behind a bad certificate is not read, and the server is called once a minute at most (faults#72)', async () => {
    let requests = 0;
    let connections = 0;
    const server = createTlsServer({ ...SELF_SIGNED }, (_, response) => {
      requests += 1;
      response.end('{}');
    });
    server.on('connection', () => {
      connections += 1;
    });
    const port = await listeningPort(server);
    const clock = new ManualClock();
    const client = connect(`https://localhost:${String(port)}`, clock);
    for (let second = 0; second < 120; second += 1) {
      const outcome = await client.send(second % 2 === 0 ? GET : POST);
      expect(failure(outcome)).toMatchObject({ why: 'distrusted', written: false });
      await clock.advance(1_000);
    }
    expect(requests).toBe(0);
    expect(connections).toBe(2);
  });
});
