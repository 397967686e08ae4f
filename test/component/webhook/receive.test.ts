// The receiver without HTTP: every bit of a signature counts, keys change under it, and nothing is lost or reported twice.
import { constants, createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceReply } from '../../../src/cloud/device-interface.ts';
import { FetchedSigningKeys } from '../../../src/cloud/signing-keys.ts';
import type { ServiceEvent } from '../../../src/domain/webhooks/service-event.ts';
import { signBody } from '../../../src/simulator/webhooks/signature.ts';
import { LedgerQueue } from '../../../src/webhook/ledger-queue.ts';
import { type DeliveryHead, Receiver } from '../../../src/webhook/receive.ts';
import type { SignatureMethod } from '../../../src/webhook/verify-signature.ts';
import {
  bodyOf,
  pemOf,
  pssOf,
  type ReceiverFixture,
  receiverFixture,
  SIGNATURE_METHODS,
  servicePair,
  strangerPair,
} from './fixture.ts';

const EVENT: ServiceEvent = { eventId: 'e-1', at: null, lockId: null, type: 'alarm' };

interface WebhookReceiver extends ReceiverFixture {
  readonly receiver: Receiver;
  /** The outcome of a delivery with a good content type. */
  readonly deliver: (body: Buffer, signature: string | undefined) => Promise<string>;
}

function openReceiver(overrides: { readonly method?: SignatureMethod } = {}): WebhookReceiver {
  const made = receiverFixture(overrides);
  const receiver = new Receiver(made.parts);
  receiver.subscribe((message) => made.received.push(message));
  return {
    ...made,
    receiver,
    deliver: async (body, signature) => {
      const head: DeliveryHead = {
        contentTypes: ['application/json'],
        contentEncoding: undefined,
        contentLength: String(body.length),
        signature,
        marker: undefined,
      };
      return receiver.judgeHead(head) ?? (await receiver.receive(body, signature));
    },
  };
}

const flipped = (bytes: Buffer, bit: number): Buffer => {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return changed;
};

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const methods: readonly SignatureMethod[] = Object.values(SIGNATURE_METHODS);

const sign = (body: Buffer, method: SignatureMethod, key: KeyObject): string =>
  signBody(
    body,
    {
      scheme: method.scheme,
      jwsAlgorithm: method.scheme === 'jws-detached' ? method.algorithm : 'PS256',
    },
    key,
  );

