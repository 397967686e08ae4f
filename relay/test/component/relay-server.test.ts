// The answers of the relay: 204 only once the broker holds the event, and no home delays another.
import { describe, expect, it } from 'vitest';
import { openDelivery, privateKeyOf } from '../../../src/webhook/relayed-message.ts';
import { enrolled, openRelay, openRelayStageOfFile, RELAY } from './open-relay.ts';

const BODY = '{ "eventId": "e-1",  "deviceId": "front" }';
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'webhook-signature': 'c2lnbmF0dXJl',
  cookie: 'not=ours',
};
const POST = { method: 'POST', body: BODY, headers: HEADERS };
const ORIGIN = 'events.lock-platform.example';
const OPTIONS = {
  method: 'OPTIONS',
  headers: { 'webhook-request-origin': ORIGIN, 'webhook-request-rate': '120' },
};

describe('a delivery at the relay', () => {
  it('reaches the topic of its home byte for byte, readable with the key of that home alone', async () => {
    const [blue, green] = [enrolled('blue'), enrolled('green')];
    const relay = await openRelay();
    expect(await relay.call(blue.path, POST)).toMatchObject({ status: 204, text: '' });
    const [message, ...others] = relay.broker.published;
    if (message === undefined) {
      throw new Error('Nothing was published');
    }
    expect(others).toEqual([]);
    expect(message).toMatchObject({ topic: 'latchkey/homes/blue/events', expirySeconds: 86_400 });
    expect(Buffer.from(message.payload).toString()).not.toContain('front');
    const relayed = { payload: Buffer.from(message.payload), properties: message.properties ?? {} };
    const delivery = await openDelivery(relayed, await privateKeyOf(blue.key));
    expect(delivery?.bytes.toString()).toBe(BODY);
    expect(delivery?.headers).toEqual({
      'content-type': HEADERS['content-type'],
      'webhook-signature': HEADERS['webhook-signature'],
    });
    expect(await openDelivery(relayed, await privateKeyOf(green.key))).toBeNull();
  });

  it('is sent unencrypted when encryption is off', async () => {
    const relay = await openRelay({ encrypt: false });
    await relay.call(enrolled('blue').path, POST);
    expect(relay.broker.published.map(({ payload }) => Buffer.from(payload).toString())).toEqual([BODY]);
  });

  it('is answered only once the broker has acknowledged it', async () => {
    const relay = await openRelay();
    const acknowledged = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    relay.broker.acknowledging = async () => {
      arrived.resolve();
      return acknowledged.promise;
    };
    let isAnswered = false;
    const call = relay.call(enrolled('blue').path, POST).finally(() => {
      isAnswered = true;
    });
    await arrived.promise;
    expect(relay.figures()).toContain('latchkey_relay_waiting 1\n');
    expect(isAnswered).toBe(false);
    acknowledged.resolve();
    expect(await call).toMatchObject({ status: 204 });
    expect(relay.figures()).toContain('latchkey_relay_waiting 0\n');
  });

  it.each([
    ['there is no broker (faults#103)', 'gone'],
    ['the broker died before its answer (faults#103)', 'dies'],
  ] as const)('is to come again when %s', async (_case, fate) => {
    const relay = await openRelay();
    relay.broker.fate = fate;
    const answered = await relay.call(enrolled('blue').path, POST);
    expect(answered).toMatchObject({ status: 503, text: 'not-acknowledged' });
    expect(answered.headers.get('retry-after')).toBe('10');
  });

  it('is to be repeated when the broker has no session of the home, since it would be lost, with one line until it has', async () => {
    const relay = await openRelay();
    const { path } = enrolled('blue');
    const isRefused = async (): Promise<void> =>
      expect(await relay.call(path, POST)).toMatchObject({ status: 503, text: 'no-session' });
    relay.broker.deserted.add('latchkey/homes/blue/events');
    await isRefused();
    await isRefused();
    expect(relay.lines).toEqual([expect.stringContaining('"blue"')]);
    relay.broker.deserted.clear();
    expect(await relay.call(path, POST)).toMatchObject({ status: 204 });
    relay.broker.deserted.add('latchkey/homes/blue/events');
    await isRefused();
    expect(relay.lines).toHaveLength(2);
  });

  it('is refused above 64 kB, with or without a length header, and is not published', async () => {
    const relay = await openRelay();
    const { path } = enrolled('blue');
    const largest = 'x'.repeat(65_536);
    expect(await relay.call(path, { method: 'POST', body: largest })).toMatchObject({ status: 204 });
    expect(await relay.call(path, { method: 'POST', body: `${largest}x` })).toMatchObject({ status: 413 });
    const stream = ReadableStream.from([Buffer.from(`${largest}x`)]);
    const chunked = { method: 'POST', body: stream, duplex: 'half' } as RequestInit;
    expect(await relay.call(path, chunked)).toMatchObject({ status: 413 });
    expect(relay.broker.published).toHaveLength(1);
  });
});

