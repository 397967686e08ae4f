// From the bytes of a webhook to an event that everybody has heard of, or to a refusal. Knows nothing of HTTP servers.
import { createHash } from 'node:crypto';
import type {
  EventFeed,
  EventLedger,
  EventTrust,
  ServiceClock,
  SigningKeys,
  TrustedEvent,
} from '../domain/ports.ts';
import type { ServiceEvent } from '../domain/service-event.ts';
import type { Clock } from '../support/clock.ts';
import { Emitter } from '../support/emitter.ts';
import { type Log, oneLine } from '../support/log.ts';
import { decodeEvent } from '../wire/event-codec.ts';
import type { Answer } from './answer.ts';
import { boundedJson } from './bounded-json.ts';
import { LedgerQueue } from './ledger-queue.ts';
import { ReplayGuard } from './replay-guard.ts';
import { ReverifyQueue } from './reverify-queue.ts';
import { type SignatureMethod, SignatureVerifier } from './verify-signature.ts';

export interface ReceiverParts {
  /** Null: nothing is signed. An event is then a reason to read, never a state. */
  readonly method: SignatureMethod | null;
  readonly keys: SigningKeys;
  readonly ledger: EventLedger;
  readonly serviceClock: ServiceClock;
  readonly clock: Clock;
  readonly log: Log;
}

/** What can be judged before the body is read. Undefined: the header is not there. */
export interface DeliveryHead {
  /** Every header of that name, as it came. */
  readonly contentTypes: readonly string[];
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
  readonly signature: string | undefined;
}

/** The largest event is an access code of about 1 kB; a repeat with all its schedules stays far below (faults#50). */
export const LARGEST_BODY_BYTES = 64 * 1_024;

/** Exactly this, in any case (wire contract 7). */
const CONTENT_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=utf-8)?$/i;

/** So many deliveries wait while the keys are fetched anew; the others are asked to come again (our choice). */
const MOST_AWAITING_KEYS = 64;

/** So many unknown words are named in the log; after that the service speaks another language anyway (our choice). */
const STRANGE_WORDS_NAMED = 20;

export class Receiver implements EventFeed {
  readonly #parts: ReceiverParts;
  readonly #verifier: SignatureVerifier | null;
  readonly #guard: ReplayGuard;
  readonly #queue: LedgerQueue;
  readonly #reverifyQueue: ReverifyQueue;
  readonly #listeners: Emitter<TrustedEvent>;
  readonly #strangeWords = new Set<string>();
  #awaitingKeys = 0;
  /** Deliveries that were not answered yet, or only in this turn of the event loop. */
  #underWay = 0;
  #closed = false;

