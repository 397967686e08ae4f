// The receiver without HTTP: every bit of a signature counts, keys change under it, and nothing is lost or reported twice.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServiceEvent } from '../../../src/domain/webhooks/service-event.ts';
import { LedgerQueue } from '../../../src/webhook/ledger-queue.ts';
import { type DeliveryHead, Receiver } from '../../../src/webhook/receive.ts';
import type { SignatureMethod } from '../../../src/webhook/verify-signature.ts';
import {
  bodyOf,
  flipped,
  pemOf,
  pssOf,
  type ReceiverFixture,
  receiverFixture,
  strangerPair,
} from './fixture.ts';

const EVENT: ServiceEvent = { eventId: 'e-1', at: null, lockId: null, type: 'alarm' };

interface WebhookReceiver extends ReceiverFixture {
  readonly receiver: Receiver;
  /** The outcome of a delivery with a good content type. */
  readonly deliver: (body: Buffer, signature: string | undefined) => Promise<string>;
  /** Nobody listens any more. */
  readonly leave: () => void;
}

function openReceiver(overrides: { readonly method?: SignatureMethod | null } = {}): WebhookReceiver {
  const made = receiverFixture(overrides);
  const receiver = new Receiver(made.parts);
  const leave = receiver.subscribe((message) => made.received.push(message));
  return {
    ...made,
    receiver,
    leave,
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

describe('a delivery', () => {
  it('is refused when its signature is missing, of other bytes, doubled or decorated', async () => {
    const { deliver, received } = openReceiver();
    const body = bodyOf();
    const good = pssOf(body);
    const others = [pssOf(bodyOf({ eventId: 'e-2' })), `${good}, ${good}`, ` ${good}`, `${good}=`];
    for (const signature of others) {
      expect([signature, await deliver(body, signature)]).toEqual([signature, 'forged']);
    }
    expect([await deliver(body, ''), await deliver(body, undefined)]).toEqual(['unsigned', 'unsigned']);
    expect(received).toEqual([]);
  });

  it('without a way to verify it is passed on as unverified, signed or not, and not kept', async () => {
    const { deliver, received, ledger } = openReceiver({ method: null });
    const body = bodyOf();
    expect([await deliver(body, undefined), await deliver(body, pssOf(body))]).toEqual([
      'accepted',
      'accepted',
    ]);
    expect(received.map(({ trust }) => trust)).toEqual(['unverified', 'unverified']);
    expect(ledger.has(received[0]?.event ?? EVENT)).toBe(false);
  });
});

describe('keys', () => {
  const good = bodyOf();

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

  it('that were fetched a moment ago let an event wait for newer ones and come again, and nothing pushes it out (faults#43, faults#144)', async () => {
    const { deliver, keys, received, clock } = openReceiver();
    keys.onRefresh = async () => Promise.resolve('recent');
    expect(await deliver(good, pssOf(good, strangerPair))).toBe('unverifiable');
    const broken = flipped(good, 7);
    const verdicts: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      verdicts.push(await deliver(broken, pssOf(good, strangerPair)));
    }
    expect(new Set(verdicts)).toEqual(new Set(['unverifiable']));
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
        queue.add({ event: { ...EVENT, eventId: `e-${String(index)}` }, receivedAt: 0 }),
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
      expect(await queue.add({ event: { ...EVENT, eventId }, receivedAt: 0 })).toBe(true);
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

describe('a receiver that nobody listens to', () => {
  it('takes no delivery: an event that ends with the account would never have its effect', async () => {
    const { receiver, deliver, ledger, leave } = openReceiver();
    const body = bodyOf();
    const underWay = deliver(body, pssOf(body));
    // The account lets go of its events before the connections of the listener are closed.
    leave();
    expect(await underWay).toBe('not-kept');
    expect(ledger.events.size).toBe(0);
    const heard: unknown[] = [];
    receiver.subscribe((event) => heard.push(event));
    expect(await deliver(body, pssOf(body))).toBe('accepted');
    expect(heard).toHaveLength(1);
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