describe('an address at the relay', () => {
  it('is valid at any relay with the secret, and at none without (faults#104)', async () => {
    const relay = await openRelay();
    const stranger = enrolled('blue', { secrets: ['the secret of another operator, as long'] });
    const { path } = enrolled('blue');
    expect(await relay.call(stranger.path, POST)).toMatchObject({ status: 404, text: 'unknown-address' });
    expect(await relay.call(path.replace('/blue/', '/green/'), POST)).toMatchObject({ status: 404 });
    expect(await relay.call('/h/blue', POST)).toMatchObject({ status: 404 });
    expect(relay.broker.published).toEqual([]);
  });

  it('is answered 410 once its generation is revoked, while the next one works', async () => {
    const relay = await openRelay({ revoked: { blue: 1 } });
    expect(await relay.call(enrolled('blue').path, POST)).toMatchObject({ status: 410, text: 'revoked' });
    expect(await relay.call(enrolled('blue', {}, 2).path, POST)).toMatchObject({ status: 204 });
    expect(await relay.call(enrolled('green').path, POST)).toMatchObject({ status: 204 });
  });

  it('stays valid after a change of the secret as long as the former secret is listed', async () => {
    const { path } = enrolled('blue');
    const secrets = ['a newer secret of all relays, as long as it', ...RELAY.secrets];
    expect(await (await openRelay({ secrets })).call(path, POST)).toMatchObject({ status: 204 });
  });

  it('consents to the handshake with every header, for an allowed service at a valid address', async () => {
    const relay = await openRelay({ origins: [ORIGIN] });
    const { path } = enrolled('blue');
    const answered = await relay.call(path, OPTIONS);
    expect(answered.status).toBe(204);
    expect(answered.headers.get('webhook-allowed-origin')).toBe(ORIGIN);
    expect(answered.headers.get('webhook-allowed-rate')).toBe('120');
    const other = { method: 'OPTIONS', headers: { 'webhook-request-origin': 'stranger.example' } };
    expect(await relay.call(path, other)).toMatchObject({ status: 403, text: 'no-consent' });
    expect(await relay.call(`${path}x`, OPTIONS)).toMatchObject({ status: 404 });
    expect(await relay.call(path, { method: 'PUT', body: '' })).toMatchObject({ status: 405 });
  });
});

describe('the limits of a home', () => {
  it('hold back a flood for one home, and say when to repeat, while another home is served', async () => {
    const relay = await openRelay();
    const [blue, green] = [enrolled('blue'), enrolled('green')];
    const answers = [];
    for (let count = 0; count < 7; count += 1) {
      answers.push((await relay.call(blue.path, POST)).status);
    }
    expect(answers).toEqual([204, 204, 204, 204, 204, 429, 429]);
    expect((await relay.call(blue.path, POST)).headers.get('retry-after')).toBe('1');
    expect(await relay.call(green.path, POST)).toMatchObject({ status: 204 });
    await relay.clock.advance(1_000);
    expect(await relay.call(blue.path, POST)).toMatchObject({ status: 204 });
  });

  it('leave room at the broker for others while the deliveries of one home wait', async () => {
    const relay = await openRelay();
    const [blue, green] = [enrolled('blue'), enrolled('green')];
    const released = Promise.withResolvers<void>();
    relay.broker.acknowledging = async (topic) =>
      topic.includes('blue') ? released.promise : Promise.resolve();
    const hanging = [1, 2, 3].map(async () => relay.call(blue.path, POST));
    await expect.poll(() => relay.broker.published.length).toBe(3);
    expect(await relay.call(blue.path, POST)).toMatchObject({ status: 429 });
    expect(await relay.call(green.path, POST)).toMatchObject({ status: 204 });
    released.resolve();
    expect((await Promise.all(hanging)).map(({ status }) => status)).toEqual([204, 204, 204]);
  });
});

describe('a configuration that is read again while the relay runs', () => {
  it('decides on tokens, limits and revoked homes from then on, and names what needs a restart', async () => {
    const relay = await openRelay();
    const [blue, green] = [enrolled('blue'), enrolled('green')];
    // Green has used some of what it had by the former limit.
    for (const { path } of [blue, green]) {
      expect(await relay.call(path, POST)).toMatchObject({ status: 204 });
    }
    const changed = { ...RELAY, revoked: { blue: 1 }, limits: { burst: 1, perMinute: 1, waiting: 1 } };
    expect(relay.config.take({ ...changed, port: 1, broker: { url: 'mqtts://other.example' } })).toEqual([
      'port',
      'broker',
    ]);
    expect(await relay.call(blue.path, POST)).toMatchObject({ status: 410 });
    expect(await relay.call(green.path, POST)).toMatchObject({ status: 204 });
    expect(await relay.call(green.path, POST)).toMatchObject({ status: 429 });
    relay.config.take({ ...RELAY, secrets: ['a newer secret of all relays, as long as it'] });
    expect(await relay.call(green.path, POST)).toMatchObject({ status: 404 });
  });

  it('changes nothing and ends nothing when it has a fault', async () => {
    const stage = await openRelayStageOfFile();
    stage.write('{ "publicUrl": 7 }');
    stage.hangUp();
    expect(stage.lines.at(-1)).toContain('The relay goes on as before.');
    stage.write(JSON.stringify({ ...stage.least, revoked: { blue: 1 } }));
    stage.hangUp();
    expect(stage.lines.at(-1)).toBe('The configuration was read again.');
    stage.write(JSON.stringify({ ...stage.least, statusPort: 1 }));
    stage.hangUp();
    expect(stage.lines.at(-1)).toBe('Restart the relay for its new values of: statusPort.');
  });
});