describe.each(Object.entries(SIGNATURE_METHODS))('a delivery signed by %s', (_name, method) => {
  it('is accepted when the service signed it, and refused when a stranger did', async () => {
    const { deliver, received } = openReceiver({ method });
    const body = bodyOf();
    expect(await deliver(body, sign(body, method, strangerPair.privateKey))).toBe('forged');
    expect(received).toEqual([]);
    expect(await deliver(body, sign(body, method, servicePair.privateKey))).toBe('accepted');
    expect(received).toHaveLength(1);
  });

  it('is distinguished from forged ones also when many come at a time', async () => {
    const { deliver, received } = openReceiver({ method });
    const pairs = [servicePair, strangerPair];
    const verdicts = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const body = bodyOf({ eventId: `e-${String(index)}` });
        return deliver(body, sign(body, method, (pairs[index % 2] ?? servicePair).privateKey));
      }),
    );
    expect(verdicts).toEqual(verdicts.map((_, index) => (index % 2 === 0 ? 'accepted' : 'forged')));
    expect(received).toHaveLength(50);
  });

  it('is refused with any bit of its body changed (faults#41)', async () => {
    const { deliver, received, ledger } = openReceiver({ method });
    const body = bodyOf();
    const signature = sign(body, method, servicePair.privateKey);
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      expect(await deliver(flipped(body, bit), signature)).toBe('forged');
    }
    expect(received).toEqual([]);
    expect(ledger.events.size).toBe(0);
  });

  it('is refused with any bit of its signature header changed (faults#41)', async () => {
    const { deliver, received } = openReceiver({ method });
    const body = bodyOf();
    const signature = Buffer.from(sign(body, method, servicePair.privateKey), 'latin1');
    for (let bit = 0; bit < signature.length * 8; bit += 1) {
      expect(await deliver(body, flipped(signature, bit).toString('latin1'))).toBe('forged');
    }
    expect(received).toEqual([]);
  });

  it('is refused when it was signed by any other scheme', async () => {
    for (const other of methods) {
      const { deliver } = openReceiver({ method });
      const body = bodyOf();
      const expected = other === method ? 'accepted' : 'forged';
      expect([other, await deliver(body, sign(body, other, servicePair.privateKey))]).toEqual([
        other,
        expected,
      ]);
    }
  });

  it('is refused when its signature is of other bytes, empty, doubled or decorated', async () => {
    const { deliver } = openReceiver({ method });
    const body = bodyOf();
    const good = sign(body, method, servicePair.privateKey);
    const others = [
      sign(bodyOf({ eventId: 'e-2' }), method, servicePair.privateKey),
      `${good}, ${good}`,
      ` ${good}`,
      `${good}=`,
      good.slice(0, -4),
      good.replace('=', ''),
      'e30..',
      '..',
      '=',
    ].filter((signature) => signature !== good);
    for (const signature of others) {
      expect([signature, await deliver(body, signature)]).toEqual([signature, 'forged']);
    }
    expect(await deliver(body, '')).toBe('unsigned');
    expect(await deliver(body, undefined)).toBe('unsigned');
  });
});

describe('a detached JWS', () => {
  const method = { scheme: 'jws-detached', algorithm: 'PS256' } as const;
  const body = bodyOf();
  const payload = body.toString('base64url');
  const jws = (header: object, tag: (input: string) => Buffer): string =>
    `${part(header)}..${tag(`${part(header)}.${payload}`).toString('base64url')}`;
  const hmacWith = (secret: string | Buffer) => (input: string) =>
    createHmac('sha256', secret).update(input).digest();
  const genuine = (header: object): string => {
    const input = Buffer.from(`${part(header)}.${payload}`);
    const tag = signBody(input, { scheme: 'pss-sha256', jwsAlgorithm: 'PS256' }, servicePair.privateKey);
    return `${part(header)}..${Buffer.from(tag, 'base64').toString('base64url')}`;
  };
  const pem = pemOf(servicePair);

  it.each([
    ['no algorithm', jws({ alg: 'none' }, () => Buffer.alloc(0))],
    ['no algorithm and a signature', jws({ alg: 'none' }, () => Buffer.alloc(256))],
    ['no algorithm in other letters', jws({ alg: 'nOnE' }, () => Buffer.alloc(256))],
    ['HMAC with the public key as secret', jws({ alg: 'HS256' }, hmacWith(pem))],
    [
      'HMAC with the bytes of the public key',
      jws({ alg: 'HS256' }, hmacWith(servicePair.publicKey.export({ type: 'spki', format: 'der' }))),
    ],
    ['a missing algorithm', genuine({})],
    ['another algorithm than was used', genuine({ alg: 'RS256' })],
    ['an algorithm of another family', genuine({ alg: 'ES256' })],
    ['an extension that must be understood', genuine({ alg: 'PS256', crit: ['exp'], exp: 1 })],
    ['an unencoded payload', genuine({ alg: 'PS256', b64: false, crit: ['b64'] })],
    [
      'a key of its own',
      `${part({ alg: 'PS256', jwk: strangerPair.publicKey.export({ format: 'jwk' }) })}..${sign(body, method, strangerPair.privateKey).split('.')[2] ?? ''}`,
    ],
    ['a header that is no JSON', `${Buffer.from('{').toString('base64url')}..AAAA`],
    ['a header that is no object', `${part('PS256')}..AAAA`],
    ['its payload attached', genuine({ alg: 'PS256' }).replace('..', `.${payload}.`)],
    ['five parts', `${genuine({ alg: 'PS256' })}.AAAA.AAAA`],
  ])('with %s is refused (faults#42)', async (_, signature) => {
    const { deliver, received } = openReceiver({ method });
    expect(await deliver(body, signature)).toBe('forged');
    expect(received).toEqual([]);
  });

  it('with the id of another key than verifies it is refused, with that of the key accepted (faults#42)', async () => {
    const { deliver, keys } = openReceiver({ method });
    const jwk = servicePair.publicKey.export({ format: 'jwk' });
    keys.held = [JSON.stringify({ ...jwk, kid: 'key-1' })];
    expect(await deliver(body, genuine({ alg: 'PS256', kid: 'key-2' }))).toBe('forged');
    expect(await deliver(body, genuine({ alg: 'PS256', kid: 'key-1' }))).toBe('accepted');
  });

  it('is refused by a key that is for another algorithm', async () => {
    const { deliver, keys } = openReceiver({ method });
    const jwk = servicePair.publicKey.export({ format: 'jwk' });
    keys.held = [JSON.stringify({ ...jwk, alg: 'RS256' })];
    expect(await deliver(body, genuine({ alg: 'PS256' }))).toBe('forged');
  });
});

