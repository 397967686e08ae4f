// Turns the bytes of a webhook into events or a refusal. Independent of the HTTP server.
import { createHash } from 'node:crypto';
import type { ServiceClock } from '../domain/ports.ts';
import type {
  EventFeed,
  EventLedger,
  EventTrust,
  SigningKeys,
  TrustedEvent,
} from '../domain/webhooks/ports.ts';
import type { ServiceEvent } from '../domain/webhooks/service-event.ts';
import type { Clock } from '../support/clock.ts';
import { Emitter } from '../support/emitter.ts';
import type { Log } from '../support/log.ts';
import type { Metric } from '../support/server/prometheus.ts';
import { UnknownWords } from '../support/text/unknown-words.ts';
import { decodeEvents } from '../wire/event-codec.ts';
import { t } from '../words/translate.ts';
import type { Answer } from './answer.ts';
import { boundedJson } from './bounded-json.ts';
import { DeliveryLoad } from './delivery-load.ts';
import { LedgerQueue } from './ledger-queue.ts';
import { ReplayGuard } from './replay-guard.ts';
import { ReverifyQueue } from './reverify-queue.ts';
import type { Marks } from './self-test.ts';
import { type SignatureMethod, SignatureVerifier } from './verify-signature.ts';

export interface ReceiverParts {
  /** Null when nothing is signed: an event is then a reason to read the locks, never a state. */
  readonly method: SignatureMethod | null;
  readonly keys: SigningKeys;
  readonly ledger: EventLedger;
  readonly serviceClock: ServiceClock;
  readonly clock: Clock;
  readonly log: Log;
}

/** The headers that are judged before the body is read; undefined when missing. */
export interface DeliveryHead extends Marks {
  /** Every header of that name, unchanged. */
  readonly contentTypes: readonly string[];
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
}

/** The largest event is an access code of about 1 kB; a repeat with all its schedules stays far below (faults#50). */
export const LARGEST_BODY_BYTES = 64 * 1_024;

/** Exactly this content type, in any case (wire contract 7); the value may be in quotes (RFC 9110, 8.3.1). */
const CONTENT_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i;

/** The most deliveries that wait while the keys are fetched; later ones have to be sent again (our choice). */
const MOST_AWAITING_KEYS = 64;

/** A delivery that cannot be verified yet is not parsed: it is only a reason to read the locks. */
const UNVERIFIED_DELIVERY: TrustedEvent = {
  event: { type: 'unrecognised', trigger: '', eventId: '', at: null, lockId: null },
  trust: 'unverified',
};

/** The answers to the events of one body, by rank: the first that occurs is given. */
const ANSWERS_BY_WEIGHT: readonly Answer[] = ['not-kept', 'accepted', 'repeated'];

export class Receiver implements EventFeed {
  readonly #parts: ReceiverParts;
  readonly #verifier: SignatureVerifier | null;
  readonly #guard: ReplayGuard;
  readonly #queue: LedgerQueue;
  readonly #reverifyQueue: ReverifyQueue;
  readonly #listeners: Emitter<TrustedEvent>;
  readonly #unknownWords: UnknownWords;
  readonly #load: DeliveryLoad;
  #awaitingKeys = 0;
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
    this.#load = new DeliveryLoad(clock);
    this.#unknownWords = new UnknownWords(
      log,
      t('A webhook has a word that is not known here, taken as unknown'),
    );
  }

  subscribe(listener: (event: TrustedEvent) => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  /** The refusal that the headers alone call for, before the body is read; null when there is none. */
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
   * Judges a delivery with accepted headers. Listeners receive a new event before it is written to the disk; `accepted` and
   * `repeated` are answered once it is in the ledger.
   */
  async receive(bytes: Buffer, signature: string | undefined): Promise<Answer> {
    return this.#load.measure(async () => this.#judge(bytes, signature ?? ''));
  }

  /** Deliveries with accepted headers that wait, and how long answers take. */
  metrics(): readonly Metric[] {
    return this.#load.metrics();
  }

  async #judge(bytes: Buffer, signature: string): Promise<Answer> {
    const trust = await this.#judgeSignature(bytes, signature);
    if (trust !== 'verified' && trust !== 'unverified') {
      return trust;
    }
    const events = this.#read(bytes);
    if (events.length === 0) {
      return 'unreadable';
    }
    if (!this.#isHeard) {
      return 'not-kept';
    }
    return trust === 'verified' ? this.#takeInAll(events) : this.#passOn(events);
  }

  /** Resolves when every emitted event is in the ledger or was given up. No event is emitted from then on. */
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
    if (await verifier.verify(bytes, signature, known)) {
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
    const isKept = !this.#closed && this.#reverifyQueue.add(bytes, signature, current);
    if (freshness === 'current') {
      return 'forged';
    }
    // The service may have changed its key since the last fetch: the locks are read while the delivery waits.
    if (isKept) {
      this.#listeners.emit(UNVERIFIED_DELIVERY);
    }
    // The service never repeats a delivery after 401, and what waits here is gone with this process (faults#144).
    return 'unverifiable';
  }

  /**
   * Whether the account would learn of an event. When it ends, it stops listening before the connections close: an event that comes
   * between is refused, so that the service sends it again.
   */
  get #isHeard(): boolean {
    return !this.#closed && this.#listeners.isHeard;
  }

  async #receiveAgain(bytes: Buffer, signature: string, keys: readonly string[]): Promise<boolean> {
    const genuine = await this.#verifier?.verify(bytes, signature, keys);
    if (genuine === true && this.#isHeard) {
      await this.#takeInAll(this.#read(bytes));
    }
    return genuine === true;
  }

  /** The events of a body; empty when it cannot be read. */
  #read(bytes: Buffer): readonly ServiceEvent[] {
    const body = boundedJson(bytes);
    const nameless = (place: number): string => {
      const id = `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
      return place === 0 ? id : `${id}-${String(place)}`;
    };
    const decoded = body === undefined ? null : decodeEvents(body, nameless);
    return (decoded ?? []).map(({ event, strangeWords }) => {
      this.#unknownWords.name(strangeWords);
      return this.#guard.withCredibleTime(event);
    });
  }

  /** One answer for the whole body: a refusal makes the service send it again, and stored events count as repeats then. */
  async #takeInAll(events: readonly ServiceEvent[]): Promise<Answer> {
    const answers = await Promise.all(events.map(async (event) => this.#takeIn(event)));
    return ANSWERS_BY_WEIGHT.find((answer) => answers.includes(answer)) ?? 'too-old';
  }

  async #takeIn(event: ServiceEvent): Promise<Answer> {
    const standing = this.#guard.meet(event);
    if (standing === 'too-old') {
      return 'too-old';
    }
    if (standing === 'kept') {
      return 'repeated';
    }
    if (standing === 'new') {
      this.#listeners.emit({ event, trust: 'verified' });
    }
    const receivedAt = this.#parts.serviceClock.now();
    if (!(await this.#queue.add({ event, receivedAt }))) {
      return 'not-kept';
    }
    this.#guard.add(event);
    return standing === 'new' ? 'accepted' : 'repeated';
  }

  /** The sender is unknown: in the ledger, the event's id could block a genuine event. */
  #passOn(events: readonly ServiceEvent[]): Answer {
    for (const event of events) {
      this.#listeners.emit({ event, trust: 'unverified' });
    }
    return 'accepted';
  }
}