  constructor(parts: ReceiverParts) {
    const { method, ledger, clock, log } = parts;
    this.#parts = parts;
    this.#verifier = method === null ? null : new SignatureVerifier(method, log);
    this.#guard = new ReplayGuard(parts);
    this.#queue = new LedgerQueue(ledger, clock.commits, log);
    this.#reverifyQueue = new ReverifyQueue({
      ...parts,
      receive: async (bytes, signature, keys) => this.#receiveAgain(bytes, signature, keys),
    });
    this.#listeners = new Emitter(log);
  }

  subscribe(listener: (news: TrustedEvent) => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  /** The refusal that the head alone deserves, so that the body need not be read; null when it may be good. */
  judgeHead({ contentTypes, contentEncoding, contentLength, signature }: DeliveryHead): Answer | null {
    const [contentType = ''] = contentTypes;
    if (contentTypes.length !== 1 || !CONTENT_TYPE.test(contentType) || contentEncoding !== undefined) {
      return 'wrong-type';
    }
    if (Number(contentLength ?? 0) > LARGEST_BODY_BYTES) {
      return 'too-large';
    }
    if (this.#verifier === null) {
      return null;
    }
    if (signature === undefined || signature === '') {
      return 'unsigned';
    }
    return this.#verifier.isWellFormed(signature) ? null : 'forged';
  }

  /**
   * Judges a delivery whose head was not refused. Whoever listens has heard of a new event before anything waits for
   * the disk; `accepted` and `repeated` are answered once it is in the ledger.
   */
  async receive(bytes: Buffer, signature: string | undefined): Promise<Answer> {
    this.#underWay += 1;
    try {
      return await this.#receive(bytes, signature);
    } finally {
      // What is refused at once is of a flood all the same, when others come in the same turn.
      setImmediate(() => {
        this.#underWay -= 1;
      });
    }
  }

  async #receive(bytes: Buffer, signature: string | undefined): Promise<Answer> {
    const trust = await this.#judgeSignature(bytes, signature ?? '');
    if (trust !== 'verified' && trust !== 'unverified') {
      return trust;
    }
    const event = this.#read(bytes);
    if (event === null) {
      return 'unreadable';
    }
    if (this.#closed) {
      return 'not-kept';
    }
    return trust === 'verified' ? this.#takeIn(event) : this.#passOn(event);
  }

  /** Resolves when everything that was told is in the ledger, or was given up. Nothing is told from then on. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#reverifyQueue.close();
    await this.#queue.settled();
  }

  async #judgeSignature(bytes: Buffer, signature: string): Promise<EventTrust | 'forged' | 'unverifiable'> {
    const verifier = this.#verifier;
    if (verifier === null) {
      return 'unverified';
    }
    const { keys } = this.#parts;
    const known = keys.keys();
    // One alone is judged soonest without going to another thread; many would hold Home up.
    const where = this.#underWay > 1 ? 'pool' : 'here';
    if (await verifier.verify(bytes, signature, known, where)) {
      return 'verified';
    }
    if (this.#awaitingKeys >= MOST_AWAITING_KEYS) {
      return 'unverifiable';
    }
    this.#awaitingKeys += 1;
    const freshness = await keys.refresh();
    this.#awaitingKeys -= 1;
    const current = keys.keys();
    const added = current.filter((key) => !known.includes(key));
    if (await verifier.verify(bytes, signature, added)) {
      return 'verified';
    }
    if (freshness === 'unavailable') {
      return 'unverifiable';
    }
    const waits = this.#reverifyQueue.keep({ bytes, signature, tried: current });
    // The service does not repeat what was forged: what finds no place to wait for newer keys is to come again.
    return waits || freshness === 'current' ? 'forged' : 'unverifiable';
  }

  async #receiveAgain(bytes: Buffer, signature: string, keys: readonly string[]): Promise<void> {
    const genuine = await this.#verifier?.verify(bytes, signature, keys);
    const event = genuine === true ? this.#read(bytes) : null;
    if (event !== null) {
      await this.#takeIn(event);
    }
  }

  #read(bytes: Buffer): ServiceEvent | null {
    const body = boundedJson(bytes);
    const nameless = (): string => `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
    const decoded = body === undefined ? null : decodeEvent(body, nameless);
    if (decoded === null) {
      return null;
    }
    this.#nameStrangeWords(decoded.strangeWords);
    return this.#guard.withCredibleTime(decoded.event);
  }

  async #takeIn(event: ServiceEvent): Promise<Answer> {
    const standing = this.#guard.meet(event);
    if (standing === 'too-old') {
      return 'too-old';
    }
    if (standing === 'kept') {
      return 'repeated';
    }
    if (standing === 'news') {
      this.#listeners.emit({ event, trust: 'verified' });
    }
    const receivedAt = this.#parts.serviceClock.now();
    if (!(await this.#queue.keep({ event, receivedAt }))) {
      return 'not-kept';
    }
    this.#guard.keep(event);
    return standing === 'news' ? 'accepted' : 'repeated';
  }

  /** Nobody knows who sent it: it takes no place in the ledger, where it could stand in a real event's way. */
  #passOn(event: ServiceEvent): Answer {
    this.#listeners.emit({ event, trust: 'unverified' });
    return 'accepted';
  }

  #nameStrangeWords(words: readonly string[]): void {
    for (const word of words) {
      if (!this.#strangeWords.has(word) && this.#strangeWords.size < STRANGE_WORDS_NAMED) {
        this.#strangeWords.add(word);
        this.#parts.log.warn(
          `A webhook has a word that is not known here, taken as unknown: ${oneLine(word)}`,
        );
      }
    }
  }
}