describe('one webhook for many homes', () => {
  const [blue, green] = [enrolled('blue'), enrolled('green')];
  const token = 'a-token-that-only-the-partner-knows';
  const shared = {
    token,
    homes: {
      blue: { publicKey: blue.publicKey, generation: 1 },
      green: { publicKey: green.publicKey, generation: 1 },
    },
    devices: { front: ['blue'], gate: ['blue', 'green'] },
  };
  const about = (deviceId: string): RequestInit => ({ ...POST, body: JSON.stringify({ deviceId }) });

  it('reaches the homes of the lock and no other', async () => {
    const relay = await openRelay({ shared });
    const reached = (): (string | undefined)[] =>
      relay.broker.published.map(({ topic }) => topic.split('/')[2]);
    expect(await relay.call(`/all/${token}`, about('front'))).toMatchObject({ status: 204 });
    expect(reached()).toEqual(['blue']);
    expect(await relay.call(`/all/${token}`, about('gate'))).toMatchObject({ status: 204 });
    // Each home's copy is sealed at its own pace: they reach the broker in either order.
    expect(new Set(reached().slice(1))).toEqual(new Set(['blue', 'green']));
  });

  it.each([
    ['the envelope of one event in an array', [{ deviceId: 'front' }]],
    ['the earlier envelope', [{ eventType: 'AccessCodeManagement', data: { deviceId: 'front' } }]],
    ['the earlier envelope alone', { eventType: 'AccessCodeManagement', data: { deviceId: 'front' } }],
  ])('reaches the home of the lock in %s', async (_, body) => {
    const relay = await openRelay({ shared });
    const request = { ...POST, body: JSON.stringify(body) };
    expect(await relay.call(`/all/${token}`, request)).toMatchObject({ status: 204 });
    expect(relay.broker.published.map(({ topic }) => topic.split('/')[2])).toEqual(['blue']);
  });

  it('does not reach a home that the configuration revokes, and goes on to the others', async () => {
    const relay = await openRelay({ shared, revoked: { blue: 1 } });
    expect(await relay.call(`/all/${token}`, about('front'))).toMatchObject({ text: 'unknown-device' });
    expect(await relay.call(`/all/${token}`, about('gate'))).toMatchObject({ status: 204 });
    expect(relay.broker.published.map(({ topic }) => topic.split('/')[2])).toEqual(['green']);
  });

  it('shows no home the event of another: several events in one body are refused', async () => {
    const relay = await openRelay({ shared });
    const body = JSON.stringify([{ deviceId: 'front' }, { deviceId: 'gate' }]);
    expect(await relay.call(`/all/${token}`, { ...POST, body })).toMatchObject({ status: 404 });
  });

  it('has a delivery repeated for a lock that no home has, and where the broker refused that of one home', async () => {
    const relay = await openRelay({ shared });
    expect(await relay.call(`/all/${token}`, about('cellar'))).toMatchObject({
      status: 404,
      text: 'unknown-device',
    });
    expect(await relay.call(`/all/${token}`, { ...POST, body: 'no JSON' })).toMatchObject({ status: 404 });
    relay.broker.deserted.add('latchkey/homes/green/events');
    expect(await relay.call(`/all/${token}`, about('gate'))).toMatchObject({ status: 503 });
  });

  it('is no address without its token, nor where it is not configured', async () => {
    expect(await (await openRelay({ shared })).call(`/all/${token}x`, about('front'))).toMatchObject({
      status: 404,
    });
    expect(await (await openRelay()).call(`/all/${token}`, about('front'))).toMatchObject({ status: 404 });
    expect(await (await openRelay()).call('/all/', about('front'))).toMatchObject({ status: 404 });
  });
});

describe('the figures of the relay', () => {
  it('count answers, latency and homes by their last event, without a name', async () => {
    const relay = await openRelay();
    await relay.call(enrolled('blue').path, POST);
    await relay.call(enrolled('green').path, POST);
    await relay.call('/nowhere', POST);
    await relay.clock.advance(3 * 3_600_000);
    await relay.call(enrolled('green').path, POST);
    const text = relay.figures();
    expect(text).toContain('latchkey_relay_requests_total{answer="relayed"} 3\n');
    expect(text).toContain('latchkey_relay_requests_total{answer="unknown-address"} 1\n');
    expect(text).toContain('latchkey_relay_seconds_count 3\n');
    expect(text).toContain('latchkey_relay_homes{within="hour"} 1\n');
    expect(text).toContain('latchkey_relay_homes{within="day"} 2\n');
    expect(text).not.toMatch(/blue|green/);
  });
});
