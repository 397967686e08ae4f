// The listener over real HTTP: what gets in, what is refused and how, and that nothing else is there.
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { linkCallback } from '../../../src/setup/link-callback.ts';
import { FinalError } from '../../../src/support/errors.ts';
import { startListener } from '../../../src/webhook/listener.ts';
import { SELF_SIGNED } from '../cloud/self-signed.ts';
import { bodyOf, desk, openDesk, PATH, post, pssOf, strangerPair } from './desk.ts';
import { ASK_FOR_NOTHING, deliveryOf, Sender } from './sender.ts';

/** Writes raw bytes on a connection, and gives back all that came until it was closed. */
async function exchangeRaw(address: string, text: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await new Promise<void>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve();
    });
  });
  return Buffer.concat(chunks).toString();
}

/** The same request again and again, on so many connections at a time. Resolves with how often each status came back. */
async function flood(
  address: string,
  connections: number,
  times: number,
  asked: string,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const sender = await Sender.to(address);
      for (let count = 0; count < times; count += 1) {
        const status = await sender.ask(asked);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  return statuses;
}

describe('a genuine event', () => {
  it('is heard at once, acknowledged once it is in the ledger, and counted', async () => {
    const { url, heard, ledger, listener } = await openDesk();
    const response = await post(url, bodyOf());
    expect(response.status).toBe(204);
    expect(heard).toEqual([
      {
        trust: 'verified',
        event: {
          type: 'bolt',
          bolt: 'unsecured',
          accessor: { method: 'access-code', id: 'a-1', name: 'Dog walker' },
          eventId: 'e-1',
          at: Date.UTC(2026, 3, 14, 11, 59, 59, 500),
          lockId: 'door-1',
        },
      },
    ]);
    expect([...ledger.events.keys()]).toEqual(['e-1']);
    expect(listener.counts()).toEqual({ accepted: 1 });
  });

  it('is heard before anything is written', async () => {
    const { url, ledger, listener } = await openDesk();
    const commitsWhenHeard: number[] = [];
    listener.feed.subscribe(() => commitsWhenHeard.push(ledger.commits));
    await post(url, bodyOf());
    expect(commitsWhenHeard).toEqual([0]);
    expect(ledger.commits).toBe(1);
  });

  it('gets through with a query in the address, and with either spelling of the content type', async () => {
    const { url, heard } = await openDesk();
    for (const [index, type] of ['application/json', 'Application/JSON;charset=UTF-8'].entries()) {
      const body = bodyOf({ eventId: `e-${String(index)}` });
      const signature = pssOf(body);
      const headers = { 'content-type': type, 'webhook-signature': signature };
      expect((await post(`${url}?env=prod`, body, headers)).status).toBe(204);
    }
    expect(heard).toHaveLength(2);
  });

  it('has no second effect when it is sent again (faults#45)', async () => {
    const { url, heard } = await openDesk();
    const body = bodyOf();
    const answers = [await post(url, body), await post(url, body), await post(url, body)];
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(heard).toHaveLength(1);
  });

  it('is not acknowledged while the disk does not take it, and not heard twice when it comes again', async () => {
    const { url, heard, ledger, lines } = await openDesk();
    ledger.broken = true;
    const refused = await post(url, bodyOf());
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(heard).toHaveLength(1);
    ledger.broken = false;
    expect((await post(url, bodyOf())).status).toBe(204);
    expect(heard).toHaveLength(1);
    expect(ledger.events.size).toBe(1);
    expect(lines).toEqual([
      'Events are not acknowledged, because they cannot be kept: The disk is full',
      'Events can be kept again.',
    ]);
  });
});

describe('a refusal', () => {
  it('of an event without signature is 401, and the body is not looked at (faults#40)', async () => {
    const { url, heard, listener } = await openDesk();
    for (const headers of [{}, { 'webhook-signature': '' }]) {
      const response = await post(url, bodyOf(), headers);
      expect([response.status, await response.text()]).toEqual([401, 'unsigned']);
    }
    expect(await post(url, Buffer.from('{no json'), {})).toMatchObject({ status: 401 });
    expect(heard).toEqual([]);
    expect(listener.counts()).toEqual({ unsigned: 3 });
  });

  it('of an event that a stranger signed is 401, and one line a hour says what to check', async () => {
    const { url, heard, lines, clock } = await openDesk();
    const body = bodyOf();
    const forged = { 'webhook-signature': pssOf(body, strangerPair) };
    for (let count = 0; count < 5; count += 1) {
      expect(await post(url, body, forged)).toMatchObject({ status: 401 });
    }
    expect(heard).toEqual([]);
    expect(lines).toEqual([
      'A webhook was refused: no known key made its signature; if it was genuine, check webhooks.signature and webhooks.keys.',
    ]);
    await clock.advance(3_600_000);
    await post(url, body, forged);
    expect(lines).toHaveLength(2);
  });

  it.each([
    ['text/plain', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['another JSON', 'application/cloudevents+json'],
    ['another JSON of the same family', 'application/vnd.api+json'],
    ['a batch', 'application/cloudevents-batch+json'],
    ['another charset', 'application/json; charset=utf-16'],
    ['a charset in quotes', 'application/json; charset="utf-8"'],
    ['a second parameter', 'application/json; charset=utf-8; boundary=x'],
    ['another parameter', 'application/json; version=1'],
    ['a parameter without end', 'application/json;'],
    ['two types in one', 'application/json, text/plain'],
    ['two types the other way', 'text/plain, application/json'],
    ['two types with a semicolon', 'text/plain; application/json'],
    ['a longer word', 'application/jsonp'],
    ['a shorter word', 'application/jso'],
    ['a space inside', 'application /json'],
    ['a tab inside', 'application/\tjson'],
    ['a wildcard', '*/*'],
    ['an empty type', ''],
    ['a multipart', 'multipart/form-data; boundary=application/json'],
    ['letters of another alphabet', 'application/jsonİ'],
  ])('of %s as content type is 415 (faults#51)', async (_, type) => {
    const { listener, heard } = await openDesk();
    const body = bodyOf();
    const head = [
      `POST ${PATH} HTTP/1.1`,
      'host: x',
      'connection: close',
      `content-type: ${type}`,
      `webhook-signature: ${pssOf(body)}`,
      `content-length: ${String(body.length)}`,
    ];
    const answer = await exchangeRaw(listener.address, `${head.join('\r\n')}\r\n\r\n${body.toString()}`);
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
    expect(heard).toEqual([]);
  });

  it.each([
    ['no content type', []],
    ['two content types', ['content-type: application/json', 'content-type: text/plain']],
    ['the same content type twice', ['content-type: application/json', 'Content-Type: application/json']],
    ['a compressed body', ['content-type: application/json', 'content-encoding: gzip']],
    ['an encoding that does nothing', ['content-type: application/json', 'content-encoding: identity']],
  ])('of %s is 415 (faults#51)', async (_, lines) => {
    const { listener, heard } = await openDesk();
    const body = bodyOf();
    const head = [
      `POST ${PATH} HTTP/1.1`,
      'host: x',
      'connection: close',
      `webhook-signature: ${pssOf(body)}`,
      `content-length: ${String(body.length)}`,
      ...lines,
    ];
    const answer = await exchangeRaw(listener.address, `${head.join('\r\n')}\r\n\r\n${body.toString()}`);
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
    expect(heard).toEqual([]);
  });

  it('of an event older than 25 hours is 400, which the service does not repeat', async () => {
    const { url, heard, clock } = await openDesk();
    const at = (hours: number): string => new Date(clock.now() - hours * 3_600_000).toISOString();
    expect(await post(url, bodyOf({ eventId: 'young', time: at(24.9) }))).toMatchObject({ status: 204 });
    const old = await post(url, bodyOf({ eventId: 'old', time: at(25.1) }));
    expect([old.status, await old.text()]).toEqual([400, 'too-old']);
    expect(heard.map(({ event }) => event.eventId)).toEqual(['young']);
  });

  it('of what is signed but no event is 400', async () => {
    const { url, heard } = await openDesk();
    for (const text of ['', 'null', '[]', '7', '"text"', '{', '[{},{}]', '{"a":1}}', '\u{feff}']) {
      const body = Buffer.from(text);
      expect([text, (await post(url, body)).status]).toEqual([text, 400]);
    }
    const latin = Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]);
    expect(await post(url, latin)).toMatchObject({ status: 400 });
    expect(heard).toEqual([]);
  });

  it('of a request that names no host is 400 and counted, and one that expects something strange is answered all the same', async () => {
    const { listener } = await openDesk();
    const sender = await Sender.to(listener.address);
    expect(await sender.ask('GET / HTTP/1.1\r\n\r\n')).toBe('400');
    expect(await sender.ask('GET / HTTP/1.1\r\nhost: x\r\nexpect: magic\r\n\r\n')).toBe('404');
    expect(listener.counts()).toEqual({ 'not-http': 1, 'unknown-address': 1 });
  });

  it('is limited when there are too many, while a valid signature always passes', async () => {
    const { listener, url, clock, heard } = await openDesk();
    // Refusals of unknown addresses cost the least.
    const statuses = await flood(listener.address, 32, 401, ASK_FOR_NOTHING);
    expect(statuses).toEqual({ '404': 10_000, '429': 32 * 401 - 10_000 });

    const limited = await post(url, bodyOf(), {});
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await post(url, bodyOf())).toMatchObject({ status: 204 });
    expect(heard).toHaveLength(1);
    await clock.advance(1_000);
    expect(await post(url, bodyOf(), {})).toMatchObject({ status: 401 });
  });
});

