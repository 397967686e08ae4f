// Signatures of deliveries by each scheme, key rotation, and every forgery (wire contract 7, 10.7 and 11).
import { constants, createHmac, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FORGERIES, type Forgery } from '../../src/webhooks/signature.ts';
import { generateSigningKeyPair, processKeyPair } from '../../src/webhooks/signing-keys.ts';
import {
  JWS_ALGORITHMS,
  type JwsAlgorithm,
  SIGNATURE_SCHEMES,
  type SignatureScheme,
  type WebhookSettingsChange,
} from '../../src/webhooks/webhook-settings.ts';
import { battery, KEYS, WebhookHarness } from './harness.ts';
import type { Received } from './receiver.ts';

const signatureOf = (request: Received): string => String(request.headers['webhook-signature']);

/** A strict receiver: the algorithm is its own choice, never the message's. */
type Verifier = (request: Received, key: KeyObject) => boolean;

const pss: Verifier = (request, key) =>
  verify(
    'sha256',
    request.body,
    { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO },
    Buffer.from(signatureOf(request), 'base64'),
  );
const pkcs1: Verifier = (request, key) =>
  verify('sha256', request.body, key, Buffer.from(signatureOf(request), 'base64'));
const jws =
  (alg: 'PS256' | 'RS256'): Verifier =>
  (request, key) => {
    const [header = '', payload, signature = ''] = signatureOf(request).split('.');
    const padding = alg === 'PS256' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
    const saltLength = alg === 'PS256' ? { saltLength: 32 } : {};
    return (
      payload === '' &&
      Buffer.from(header, 'base64url').toString() === JSON.stringify({ alg }) &&
      verify(
        'sha256',
        Buffer.from(`${header}.${request.body.toString('base64url')}`),
        { key, padding, ...saltLength },
        Buffer.from(signature, 'base64url'),
      )
    );
  };

/** The primitive behind each scheme, written here: a scheme without one does not compile. */
const OVER_THE_BODY: Readonly<Record<Exclude<SignatureScheme, 'jws-detached'>, Verifier>> = {
  'pss-sha256': pss,
  'pkcs1-sha256': pkcs1,
};
const DETACHED: Readonly<Record<JwsAlgorithm, Verifier>> = { PS256: jws('PS256'), RS256: jws('RS256') };

type Case = readonly [string, WebhookSettingsChange, Verifier];

const SCHEMES: readonly Case[] = [
  ['the default', {}, pss],
  ['a detached JWS by default', { scheme: 'jws-detached' }, jws('PS256')],
  ...SIGNATURE_SCHEMES.flatMap<Case>((scheme) =>
    scheme === 'jws-detached'
      ? JWS_ALGORITHMS.map(
          (jwsAlgorithm): Case => [
            `${scheme} ${jwsAlgorithm}`,
            { scheme, jwsAlgorithm },
            DETACHED[jwsAlgorithm],
          ],
        )
      : [[scheme, { scheme }, OVER_THE_BODY[scheme]]],
  ),
];

const deliver = async (hooks: WebhookHarness): Promise<Received> => {
  await hooks.publish(battery());
  const request = hooks.receiver.of('POST').at(-1);
  if (request === undefined) {
    throw new Error('Nothing was delivered');
  }
  return request;
};

describe.each(SCHEMES)('Wire contract 10.7, %s', (_name, settings, verifies) => {
  test('verifies over the exact body bytes', async () => {
    const request = await deliver(await WebhookHarness.startSubscribed(settings));
    expect(verifies(request, KEYS.publicKey)).toBe(true);
    expect(
      verifies({ ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) }, KEYS.publicKey),
    ).toBe(false);
  });

  test.each(FORGERIES)('a forgery (%s) does not verify, once; the next delivery does', async (forgery) => {
    const hooks = await WebhookHarness.startSubscribed(settings);
    hooks.service.faults.arm({ kind: 'forge', forgery, often: 'once' });
    expect(verifies(await deliver(hooks), KEYS.publicKey)).toBe(false);
    expect(verifies(await deliver(hooks), KEYS.publicKey)).toBe(true);
    expect(hooks.attempts.map(({ fault }) => fault)).toEqual(['forge', null]);
  });
});

