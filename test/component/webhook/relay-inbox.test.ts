// Events from a relay: the same receiver, acknowledged to the broker only when they need not come again.
import { describe, expect, it, onTestFinished } from 'vitest';
import { enrolHome } from '../../../relay/src/enrol-home.ts';
import { RELAY } from '../../../relay/test/component/open-relay.ts';
import { readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { startRelayInbox } from '../../../src/webhook/relay-inbox.ts';
import { publicKeyOf, type RelayedMessage, sealDelivery } from '../../../src/webhook/relayed-message.ts';
import { settle } from '../../support/manual-clock.ts';
import { bodyOf, pemOf, pssOf, receiverFixture, servicePair, strangerPair } from './fixture.ts';

const { line } = enrolHome(RELAY, { home: 'blue', generation: 1, withAddress: true });
const key = readEnrolment(line)?.key ?? { x: '', d: '' };
const HEADERS = { 'content-type': 'application/json; charset=utf-8' };

interface Inbox extends ReturnType<typeof receiverFixture> {
  /** A message that a broker would hand over; resolves with whether it was acknowledged. */
  deliver(message: RelayedMessage): Promise<boolean>;
  counts(): Readonly<Record<string, number>>;
  listen(): void;
}

async function openInbox(): Promise<Inbox> {
  const made = receiverFixture();
  let handle: (message: RelayedMessage) => Promise<void> = async () => {};
  const listener = await startRelayInbox({
    ...made.parts,
    key,
    connect: async (given) => {
      handle = given;
      return Promise.resolve({ address: 'mqtts://broker.example', close: async () => {} });
    },
  });
  onTestFinished(async () => listener.close());
  return {
    ...made,
    deliver: async (message) =>
      handle(message).then(
        () => true,
        () => false,
      ),
    counts: () => listener.counts(),
    listen: () => {
      listener.feed.subscribe((event) => made.received.push(event));
    },
  };
}

async function sealed(body: Buffer, pair = servicePair): Promise<RelayedMessage> {
  const headers = { ...HEADERS, 'webhook-signature': pssOf(body, pair) };
  return sealDelivery({ bytes: body, headers }, await publicKeyOf(key.x));
}

describe('an event from a relay', () => {
  it('is emitted, and acknowledged once it is in the ledger', async () => {
    const inbox = await openInbox();
    inbox.listen();
    expect(await inbox.deliver(await sealed(bodyOf()))).toBe(true);
    expect(inbox.ledger.events.has('e-1')).toBe(true);
    expect(inbox.received).toMatchObject([{ trust: 'verified', event: { type: 'bolt', eventId: 'e-1' } }]);
  });

  it('is not acknowledged while the ledger takes nothing, and has one effect when it comes again (faults#103)', async () => {
    const inbox = await openInbox();
    inbox.listen();
    inbox.ledger.broken = true;
    const message = await sealed(bodyOf());
    expect(await inbox.deliver(message)).toBe(false);
    inbox.ledger.broken = false;
    expect(await inbox.deliver(message)).toBe(true);
    expect(await inbox.deliver(message)).toBe(true);
    expect(inbox.ledger.events.size).toBe(1);
    expect(inbox.received).toHaveLength(1);
    expect(inbox.counts()).toMatchObject({ 'not-kept': 1 });
  });

  it('waits for its first listener: what a broker has kept arrives before the account listens', async () => {
    const inbox = await openInbox();
    const early = inbox.deliver(await sealed(bodyOf()));
    await settle();
    expect(inbox.ledger.events.size).toBe(0);
    inbox.listen();
    expect(await early).toBe(true);
    expect(inbox.received).toHaveLength(1);
  });

  it.each([
    ['that a stranger signed', async () => sealed(bodyOf(), strangerPair)],
    [
      'whose body was changed behind the signature',
      async () => {
        const changed = Buffer.from(bodyOf().toString().replace('Unlocked', 'Locked'));
        const headers = { ...HEADERS, 'webhook-signature': pssOf(bodyOf()) };
        return sealDelivery({ bytes: changed, headers }, await publicKeyOf(key.x));
      },
    ],
  ])('%s moves nothing, and does not come again (faults#104)', async (_case, made) => {
    const inbox = await openInbox();
    inbox.listen();
    expect(await inbox.deliver(await made())).toBe(true);
    expect(inbox.received).toEqual([]);
    expect(inbox.counts()).toEqual({ forged: 1 });
  });

  it.each([
    ['for another home', async () => other()],
    ['in no form', async () => Promise.resolve({ payload: Buffer.from('{}'), properties: {} })],
    [
      'that only says it is encrypted',
      async () =>
        Promise.resolve({ payload: Buffer.from('x.y.z'), properties: { 'latchkey-form': 'jwe-1' } }),
    ],
  ])('%s is counted and not asked for again', async (_case, made) => {
    const inbox = await openInbox();
    inbox.listen();
    expect(await inbox.deliver(await made())).toBe(true);
    expect(inbox.counts()).toEqual({ 'not-decrypted': 1 });
  });

  it('without a signature, of another type or too large is refused as by the listener', async () => {
    const inbox = await openInbox();
    inbox.listen();
    const publicKey = await publicKeyOf(key.x);
    const signed = { ...HEADERS, 'webhook-signature': pssOf(bodyOf()) };
    await inbox.deliver(await sealDelivery({ bytes: bodyOf(), headers: HEADERS }, publicKey));
    const text = { ...signed, 'content-type': 'text/plain' };
    await inbox.deliver(await sealDelivery({ bytes: bodyOf(), headers: text }, publicKey));
    await inbox.deliver(await sealDelivery({ bytes: Buffer.alloc(70_000, 'x'), headers: signed }, null));
    expect(inbox.counts()).toEqual({ unsigned: 1, 'wrong-type': 1, 'too-large': 1 });
  });

  it('comes again while no key can be had that would verify it', async () => {
    const inbox = await openInbox();
    inbox.listen();
    inbox.keys.held = [];
    inbox.keys.onRefresh = async () => Promise.resolve('unavailable');
    const message = await sealed(bodyOf());
    expect(await inbox.deliver(message)).toBe(false);
    inbox.keys.held = [pemOf(servicePair)];
    expect(await inbox.deliver(message)).toBe(true);
    expect(inbox.received.filter(({ trust }) => trust === 'verified')).toHaveLength(1);
  });
});

describe('a self-test from a relay that arrives after its end, as after a restart', () => {
  it('is taken whatever it looks like and whether or not keys can be had, so that events behind it are acknowledged', async () => {
    const inbox = await openInbox();
    inbox.listen();
    inbox.keys.onRefresh = async () => Promise.resolve('unavailable');
    // The first has the form of a signature, the second has not.
    for (const nonce of ['a'.repeat(32), '-'.repeat(32)]) {
      const headers = { ...HEADERS, 'webhook-signature': nonce, 'latchkey-self-test': nonce };
      const bytes = Buffer.from('{}');
      expect(await inbox.deliver(await sealDelivery({ bytes, headers }, await publicKeyOf(key.x)))).toBe(
        true,
      );
    }
    expect(inbox.received).toEqual([]);
    expect(inbox.counts()).toEqual({ 'self-tested': 2 });
  });
});

async function other(): Promise<RelayedMessage> {
  const stranger = enrolHome(RELAY, { home: 'green', generation: 1, withAddress: true });
  return sealDelivery({ bytes: bodyOf(), headers: HEADERS }, await publicKeyOf(stranger.publicKey));
}