describe('a flood of forged events', () => {
  it('loses none of the good ones that come amidst it, and lets none of its own in (faults#53)', async () => {
    const { listener, url, heard, clock } = await openDesk();
    const body = bodyOf({ eventId: 'forged' });
    const signature = pssOf(body, strangerPair);
    const forged = flood(listener.address, 8, 1_250, deliveryOf(body, signature));
    const statuses: number[] = [];
    for (let index = 0; index < 50; index += 1) {
      statuses.push((await post(url, bodyOf({ eventId: `good-${String(index)}` }))).status);
    }
    expect(new Set(statuses)).toEqual(new Set([204]));
    expect(await forged).toEqual({ '401': 10_000 });
    expect(heard).toHaveLength(50);
    await clock.advance(60_000);
    expect(heard).toHaveLength(50);
  });
});

describe('size and time', () => {
  it('takes 64 kB and refuses one byte more, announced or not (faults#50)', async () => {
    const { url, heard } = await openDesk();
    const filled = (length: number): Buffer => {
      const empty = bodyOf({ filler: '' }).length;
      return bodyOf({ filler: 'x'.repeat(length - empty) });
    };
    expect(await post(url, filled(65_536))).toMatchObject({ status: 204 });
    const larger = filled(65_537);
    const announced = await post(url, larger);
    expect([announced.status, await announced.text()]).toEqual([413, 'too-large']);

    const status = await new Promise<number>((resolve) => {
      const streamed = request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'webhook-signature': pssOf(larger) },
      });
      streamed.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.resume();
      });
      streamed.on('error', () => undefined);
      streamed.write(larger.subarray(0, 40_000));
      streamed.end(larger.subarray(40_000));
    });
    expect(status).toBe(413);
    expect(heard).toHaveLength(1);
  });

  it('cuts off a body of a gigabyte after the first 64 kB of it, in under 20 MB (faults#50)', async () => {
    const { listener } = await openDesk();
    const { hostname, port } = new URL(listener.address);
    const before = process.memoryUsage().rss;
    const socket = connect(Number(port), hostname);
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    let sent = 0;
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
    });
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => {
        resolve();
      });
    });
    const signature = pssOf(bodyOf());
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nwebhook-signature: ${signature}\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    const pump = (): void => {
      while (sent < 1_073_741_824 && !socket.destroyed) {
        sent += chunk.length;
        if (!socket.write(chunk)) {
          socket.once('drain', pump);
          return;
        }
      }
    };
    pump();
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(20 * 1_048_576);
    expect(process.memoryUsage().rss - before).toBeLessThan(20 * 1_048_576);
  });

  it('refuses 33 levels and takes 32, brackets in texts not counted (faults#50)', async () => {
    const { url } = await openDesk();
    const nested = (levels: number): Buffer =>
      Buffer.from(
        `{"eventId":"e-${String(levels)}","text":"\\"[[[{{{","deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
      );
    expect(await post(url, nested(32))).toMatchObject({ status: 204 });
    expect(await post(url, nested(33))).toMatchObject({ status: 400 });
    expect(await post(url, nested(30_000))).toMatchObject({ status: 400 });
  });

  it.each([
    ['its head', `POST ${PATH} HTTP/1.1\r\nhost:`],
    [
      'its body',
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nwebhook-signature: ${pssOf(bodyOf())}\r\ncontent-length: 300\r\n\r\n{`,
    ],
    ['anything at all', ''],
  ])('cuts off a sender who never ends %s (faults#50)', async (_, start) => {
    const { listener } = await openDesk({ slowestRequestMs: 200 });
    const startedAt = performance.now();
    const answer = await exchangeRaw(listener.address, start);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(answer === '' || answer.startsWith('HTTP/1.1 408 ')).toBe(true);
    expect(listener.counts()['too-slow']).toBe(1);
  });
});

