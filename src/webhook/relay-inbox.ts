// Receives the service's events from a relay instead of a listener: the same receiver, behind a message broker.
import type { TrustedEvent } from '../domain/webhook-ports.ts';
import type { SelfTestReport } from '../domain/webhook-report.ts';
import { RetryError } from '../support/errors.ts';
import { type Answer, type AnswerCounts, STATUSES } from './answer.ts';
import type { Listener, ListenerParts } from './listener.ts';
import { probePublicUrl } from './public-url-probe.ts';
import { LARGEST_BODY_BYTES, Receiver } from './receive.ts';
import { RefusalLimiter } from './refusal-limiter.ts';
import {
  type Delivery,
  type HomePrivateKey,
  openDelivery,
  privateKeyOf,
  type RelayedMessage,
} from './relayed-message.ts';
import { SELF_TEST_HEADER, SelfTests } from './self-test.ts';

/** The connection to the broker, opened by the caller. */
export interface InboxConnection {
  /** Where it leads, for the log and the pages. */
  readonly address: string;
  close(): Promise<void>;
}

export interface RelayInboxParts
  extends Pick<
    ListenerParts,
    'method' | 'signatureHeader' | 'keys' | 'ledger' | 'serviceClock' | 'clock' | 'log'
  > {
  /** The home's key pair of X25519. */
  readonly key: { readonly x: string; readonly d: string };
  /**
   * Connects; resolves with the first connection, and rejects when there is none. A message is acknowledged when
   * `handle` resolves, and delivered again when it rejects.
   */
  readonly connect: (handle: (message: RelayedMessage) => Promise<void>) => Promise<InboxConnection>;
}

/** A test passes the relay and the broker before it arrives: for so long after the answer, in milliseconds (our choice). */
const ARRIVES_WITHIN_MS = 5_000;

/** Resolves with what a listener is to the rest of the code. Rejects as `connect` does. */
export async function startRelayInbox(parts: RelayInboxParts): Promise<Listener> {
  const inbox = new RelayInbox(parts, await privateKeyOf(parts.key));
  const connection = await parts.connect(async (message) => inbox.handle(message));
  // So that the first event need not wait for the keys.
  void parts.keys.refresh();
  return {
    address: connection.address,
    feed: {
      subscribe: (listener) => inbox.subscribe(listener),
    },
    // The relay consents by itself: it knows by its address that the home wants events.
    expectRegistration: () => () => {},
    selfTest: async (url) => inbox.selfTest(url),
    counts: () => inbox.counts(),
    metrics: () => inbox.receiver.metrics(),
    close: async () => {
      inbox.close();
      await connection.close();
      await inbox.receiver.close();
    },
  };
}

class RelayInbox {
  readonly receiver: Receiver;
  readonly #parts: RelayInboxParts;
  readonly #key: HomePrivateKey;
  readonly #signatureHeader: string;
  readonly #selfTests = new SelfTests();
  readonly #limiter: RefusalLimiter;
  readonly #ending = new AbortController();
  /** Resolved by the first subscriber: what the broker has kept arrives at once, and must not pass it by. */
  readonly #subscribed = Promise.withResolvers<void>();

  constructor(parts: RelayInboxParts, key: HomePrivateKey) {
    this.#parts = parts;
    this.#key = key;
    this.#signatureHeader = parts.signatureHeader.toLowerCase();
    this.#limiter = new RefusalLimiter(parts.clock, parts.log);
    this.receiver = new Receiver(parts);
  }

  subscribe(listener: (event: TrustedEvent) => void): () => void {
    const unsubscribe = this.receiver.subscribe(listener);
    this.#subscribed.resolve();
    return unsubscribe;
  }

  /** Resolves when the message needs no repeat: it is in the ledger, or will never be an event. */
  async handle(message: RelayedMessage): Promise<void> {
    await this.#subscribed.promise;
    const answer = await this.#judge(message);
    this.#limiter.answer(answer);
    if (STATUSES[answer] >= 500) {
      throw new RetryError('storage-failed', `An event from the relay has to come again: ${answer}.`);
    }
  }

  counts(): AnswerCounts {
    return this.#limiter.counts();
  }

  async selfTest(url: string): Promise<SelfTestReport> {
    const { method, keys } = this.#parts;
    const probe = {
      ...this.#parts,
      selfTests: this.#selfTests,
      keys: method === null ? null : keys,
      signal: this.#ending.signal,
      relayedWithinMs: ARRIVES_WITHIN_MS,
    };
    return probePublicUrl(probe, url);
  }

  close(): void {
    this.#ending.abort();
  }

  async #judge(message: RelayedMessage): Promise<Answer> {
    const delivery = await openDelivery(message, this.#key);
    if (delivery === null) {
      return 'not-decrypted';
    }
    const signature = delivery.headers[this.#signatureHeader];
    const marks = { marker: delivery.headers[SELF_TEST_HEADER], signature };
    const refusal = this.#judgeHead(delivery, signature);
    const word = this.#selfTests.wordOf(marks);
    if (word !== null) {
      this.#selfTests.meet(word, marks, { asJson: refusal !== 'wrong-type', body: delivery.bytes });
      return 'self-tested';
    }
    const answer = refusal ?? (await this.receiver.receive(delivery.bytes, signature));
    // A test of ours that arrived after its end, for example after a restart.
    return answer === 'forged' && marks.marker !== undefined ? 'self-tested' : answer;
  }

  #judgeHead({ bytes, headers }: Delivery, signature: string | undefined): Answer | null {
    const { 'content-type': contentType, 'content-encoding': contentEncoding } = headers;
    if (bytes.length > LARGEST_BODY_BYTES) {
      return 'too-large';
    }
    return this.receiver.judgeHead({
      contentTypes: contentType === undefined ? [] : [contentType],
      contentEncoding,
      contentLength: String(bytes.length),
      signature,
    });
  }
}
