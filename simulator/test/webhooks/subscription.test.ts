// Webhook subscriptions and the handshake over HTTP (wire contract 6 and 11).
import { describe, expect, test } from 'vitest';
import {
  JWS_ALGORITHMS,
  SIGNATURE_SCHEMES,
  type SignatureScheme,
  type WebhookSettingsChange,
} from '../../src/webhooks/webhook-settings.ts';
import { battery, KEYS, WebhookHarness } from './harness.ts';

const GUEST = { clientId: 'client-1', userId: 'guest' };
const OTHER_CLIENT = { clientId: 'client-2', userId: 'resident' };
/** The name in the contract of each scheme over the body; a detached JWS goes by its algorithm. */
const ALGORITHM_NAMES: Readonly<Record<Exclude<SignatureScheme, 'jws-detached'>, string>> = {
  'pss-sha256': 'RSASSA_PSS_SHA_256',
  'pkcs1-sha256': 'RSASSA_PKCS1_V1_5_SHA_256',
};
type Named = readonly [WebhookSettingsChange, string];

const VALIDATION_FAILED = { errorCode: 20, Description: 'Webhook endpoint validation failed' };

describe('Wire contract 6, handshake', () => {
  test('asks exactly that URL with the headers of the contract; consent answers 201 and the record', async () => {
    const hooks = await WebhookHarness.start();
    const url = hooks.receiver.url('/hooks?env=prod');
    const createdAt = '2026-04-14T12:00:00.000Z';
    expect(await hooks.subscribe(url)).toEqual({
      status: 201,
      body: { subscriptionId: 's-1', url, status: 'Active', createdAt },
    });
    const [request] = hooks.receiver.received;
    expect(request?.method).toBe('OPTIONS');
    expect(request?.target).toBe('/hooks?env=prod');
    expect(request?.headers).toMatchObject({
      'webhook-request-origin': 'events.lock-platform.example',
      'webhook-request-rate': '120',
      'user-agent': 'lock-platform-webhooks/2.0',
    });
    expect(request?.headerNames).toEqual(
      expect.arrayContaining(['WebHook-Request-Origin', 'WebHook-Request-Rate', 'User-Agent']),
    );
    expect(request?.body.byteLength).toBe(0);
  });

  const origin = (value: string) => ({ status: 200, headers: { 'WebHook-Allowed-Origin': value } });
  test.each([
    ['any 2xx', 299, 201],
    ['a 2xx that names the origin', origin('events.lock-platform.example'), 201],
    ['a 2xx that allows every origin', origin('*'), 201],
    ['a 2xx that names another origin', origin('somebody.example'), 400],
    ['a redirect, which is not followed', { status: 307, headers: { location: '/elsewhere' } }, 400],
    ['500', 500, 400],
    ['a connection that is cut', 'cut', 400],
  ] as const)('lenient: %s', async (_case, reply, status) => {
    const hooks = await WebhookHarness.start();
    hooks.receiver.otherwise = reply;
    const answer = await hooks.subscribe();
    expect(answer.status).toBe(status);
    if (status === 400) {
      expect(answer.body).toEqual(VALIDATION_FAILED);
      expect((await hooks.call('GET', '/subscriptions')).body).toEqual([]);
    }
    expect(hooks.receiver.received.map(({ target }) => target)).toEqual(['/hooks']);
  });

  test('strict: the origin must be named', async () => {
    const hooks = await WebhookHarness.start({ handshake: 'strict' });
    expect((await hooks.subscribe()).status).toBe(400);
    hooks.receiver.otherwise = origin('events.lock-platform.example');
    expect((await hooks.subscribe()).status).toBe(201);
  });

  test('a receiver has 30 seconds', async () => {
    const hooks = await WebhookHarness.start();
    hooks.receiver.otherwise = 'hang';
    let answered = false;
    const answer = hooks.subscribe().finally(() => {
      answered = true;
    });
    await hooks.receiver.waitFor(1);
    await hooks.advance(29_999);
    expect(answered).toBe(false);
    await hooks.advance(1);
    expect(await answer).toEqual({ status: 400, body: VALIDATION_FAILED });
    expect(hooks.clock.pendingTimers).toBe(0);
  });
});

describe('Wire contract 6, URLs', () => {
  test.each([
    'http://127.0.0.1:1/hooks',
    'http://partner.example/hooks',
    'ftp://partner.example/hooks',
    'not a url',
    '/hooks',
    '',
  ])('%j is refused with 20 and nobody is asked', async (url) => {
    const hooks = await WebhookHarness.start({ allowHttpToLoopback: false });
    expect(await hooks.subscribe(url)).toEqual({
      status: 400,
      body: { errorCode: 20, Description: 'Parameters provided are not valid' },
    });
    expect(hooks.receiver.received).toEqual([]);
  });

  test.each([
    ['{}', 20],
    ['[]', 20],
    ['null', 20],
    ['{"url":7}', 20],
    ['{', 15],
    ['', 15],
  ])('the body %j is refused with %i', async (body, errorCode) => {
    const hooks = await WebhookHarness.start();
    const answer = await hooks.call('POST', '/subscriptions', body);
    expect(answer).toMatchObject({ status: 400, body: { errorCode } });
  });

  test('the switch for http reaches loopback only', async () => {
    const hooks = await WebhookHarness.start({ allowHttpToLoopback: true });
    expect((await hooks.subscribe('http://192.0.2.1/hooks')).status).toBe(400);
    expect((await hooks.subscribe('http://127.0.0.1.partner.example/hooks')).status).toBe(400);
    expect((await hooks.subscribe(hooks.receiver.url().replace('127.0.0.1', 'localhost'))).status).toBe(201);
  });

  test('https is spoken to an https URL: a plain receiver there fails the handshake', async () => {
    const hooks = await WebhookHarness.start();
    const answer = await hooks.subscribe(hooks.receiver.url().replace('http:', 'https:'));
    expect(answer).toEqual({ status: 400, body: VALIDATION_FAILED });
    expect(hooks.receiver.received).toEqual([]);
  });
});