describe('keys', () => {
  const good = bodyOf();

  it('are several at a time: any of them will do', async () => {
    const { deliver, keys } = openReceiver();
    keys.held = [pemOf(strangerPair), JSON.stringify(servicePair.publicKey.export({ format: 'jwk' }))];
    expect(await deliver(good, pssOf(good))).toBe('accepted');
    const other = bodyOf({ eventId: 'e-2' });
    expect(await deliver(other, pssOf(other, strangerPair))).toBe('accepted');
    expect(keys.refreshed).toBe(0);
  });

  it('are asked for again when none fits, and an event under the new one is not lost (faults#43)', async () => {
    const { deliver, keys, received } = openReceiver();
    keys.onRefresh = async () => {
      keys.held = [pemOf(strangerPair), ...keys.held];
      return Promise.resolve('current');
    };
    expect(await deliver(good, pssOf(good, strangerPair))).toBe('accepted');
    const old = bodyOf({ eventId: 'e-2' });
    expect(await deliver(old, pssOf(old))).toBe('accepted');
    expect(keys.refreshed).toBe(1);
    expect(received).toHaveLength(2);
  });

  it('that cannot be fetched leave the known ones good, and an unknown one outside, to come again (faults#44)', async () => {
    const { deliver, keys, received } = openReceiver();
    keys.onRefresh = async () => Promise.resolve('unavailable');
    expect(await deliver(good, pssOf(good, strangerPair))).toBe('unverifiable');
    expect(received.filter(({ trust }) => trust === 'verified')).toEqual([]);
    expect(await deliver(good, pssOf(good))).toBe('accepted');
  });

  it('that were fetched a moment ago let a refused event wait for newer ones, and nothing pushes it out (faults#43)', async () => {
    const { deliver, keys, received, clock } = openReceiver();
    keys.onRefresh = async () => Promise.resolve('recent');
    expect(await deliver(good, pssOf(good, strangerPair))).toBe('forged');
    const broken = flipped(good, 7);
    const verdicts: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      verdicts.push(await deliver(broken, pssOf(good, strangerPair)));
    }
    expect(verdicts.filter((verdict) => verdict === 'forged')).toHaveLength(31);
    expect(verdicts.filter((verdict) => verdict === 'unverifiable')).toHaveLength(9);
    // Nothing that was not verified is parsed, and a flood causes no more hints than deliveries are kept.
    expect(received).toHaveLength(32);
    expect(new Set(received.map(({ event, trust }) => `${trust} ${event.eventId}`))).toEqual(
      new Set(['unverified ']),
    );
    keys.held = [pemOf(strangerPair), ...keys.held];
    await clock.advance(2_000);
    await expect
      .poll(() => received.filter(({ trust }) => trust === 'verified').map(({ event }) => event.eventId))
      .toEqual(['e-1']);
  });

  it.each([0, 1_000, 30_000, 59_000])(
    'that changed %i ms after they were fetched cost no genuine event: read meanwhile, verified as soon as the minute allows (faults#43)',
    async (changedAfterMs) => {
      const made = receiverFixture();
      let published = pemOf(servicePair);
      const fetches: number[] = [];
      const read = async (): Promise<ServiceReply> => {
        fetches.push(made.clock.monotonic());
        return Promise.resolve({ headers: {}, body: { publicKey: published }, askedAt: made.clock.now() });
      };
      const fetched = new FetchedSigningKeys({
        service: { read },
        productSegment: 'locks',
        clock: made.clock,
        log: made.parts.log,
      });
      await fetched.refresh();
      const receiver = new Receiver({ ...made.parts, keys: fetched });
      onTestFinished(async () => receiver.close());
      receiver.subscribe((event) => made.received.push(event));
      await made.clock.advance(changedAfterMs);
      published = pemOf(strangerPair);
      expect(await receiver.receive(good, pssOf(good, strangerPair))).toBe('forged');
      expect(made.received.map(({ trust }) => trust)).toEqual(['unverified']);
      await made.clock.advance(60_000 - changedAfterMs + 2_000);
      await expect.poll(() => made.received.map(({ trust }) => trust)).toEqual(['unverified', 'verified']);
      expect(fetches).toHaveLength(2);
      expect((fetches[1] ?? 0) - (fetches[0] ?? 0)).toBeLessThanOrEqual(62_000);
      expect(made.clock.pendingTimers).toBe(0);
    },
  );

  it('that cannot be fetched keep an unverified event for three minutes, in which they may come', async () => {
    const { deliver, keys, received, clock } = openReceiver();
    keys.onRefresh = async () => Promise.resolve('unavailable');
    expect(await deliver(good, pssOf(good, strangerPair))).toBe('unverifiable');
    await clock.advance(170_000);
    keys.onRefresh = async () => {
      keys.held = [pemOf(strangerPair)];
      return Promise.resolve('current');
    };
    await clock.advance(2_000);
    await expect.poll(() => received.map(({ trust }) => trust)).toEqual(['unverified', 'verified']);
  });

  it('that never come let an unverified event go', async () => {
    const { deliver, keys, clock } = openReceiver();
    keys.onRefresh = async () => Promise.resolve('unavailable');
    await deliver(good, pssOf(good, strangerPair));
    await clock.advance(200_000);
    expect(clock.pendingTimers).toBe(0);
  });

  it('keep only so many deliveries waiting; the others are asked to come again', async () => {
    const { deliver, keys } = openReceiver();
    let answer: (freshness: 'current') => void = () => undefined;
    const fetched = new Promise<'current'>((resolve) => {
      answer = resolve;
    });
    keys.onRefresh = async () => fetched;
    const forged = pssOf(good, strangerPair);
    const sentAway = Promise.withResolvers<void>();
    let leftToSendAway = 936;
    const many = Array.from({ length: 1_000 }, async () => {
      const verdict = await deliver(good, forged);
      leftToSendAway -= 1;
      if (leftToSendAway === 0) {
        sentAway.resolve();
      }
      return verdict;
    });
    await sentAway.promise;
    expect(keys.refreshed).toBe(64);
    answer('current');
    const verdicts = await Promise.all(many);
    expect(verdicts.filter((verdict) => verdict === 'forged')).toHaveLength(64);
    expect(verdicts.filter((verdict) => verdict === 'unverifiable')).toHaveLength(936);
    expect(await deliver(good, pssOf(good))).toBe('accepted');
  });

  it.each([512, 1_024, 2_040])('of %i bits verify nothing: they can be broken', async (modulusLength) => {
    const { deliver, keys, lines } = openReceiver();
    const weak = generateKeyPairSync('rsa', { modulusLength });
    keys.held = [weak.publicKey.export({ type: 'spki', format: 'pem' }).toString()];
    const tag = createSign('sha256')
      .update(good)
      .sign({
        key: weak.privateKey,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: modulusLength === 512 ? 16 : 32,
      });
    expect(await deliver(good, tag.toString('base64'))).toBe('forged');
    expect(lines).toContain(
      'A key for verifying webhooks cannot be used: it is no RSA key of at least 2048 bits',
    );
  });

  it('that are for PSS alone verify it, and with another hash or scheme are named as unusable (RFC 4055)', async () => {
    const pairOf = (hash: string) =>
      generateKeyPairSync('rsa-pss', {
        modulusLength: 2_048,
        hashAlgorithm: hash,
        mgf1HashAlgorithm: hash,
      });
    const [own, other] = [pairOf('sha256'), pairOf('sha512')];
    const pems = [other, own].map(({ publicKey }) =>
      publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    );
    const tag = createSign('sha256').update(good).sign(own.privateKey);
    const pss = openReceiver();
    pss.keys.held = pems;
    expect(await pss.deliver(good, tag.toString('base64'))).toBe('accepted');
    expect(pss.lines).toEqual([expect.stringMatching(/^A key for verifying webhooks cannot be used: /)]);
    for (const method of [SIGNATURE_METHODS['pkcs1-sha256'], SIGNATURE_METHODS['jws-detached PS256']]) {
      const { deliver, keys, lines } = openReceiver({ method });
      keys.held = pems;
      expect(await deliver(good, sign(good, method, servicePair.privateKey))).toBe('forged');
      expect(lines).toHaveLength(2);
    }
  });

  it.each([
    ['no key at all', 'canary'],
    ['half a key', pemOf(servicePair).slice(0, 200)],
    ['a key of another kind', JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' })],
    ['a broken JWK', '{"kty":"RSA"'],
  ])('that are %s verify nothing, and are named once without being shown', async (_, text) => {
    const { deliver, keys, lines } = openReceiver();
    keys.held = [text, pemOf(servicePair)];
    expect(await deliver(good, pssOf(good))).toBe('accepted');
    expect(await deliver(good, pssOf(good))).toBe('repeated');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^A key for verifying webhooks cannot be used: /);
    expect(lines[0]).not.toContain('canary');
  });
});