describe('an address of its own', () => {
  it('has nothing but the webhook (faults#63)', async () => {
    const { listener, url } = await openDesk();
    const asked = [
      '/',
      '/hooks',
      '/hooks/',
      `${PATH}/`,
      `/x${PATH}`,
      '/callback',
      '/panel',
      '/%',
      '/hooks/f00D',
      `/${PATH}`,
      '/..%2f',
    ];
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']) {
      for (const path of asked) {
        const response = await fetch(listener.address + path, { method });
        expect([method, path, response.status]).toEqual([method, path, 404]);
      }
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD', 'PATCH']) {
      const response = await fetch(url, { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([
        method,
        405,
        'POST, OPTIONS',
      ]);
    }
  });

  it('repeats nothing of what it was asked', async () => {
    const { listener } = await openDesk();
    for (const path of ['/canary', '/%canary', '/canary?canary=1']) {
      const response = await fetch(listener.address + path, {
        headers: { host: 'canary', 'x-canary': 'canary' },
      });
      expect(await response.text()).not.toContain('canary');
      expect(JSON.stringify([...response.headers])).not.toContain('canary');
    }
  });

  it('says which port is taken, as something that may pass (faults#4)', async () => {
    const { listener } = await openDesk();
    const port = Number(new URL(listener.address).port);
    const second = startListener({ ...desk().parts, callback: null, port });
    await expect(second).rejects.toMatchObject({
      disposition: 'retry',
      message: `Webhooks cannot be received on 127.0.0.1 port ${String(port)}: another program uses it.`,
    });
  });

  it('speaks TLS by itself where it is given a certificate', async () => {
    const { listener, heard } = await openDesk({ tls: SELF_SIGNED });
    expect(listener.address).toMatch(/^https:/);
    const body = bodyOf();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'webhook-signature': pssOf(body) };
      const sent = secureRequest(listener.address + PATH, { method: 'POST', ca: SELF_SIGNED.cert, headers });
      sent.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end(body);
    });
    expect(status).toBe(204);
    expect(heard).toHaveLength(1);
  });

  it('says that a certificate cannot be used', async () => {
    const opened = startListener({ ...desk().parts, callback: null, tls: { cert: 'no', key: 'no' } });
    await expect(opened).rejects.toMatchObject({ code: 'bad-configuration' });
  });

  it('leaves no connection and no timer behind', async () => {
    const { listener, clock } = await openDesk();
    const { hostname, port } = new URL(listener.address);
    const idle = connect(Number(port), hostname);
    idle.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      idle.on('connect', () => {
        resolve();
      });
    });
    listener.expectRegistration('events.example');
    const closed = new Promise<void>((resolve) => {
      idle.on('close', () => {
        resolve();
      });
    });
    await listener.close();
    await closed;
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('consent', () => {
  const ask = async (url: string, origin: string): Promise<Response> =>
    fetch(url, {
      method: 'OPTIONS',
      headers: { 'webhook-request-origin': origin, 'webhook-request-rate': '90' },
    });

  it('is given to the expected origin while a registration runs, and to nobody else or at another time (faults#55)', async () => {
    const { url, listener } = await openDesk();
    expect(await ask(url, 'events.example')).toMatchObject({ status: 403 });
    const end = listener.expectRegistration('events.example');
    const consent = await ask(url, 'Events.Example');
    expect(consent.status).toBe(204);
    expect(Object.fromEntries(consent.headers)).toMatchObject({
      allow: 'POST, OPTIONS',
      'webhook-allowed-origin': 'Events.Example',
      'webhook-allowed-rate': '90',
    });
    for (const origin of [
      'evil.example',
      'events.example.evil.example',
      '*',
      '',
      'events.example, evil.example',
    ]) {
      const refused = await ask(url, origin);
      expect([origin, refused.status, refused.headers.get('webhook-allowed-origin')]).toEqual([
        origin,
        403,
        null,
      ]);
    }
    end();
    expect(await ask(url, 'events.example')).toMatchObject({ status: 403 });
  });

  it('ends by itself after a minute', async () => {
    const { url, listener, clock } = await openDesk();
    listener.expectRegistration('events.example');
    await clock.advance(59_999);
    expect(await ask(url, 'events.example')).toMatchObject({ status: 204 });
    await clock.advance(1);
    expect(await ask(url, 'events.example')).toMatchObject({ status: 403 });
  });

  it('is for the first that asks, and for no second one, when nobody knows the origin', async () => {
    const { url, listener } = await openDesk();
    listener.expectRegistration(null);
    expect(await ask(url, 'no host name')).toMatchObject({ status: 403 });
    expect(await ask(url, 'events.example')).toMatchObject({ status: 204 });
    expect(await ask(url, 'evil.example')).toMatchObject({ status: 403 });
    expect(await ask(url, 'events.example')).toMatchObject({ status: 204 });
  });
});

