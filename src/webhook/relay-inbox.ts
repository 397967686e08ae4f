// Receives the service's events from a relay instead of a listener: the same receiver, behind a message broker.
import { RetryError } from '../support/errors.ts';
import { type Answer, STATUSES } from './answer.ts';
import type { Listener } from './listener.ts';
import { PublicUrlProbe } from './public-url-probe.ts';
import { Receiver, type ReceiverParts } from './receive.ts';
import { RefusalLimiter } from './refusal-limiter.ts';
import { type HomePrivateKey, openDelivery, privateKeyOf, type RelayedMessage } from './relayed-message.ts';
import { SELF_TEST_HEADER, SelfTests } from './self-test.ts';

/** The connection to the broker, opened by the caller. */
export interface InboxConnection {
  /** The address of the broker, for the log and the pages. */
  readonly address: string;
  close(): Promise<void>;
}

/** How long a test may arrive after the relay's answer, in milliseconds (our choice): it passes the relay and the broker. */
const ARRIVES_WITHIN_MS = 5_000;

interface Inbox {
  readonly signatureHeader: string;
  readonly receiver: Receiver;
  readonly selfTests: SelfTests;
  readonly key: HomePrivateKey;
}

/** Resolves with the inbox in the form of a listener. Rejects as `connect` does. */
export async function startRelayInbox(
  parts: ReceiverParts & {
    readonly signatureHeader: string;
    /** The home's key pair of X25519. */
    readonly key: { readonly x: string; readonly d: string };
    /**
     * Connects; resolves with the first connection, and rejects when there is none. A message is acknowledged when
     * `handle` resolves, and delivered again when it rejects.
     */
    readonly connect: (handle: (message: RelayedMessage) => Promise<void>) => Promise<InboxConnection>;
  },
): Promise<Listener> {
  const { keys, clock, log } = parts;
  const limiter = new RefusalLimiter(clock, log);
  const receiver = new Receiver(parts);
  const selfTests = new SelfTests();
  const ending = new AbortController();
  const signatureHeader = parts.signatureHeader.toLowerCase();
  const inbox = { receiver, selfTests, signatureHeader, key: await privateKeyOf(parts.key) };
  // The first subscriber resolves this: the broker's stored events arrive at once, and must not get lost.
  const subscribed = Promise.withResolvers<void>();
  const connection = await parts.connect(async (message) => {
    await subscribed.promise;
    const answer = await judge(inbox, message);
    limiter.answer(answer);
    if (STATUSES[answer] >= 500) {
      throw new RetryError('storage-failed', `An event from the relay has to come again: ${answer}.`);
    }
  });
  // Fetches the keys now, so that the first event need not wait for them.
  void keys.refresh();
  const probe = new PublicUrlProbe({
    ...parts,
    selfTests,
    signal: ending.signal,
    relayedWithinMs: ARRIVES_WITHIN_MS,
  });
  return {
    address: connection.address,
    feed: {
      subscribe: (listener) => {
        subscribed.resolve();
        return receiver.subscribe(listener);
      },
    },
    // The relay consents by itself: the address proves that the home wants events.
    expectRegistration: () => () => {},
    selfTest: async (url) => probe.test(url),
    counts: () => limiter.counts(),
    certificate: () => null,
    metrics: () => receiver.metrics(),
    close: async () => {
      ending.abort();
      await connection.close();
      await receiver.close();
    },
  };
}

async function judge(inbox: Inbox, message: RelayedMessage): Promise<Answer> {
  const delivery = await openDelivery(message, inbox.key);
  if (delivery === null) {
    return 'not-decrypted';
  }
  const { receiver, selfTests, signatureHeader } = inbox;
  const { bytes, headers } = delivery;
  const head = {
    contentTypes: [headers['content-type'] ?? ''],
    contentEncoding: headers['content-encoding'],
    contentLength: String(bytes.length),
    signature: headers[signatureHeader],
    marker: headers[SELF_TEST_HEADER],
  };
  const refusal = receiver.judgeHead(head);
  const test = selfTests.testOf(head);
  if (test !== null) {
    selfTests.meet(test, head, refusal !== 'wrong-type', bytes);
    return 'self-tested';
  }
  // A self-test that arrives after its end, for example after a restart: what only looks like a signature is never verified.
  if (head.marker !== undefined && head.marker === head.signature) {
    return 'self-tested';
  }
  return refusal ?? receiver.receive(bytes, head.signature);
}