describe('repetition', () => {
  it('has no effect after a restart either (faults#46)', async () => {
    const first = openReceiver();
    const body = bodyOf();
    expect(await first.deliver(body, pssOf(body))).toBe('accepted');
    const receivedAfterRestart: unknown[] = [];
    const again = new Receiver(first.parts);
    again.subscribe((message) => receivedAfterRestart.push(message));
    expect(await again.receive(body, pssOf(body))).toBe('repeated');
    expect(receivedAfterRestart).toEqual([]);
  });

  it('of an event without id is known by its bytes', async () => {
    const { deliver, received } = openReceiver();
    const body = bodyOf({ eventId: undefined });
    expect(await deliver(body, pssOf(body))).toBe('accepted');
    expect(await deliver(body, pssOf(body))).toBe('repeated');
    expect(received.map(({ event }) => event.eventId)).toEqual([
      expect.stringMatching(/^sha256-[0-9a-f]{64}$/),
    ]);
  });

  it('in the same breath is reported once, and acknowledged when the first is kept', async () => {
    const { deliver, received, ledger } = openReceiver();
    const body = bodyOf();
    const verdicts = await Promise.all([1, 2, 3].map(async () => deliver(body, pssOf(body))));
    expect(verdicts.toSorted()).toEqual(['accepted', 'repeated', 'repeated']);
    expect(received).toHaveLength(1);
    expect(ledger.events.size).toBe(1);
  });
});

