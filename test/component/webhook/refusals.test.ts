// The refusals of the listener over real HTTP: unsigned, forged, of another type, old, malformed, and too many deliveries.
import { describe, expect, it } from 'vitest';
import { bodyOf, openListener, PATH, post, pssOf, strangerPair } from './fixture.ts';
import { ASK_FOR_NOTHING, deliveryOf, exchangeRaw, flood, Sender } from './sender.ts';

/** Sends a genuine event with these lines in its head, as they stand: what was answered, and who heard of it. */
async function sendWith(
  lines: readonly string[],
): Promise<{ readonly answer: string; readonly received: readonly unknown[] }> {
  const { listener, received } = await openListener();
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
  return { answer, received };
}

describe('a refusal', () => {
  it('of an event without signature is 401, and the body is not looked at (faults#40)', async () => {
    const { url, received, listener } = await openListener();
    for (const headers of [{}, { 'webhook-signature': '' }]) {
      const response = await post(url, bodyOf(), headers);
      expect([response.status, await response.text()]).toEqual([401, 'unsigned']);
    }
    expect(await post(url, Buffer.from('{no json'), {})).toMatchObject({ status: 401 });
    expect(received).toEqual([]);
    expect(listener.counts()).toEqual({ unsigned: 3 });
  });

  it('of an event that a stranger signed is 401, and one line a hour says what to check', async () => {
    const { url, received, lines, clock } = await openListener();
    const body = bodyOf();
    const forged = { 'webhook-signature': pssOf(body, strangerPair) };
    for (let count = 0; count < 5; count += 1) {
      expect(await post(url, body, forged)).toMatchObject({ status: 401 });
    }
    expect(received).toEqual([]);
    expect(lines).toEqual([
      'A webhook was refused: no known key made its signature; if it was genuine, check webhooks.signature and webhooks.keys.',
    ]);
    await clock.advance(3_600_000);
    await post(url, body, forged);
    expect(lines).toHaveLength(2);
  });

  it.each<[string, string | readonly string[]]>([
    ['text/plain', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['another JSON', 'application/cloudevents+json'],
    ['another JSON of the same family', 'application/vnd.api+json'],
    ['a batch', 'application/cloudevents-batch+json'],
    ['another charset', 'application/json; charset=utf-16'],
    ['a charset with one quote', 'application/json; charset="utf-8'],
    ['a charset with its quote at the end', 'application/json; charset=utf-8"'],
    ['a charset in single quotes', "application/json; charset='utf-8'"],
    ['a charset with an escape in its quotes', 'application/json; charset="utf\\-8"'],
    ['a blank inside the quotes', 'application/json; charset=" utf-8"'],
    ['empty quotes', 'application/json; charset=""'],
    ['a second parameter after quotes', 'application/json; charset="utf-8"; boundary=x'],
    ['text after the quotes', 'application/json; charset="utf-8"x'],
    ['a parameter in the quotes', 'application/json; charset="utf-8;x"'],
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
    ['no content type', []],
    ['two content types', ['content-type: application/json', 'content-type: text/plain']],
    ['the same content type twice', ['content-type: application/json', 'Content-Type: application/json']],
    ['a compressed body', ['content-type: application/json', 'content-encoding: gzip']],
    ['an encoding that does nothing', ['content-type: application/json', 'content-encoding: identity']],
  ])('of %s as content type is 415 (faults#51)', async (_, type) => {
    const { answer, received } = await sendWith(typeof type === 'string' ? [`content-type: ${type}`] : type);
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
    expect(received).toEqual([]);
  });

  it.each([
    'application/json; charset="utf-8"',
    'application/json;charset="UTF-8"',
    'Application/JSON ; Charset="utf-8"',
  ])('does not meet %s, which says the same in quotes (faults#51)', async (type) => {
    const { answer, received } = await sendWith([`content-type: ${type}`]);
    expect(answer).toMatch(/^HTTP\/1\.1 204 /);
    expect(received).toHaveLength(1);
  });

  it.each<[string, string, RegExp]>([
    [
      'of another type',
      `content-type: text/plain\r\ncontent-length: 2\r\n\r\n{}`,
      /content type is not exactly/,
    ],
    [
      'that is too large',
      `content-type: application/json\r\ncontent-length: 70000\r\n\r\n`,
      /larger than 64 kB/,
    ],
    ['without a signature', 'content-type: application/json\r\ncontent-length: 2\r\n\r\n{}', /no signature/],
  ])('of a delivery %s leaves one line an hour', async (_, rest, line) => {
    const { listener, lines, clock } = await openListener();
    const ask = async (): Promise<void> => {
      const sender = await Sender.to(listener.address);
      expect(await sender.ask(`POST ${PATH} HTTP/1.1\r\nhost: x\r\n${rest}`)).toMatch(/^4/);
    };
    for (let count = 0; count < 5; count += 1) {
      await ask();
    }
    expect(lines).toEqual([expect.stringMatching(line)]);
    await clock.advance(3_600_000);
    await ask();
    expect(lines).toHaveLength(2);
  });

  it('of an event older than 25 hours is 400, which the service does not repeat', async () => {
    const { url, received, clock } = await openListener();
    const at = (hours: number): string => new Date(clock.now() - hours * 3_600_000).toISOString();
    expect(await post(url, bodyOf({ eventId: 'young', time: at(24.9) }))).toMatchObject({ status: 204 });
    const old = await post(url, bodyOf({ eventId: 'old', time: at(25.1) }));
    expect([old.status, await old.text()]).toEqual([400, 'too-old']);
    expect(received.map(({ event }) => event.eventId)).toEqual(['young']);
  });

  it('of what is signed but no event is 400', async () => {
    const { url, received } = await openListener();
    for (const text of ['', 'null', '[]', '7', '"text"', '{', '[{},7]', '{"a":1}}', '\u{feff}']) {
      const body = Buffer.from(text);
      expect([text, (await post(url, body)).status]).toEqual([text, 400]);
    }
    const latin = Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]);
    expect(await post(url, latin)).toMatchObject({ status: 400 });
    expect(received).toEqual([]);
  });

  it('of a request that names no host, or is no HTTP, is 400 and counted, and one that expects something strange is answered all the same', async () => {
    const { listener } = await openListener();
    const sender = await Sender.to(listener.address);
    expect(await sender.ask('GET / HTTP/1.1\r\n\r\n')).toBe('400');
    expect(await sender.ask('GET / HTTP/1.1\r\nhost: x\r\nexpect: magic\r\n\r\n')).toBe('404');
    // What is no HTTP at all is the last that its connection carries.
    const stranger = await Sender.to(listener.address);
    expect(await stranger.ask('Good morning\r\n\r\n')).toBe('400');
    await stranger.closed;
    expect(listener.counts()).toEqual({ 'not-http': 2, 'unknown-address': 1 });
  });

  it('is limited when there are too many, while a valid signature always passes', async () => {
    const { listener, url, clock, received } = await openListener();
    // Refusals of unknown addresses cost the least.
    const statuses = await flood(listener.address, 32, 401, ASK_FOR_NOTHING);
    expect(statuses).toEqual({ '404': 10_000, '429': 32 * 401 - 10_000 });

    const limited = await post(url, bodyOf(), {});
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await post(url, bodyOf())).toMatchObject({ status: 204 });
    expect(received).toHaveLength(1);
    await clock.advance(1_000);
    expect(await post(url, bodyOf(), {})).toMatchObject({ status: 401 });
  });
});

describe('a flood of forged events', () => {
  it('loses none of the good ones that come amidst it, and lets none of its own in (faults#53)', async () => {
    const { listener, url, received, clock } = await openListener();
    const body = bodyOf({ eventId: 'forged' });
    const signature = pssOf(body, strangerPair);
    const forged = flood(listener.address, 8, 1_250, deliveryOf(body, signature));
    const statuses: number[] = [];
    for (let index = 0; index < 50; index += 1) {
      statuses.push((await post(url, bodyOf({ eventId: `good-${String(index)}` }))).status);
    }
    expect(new Set(statuses)).toEqual(new Set([204]));
    expect(await forged).toEqual({ '401': 10_000 });
    expect(received).toHaveLength(50);
    await clock.advance(60_000);
    expect(received).toHaveLength(50);
  });
});