describe('Wire contract 7, signature', () => {
  test('by default is 344 characters of base64 with a salt of 32 bytes', async () => {
    const request = await deliver(await WebhookHarness.startSubscribed());
    const signature = signatureOf(request);
    expect(signature).toMatch(/^[A-Za-z0-9+/]{342}==$/);
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const withSalt = (saltLength: number) =>
      verify(
        'sha256',
        request.body,
        { key: KEYS.publicKey, padding, saltLength },
        Buffer.from(signature, 'base64'),
      );
    expect(withSalt(32)).toBe(true);
    expect(withSalt(20)).toBe(false);
  });

  test('a retry has the same body', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.receiver.replies.push(500);
    await hooks.publish(battery());
    await hooks.advance(11_000);
    const [first, second] = hooks.receiver.of('POST');
    expect(second?.body).toEqual(first?.body);
    expect(second !== undefined && pss(second, KEYS.publicKey)).toBe(true);
  });

  test('stands in the header that the settings name', async () => {
    const request = await deliver(
      await WebhookHarness.startSubscribed({ signatureHeader: 'X-Other-Signature' }),
    );
    expect(request.headers['webhook-signature']).toBeUndefined();
    expect(request.headers['x-other-signature']).toMatch(/==$/);
  });
});

describe('Wire contract 7, forgeries', () => {
  const forged = async (forgery: Forgery, settings: WebhookSettingsChange = {}): Promise<Received> => {
    const hooks = await WebhookHarness.startSubscribed(settings);
    hooks.service.faults.arm({ kind: 'forge', forgery, often: 'once' });
    return deliver(hooks);
  };

  test('unsigned: there is no header', async () => {
    expect((await forged('unsigned')).headerNames).not.toContain('WebHook-Signature');
  });

  test('changed-byte: one byte differs, and the body is still JSON', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    const genuine = await deliver(hooks);
    const event = battery();
    hooks.service.faults.arm({ kind: 'forge', forgery: 'changed-byte', often: 'once' });
    await hooks.publish(event, event);
    const [, changed, good] = hooks.receiver.of('POST');
    const differing = [...(changed?.body ?? [])].filter((byte, index) => byte !== good?.body[index]);
    expect(differing).toHaveLength(1);
    expect(JSON.parse(String(changed?.body))).toMatchObject({ trigger: 'DeviceBatteryStateChanged' });
    expect(changed?.body.byteLength).toBe(genuine.body.byteLength);
  });

  test('wrong-key: a sound signature by a stranger', async () => {
    const signature = Buffer.from(signatureOf(await forged('wrong-key')), 'base64');
    expect(signature.byteLength).toBe(256);
  });

  test('other-algorithm: the right key, and the scheme a careless verifier would take as well', async () => {
    expect(pkcs1(await forged('other-algorithm'), KEYS.publicKey)).toBe(true);
  });

  test('alg-none: a JWS that names no algorithm and has no signature', async () => {
    const [header = '', payload, signature] = signatureOf(
      await forged('alg-none', { scheme: 'jws-detached' }),
    ).split('.');
    expect(Buffer.from(header, 'base64url').toString()).toBe('{"alg":"none"}');
    expect([payload, signature]).toEqual(['', '']);
  });

  test('hmac-with-public-key: HS256 with the published key as the secret', async () => {
    const request = await forged('hmac-with-public-key', { scheme: 'jws-detached' });
    const [header = '', , signature] = signatureOf(request).split('.');
    const secret = KEYS.publicKey.export({ type: 'spki', format: 'pem' });
    const expected = createHmac('sha256', secret)
      .update(`${header}.${request.body.toString('base64url')}`)
      .digest('base64url');
    expect(signature).toBe(expected);
  });
});

describe('Wire contract 7 and 11, key rotation', () => {
  const next = generateSigningKeyPair();

  test('the newest key signs, and publickey answers it', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.service.rotateKey(next);
    const request = await deliver(hooks);
    expect(pss(request, next.publicKey)).toBe(true);
    expect(pss(request, KEYS.publicKey)).toBe(false);
    const published = z.object({ publicKey: z.string() }).parse((await hooks.call('GET', '/publickey')).body);
    expect(createPublicKey(published.publicKey).equals(next.publicKey)).toBe(true);
  });

  test('while a rotation spreads, the previous key may still sign', async () => {
    const hooks = await WebhookHarness.startSubscribed({ signWith: 'previous' });
    expect(pss(await deliver(hooks), KEYS.publicKey)).toBe(true);
    hooks.service.rotateKey(next);
    expect(pss(await deliver(hooks), KEYS.publicKey)).toBe(true);
    hooks.service.configure({ signWith: 'newest' });
    expect(pss(await deliver(hooks), next.publicKey)).toBe(true);
  });

  test('a rotation without a pair makes one', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.service.rotateKey();
    const published = createPublicKey(hooks.service.publishedKey().publicKey);
    expect(published.equals(KEYS.publicKey)).toBe(false);
    expect(pss(await deliver(hooks), published)).toBe(true);
  });

  test('the default pair is made once for the process', () => {
    expect(processKeyPair()).toBe(processKeyPair());
  });
});