describe('several events in one body', () => {
  const single = (eventId: string): unknown => JSON.parse(bodyOf({ eventId }).toString());
  const several = (...items: readonly unknown[]): Buffer => Buffer.from(JSON.stringify(items));

  it('are each reported and kept, and all are repeats when they come again', async () => {
    const { deliver, received, ledger } = openReceiver();
    const body = several(single('e-1'), single('e-2'), single('e-1'));
    expect(await deliver(body, pssOf(body))).toBe('accepted');
    expect(received.map(({ event }) => event.eventId)).toEqual(['e-1', 'e-2']);
    expect([...ledger.events.keys()]).toEqual(['e-1', 'e-2']);
    expect(ledger.commits).toBe(1);
    expect(await deliver(body, pssOf(body))).toBe('repeated');
    expect(received).toHaveLength(2);
  });

  it('are none when a stranger signed the body, and come again when the disk failed', async () => {
    const { deliver, received, ledger } = openReceiver();
    const body = several(single('e-1'), single('e-2'));
    expect(await deliver(body, pssOf(body, strangerPair))).toBe('forged');
    expect(received).toEqual([]);
    ledger.broken = true;
    expect(await deliver(body, pssOf(body))).toBe('not-kept');
    ledger.broken = false;
    expect(await deliver(body, pssOf(body))).toBe('repeated');
    expect(ledger.events.size).toBe(2);
  });
});