describe('Wire contract 6 and 11, the same URL again', () => {
  test('finds the existing subscription, without another handshake', async () => {
    const hooks = await WebhookHarness.start();
    const first = await hooks.subscribe();
    expect(await hooks.subscribe()).toEqual({ status: 200, body: first.body });
    expect(hooks.receiver.of('OPTIONS')).toHaveLength(1);
  });

  test('two requests at once make one subscription', async () => {
    const hooks = await WebhookHarness.start();
    const answers = await Promise.all([hooks.subscribe(), hooks.subscribe()]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    expect((await hooks.call('GET', '/subscriptions')).body).toHaveLength(1);
  });

  test('a request for an inactive subscription repeats the handshake', async () => {
    const hooks = await WebhookHarness.start();
    await hooks.subscribe();
    hooks.receiver.replies.push(410);
    await hooks.publish(battery());
    expect((await hooks.call('GET', '/subscriptions/s-1')).body).toMatchObject({ status: 'Inactive' });

    hooks.receiver.replies.push(500);
    expect((await hooks.subscribe()).status).toBe(400);
    expect((await hooks.call('GET', '/subscriptions/s-1')).body).toMatchObject({ status: 'Inactive' });

    const woken = await hooks.subscribe();
    expect(woken).toMatchObject({ status: 200, body: { subscriptionId: 's-1', status: 'Active' } });
    expect(hooks.receiver.of('OPTIONS')).toHaveLength(3);
    await hooks.publish(battery());
    expect(hooks.receiver.of('POST')).toHaveLength(2);
  });
});

describe('Wire contract 6, reading and ending', () => {
  test('a subscription belongs to its user and client and does not exist for others', async () => {
    const hooks = await WebhookHarness.start();
    const mine = await hooks.subscribe();
    expect((await hooks.call('GET', '/subscriptions')).body).toEqual([mine.body]);
    expect((await hooks.call('GET', '/subscriptions/s-1')).body).toEqual(mine.body);
    const unknown = { status: 404, body: { errorCode: 1, Description: 'Subscription not found' } };
    for (const owner of [GUEST, OTHER_CLIENT]) {
      expect(await hooks.call('GET', '/subscriptions', undefined, owner)).toEqual({ status: 200, body: [] });
      expect(await hooks.call('GET', '/subscriptions/s-1', undefined, owner)).toEqual(unknown);
      expect(await hooks.call('DELETE', '/subscriptions/s-1', undefined, owner)).toEqual(unknown);
      expect(await hooks.subscribe(hooks.receiver.url(), owner)).toMatchObject({ status: 201 });
    }
    expect(await hooks.call('GET', '/subscriptions/s-9')).toEqual(unknown);
  });

  test('DELETE answers 204, ends what is on its way, and then 404', async () => {
    const hooks = await WebhookHarness.start();
    await hooks.subscribe();
    hooks.receiver.otherwise = 500;
    await hooks.publish(battery());
    expect(hooks.clock.pendingTimers).toBe(1);
    expect(await hooks.call('DELETE', '/subscriptions/s-1')).toEqual({ status: 204, body: undefined });
    expect(hooks.clock.pendingTimers).toBe(0);
    expect((await hooks.call('DELETE', '/subscriptions/s-1')).status).toBe(404);
    await hooks.publish(battery());
    expect(hooks.receiver.of('POST')).toHaveLength(1);
  });

  test('unlinking deletes the subscriptions with that client, after what was already sent', async () => {
    const hooks = await WebhookHarness.start();
    await hooks.subscribe();
    await hooks.subscribe(hooks.receiver.url('/other'), OTHER_CLIENT);
    hooks.receiver.replies.push(500, 204);
    await hooks.publish(battery());
    hooks.service.unlink('resident', 'client-1');
    expect((await hooks.call('GET', '/subscriptions')).body).toEqual([]);
    expect((await hooks.call('GET', '/subscriptions', undefined, OTHER_CLIENT)).body).toHaveLength(1);
    await hooks.advance(11_000);
    expect(hooks.attempts.map(({ next }) => next).sort()).toEqual(['delivered', 'delivered', 'retry']);
    await hooks.publish(battery());
    expect(
      hooks.receiver
        .of('POST')
        .map(({ target }) => target)
        .sort(),
    ).toEqual(['/hooks', '/hooks', '/other', '/other']);
  });

  test.each<Named>([
    [{}, 'RSASSA_PSS_SHA_256'],
    [{ scheme: 'jws-detached' }, 'PS256'],
    ...SIGNATURE_SCHEMES.flatMap<Named>((scheme) =>
      scheme === 'jws-detached'
        ? JWS_ALGORITHMS.map((jwsAlgorithm): Named => [{ scheme, jwsAlgorithm }, jwsAlgorithm])
        : [[{ scheme }, ALGORITHM_NAMES[scheme]]],
    ),
  ])(
    'GET /events/publickey answers the key in force and names the scheme of %j',
    async (settings, algorithm) => {
      const hooks = await WebhookHarness.start(settings);
      const publicKey = KEYS.publicKey.export({ type: 'spki', format: 'pem' });
      expect(await hooks.call('GET', '/publickey')).toEqual({ status: 200, body: { algorithm, publicKey } });
    },
  );
});