describe('the way back from linking', () => {
  const REDIRECT_URI = 'https://home.example/linked/back';

  /** The listener as it serves a linking that ends like this, and the addresses it was handed. */
  async function openTo(finish: () => Promise<void>) {
    const seen: string[] = [];
    const callback = linkCallback(REDIRECT_URI, async (url) => {
      seen.push(url);
      await finish();
    });
    const { listener } = await openDesk({ callback });
    const visit = async (target: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${listener.address}${target}`, { redirect: 'manual', ...init });
    return { listener, seen, visit };
  }

  it('hands over the whole address under the registered origin, and sends the browser to one without the code', async () => {
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

  it('shows there how it ended, as a page that nobody keeps, frames or scripts', async () => {
    const { seen, visit } = await openTo(async () => Promise.resolve());
    const response = await visit('/linked/back?outcome=linked');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('The account is linked.');
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
    expect(text).toContain('Access was denied');
    expect(text).not.toContain('canary');
    expect(listener.counts()).toMatchObject({ 'not-linked': 1, 'link-page': 1 });
  });

  it.each(['anything', '<script>', 'linked&code=x', 'toString'])(
    'shows no page of an outcome that is none of ours: %s',
    async (word) => {
      const { visit } = await openTo(async () => Promise.reject(new FinalError('bad-request', 'No.')));
      const response = await visit(`/linked/back?outcome=${word}`);
      expect([response.status, response.headers.get('location')]).toEqual([303, '?outcome=failed']);
    },
  );

  it('says nothing of a fault of ours', async () => {
    const { visit } = await openTo(async () => Promise.reject(new Error('canary')));
    const response = await visit('/linked/back?code=x');
    expect([response.status, response.headers.get('location')]).toEqual([303, '?outcome=failed']);
    expect(await (await visit('/linked/back?outcome=failed')).text()).not.toContain('canary');
  });
});

describe('without signatures', () => {
  it('an event is heard as unverified, and leaves nothing that could stand in a real one’s way', async () => {
    const { url, heard, ledger } = await openDesk({ method: null });
    expect(await post(url, bodyOf(), {})).toMatchObject({ status: 204 });
    expect(await post(url, bodyOf(), {})).toMatchObject({ status: 204 });
    expect(heard.map(({ trust }) => trust)).toEqual(['unverified', 'unverified']);
    expect(ledger.events.size).toBe(0);
  });
});