describe('the ledger', () => {
  it('gets what comes together in one commit', async () => {
    const { ledger, parts } = openReceiver();
    const queue = new LedgerQueue(ledger, parts.clock.commits, parts.log);
    const kept = await Promise.all(
      Array.from({ length: 200 }, async (_, index) =>
        queue.keep({ event: { ...EVENT, eventId: `e-${String(index)}` }, receivedAt: 0 }),
      ),
    );
    expect(new Set(kept)).toEqual(new Set([true]));
    expect(ledger.events.size).toBe(200);
    expect(ledger.commits).toBe(1);
  });

  it('gets what comes later in another commit', async () => {
    const { ledger, parts } = openReceiver();
    const queue = new LedgerQueue(ledger, parts.clock.commits, parts.log);
    for (const eventId of ['e-1', 'e-2']) {
      expect(await queue.keep({ event: { ...EVENT, eventId }, receivedAt: 0 })).toBe(true);
    }
    expect(ledger.commits).toBe(2);
  });

  it('gets nothing any more once the receiver is closed, and nobody hears of what was under way', async () => {
    const { deliver, received, ledger, receiver } = openReceiver();
    const bodies = [bodyOf({ eventId: 'e-1' }), bodyOf({ eventId: 'e-2' })];
    const under = Promise.all(bodies.map(async (body) => deliver(body, pssOf(body))));
    await receiver.close();
    const reportedBefore = received.length;
    const verdicts = await under;
    expect(verdicts.filter((verdict) => verdict === 'accepted')).toHaveLength(reportedBefore);
    expect(received).toHaveLength(reportedBefore);
    expect(ledger.events.size).toBe(reportedBefore);
  });

  it('never holds an entered code, nor the digits of an access code', async () => {
    const { deliver, ledger } = openReceiver();
    const wrong = bodyOf({
      trigger: 'DeviceIncorrectAccessCodeEntered',
      time: 1_776_168_000_000,
      data: { enteredAccessCode: '739182' },
    });
    const added = bodyOf({
      eventId: 'e-2',
      trigger: 'AccessCodeAdded',
      data: { accessCodeId: 'a-1', name: 'Cleaner', code: '739182', accessCodeLength: 6 },
    });
    for (const body of [wrong, added]) {
      expect(await deliver(body, pssOf(body))).toBe('accepted');
    }
    expect(JSON.stringify([...ledger.events.values()])).not.toContain('739182');
  });
});

describe('what is foreign', () => {
  it('in a `__proto__` changes nothing outside of it (faults#52)', async () => {
    const { deliver, received } = openReceiver();
    const bodies = [
      '{"eventId":"e-1","__proto__":{"polluted":1},"trigger":"DeviceLockStateChanged","data":{"__proto__":{"lockState":"Locked"}}}',
      '{"eventId":"e-2","constructor":{"prototype":{"polluted":1}},"trigger":"DeviceLockStateChanged","data":{"accessor":{"__proto__":{"polluted":1},"friendlyName":"__proto__"}}}',
      '{"__proto__":{"eventId":"e-3","trigger":"DeviceLockStateChanged","polluted":1}}',
      '[{"__proto__":[],"eventId":"__proto__","trigger":"__proto__","deviceId":"__proto__"}]',
    ];
    for (const text of bodies) {
      const body = Buffer.from(text);
      expect(await deliver(body, pssOf(body))).toBe('accepted');
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(received.map(({ event }) => [event.type, 'polluted' in event])).toEqual([
      ['bolt', false],
      ['bolt', false],
      ['unrecognised', false],
      ['unrecognised', false],
    ]);
    expect(received[0]?.event).toMatchObject({ bolt: null });
  });

  it('as a word is accepted, named once in the log, and never more than twenty of them', async () => {
    const { deliver, received, lines } = openReceiver();
    for (let index = 0; index < 30; index += 1) {
      const trigger = `Device\u001b[31mNews${String(index)}`;
      for (const repeat of ['a', 'b']) {
        const body = bodyOf({ eventId: `${repeat}-${String(index)}`, trigger });
        expect(await deliver(body, pssOf(body))).toBe('accepted');
      }
    }
    expect(received).toHaveLength(60);
    expect(lines).toHaveLength(20);
    expect(lines.join('')).not.toContain('\u001b');
  });

  it('as bytes never throws, signed as it may be', async () => {
    const { deliver } = openReceiver();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc
            .jsonValue()
            .map((value) => JSON.stringify({ eventId: 'x', data: value, trigger: 'DeviceLockStateChanged' })),
        ),
        async (text) => {
          const body = Buffer.from(text);
          expect(['accepted', 'repeated', 'unreadable', 'too-old']).toContain(
            await deliver(body, pssOf(body)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a time to come', () => {
  it('is no time: the event is a reason to read, and no longer good when the time has come', async () => {
    const { deliver, received, clock } = openReceiver();
    const inTime = bodyOf({ time: new Date(clock.now() + 299_000).toISOString() });
    const ahead = bodyOf({ eventId: 'e-2', time: new Date(clock.now() + 301_000).toISOString() });
    await deliver(inTime, pssOf(inTime));
    await deliver(ahead, pssOf(ahead));
    expect(received.map(({ event }) => event.at)).toEqual([clock.now() + 299_000, null]);
  });
});

describe('a receiver that was closed', () => {
  it('takes no delivery, so that the service sends it again to the next process', async () => {
    const { receiver, deliver, received } = openReceiver();
    await receiver.close();
    const body = bodyOf();
    expect(await deliver(body, pssOf(body))).toBe('not-kept');
    expect(received).toEqual([]);
  });

  it('takes no delivery that it was verifying again with a newer key', async () => {
    const { receiver, deliver, received, keys, clock } = openReceiver();
    const body = bodyOf();
    keys.onRefresh = async () => Promise.resolve('unavailable');
    await deliver(body, pssOf(body, strangerPair));
    const before = received.length;
    keys.onRefresh = async () => Promise.resolve('current');
    Object.defineProperty(keys, 'held', {
      get: () => {
        // The process ends right after the key was looked up.
        queueMicrotask(() => void receiver.close());
        return [pemOf(strangerPair)];
      },
    });
    await clock.advance(2_000);
    for (let later = 0; later < 5; later += 1) {
      expect(await deliver(body, pssOf(body, strangerPair))).toBe('not-kept');
    }
    expect(received).toHaveLength(before);
  });
});
