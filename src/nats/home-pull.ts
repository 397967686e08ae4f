// Receives the events of one home over one connection: asks the cluster for more, and acknowledges each once it is handled.
import type { Msg } from '@nats-io/transport-node';
import type { IncomingMessage } from '../carrier/carrier.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { type NatsConnection, NotServed } from './nats-connection.ts';
import { seatSubjects } from './seat.ts';

/** Events that are under way to the ledger at a time (our choice). */
const BATCH = 20;
/**
 * Our choices: a request for events ends after a minute, and the node with the consumer gives a sign of life every two
 * seconds, so that a consumer whose node is gone is made anew within ten.
 */
const REQUEST_MS = 60_000;
const BEAT_MS = 2_000;
const FIRST_SIGN_WITHIN_MS = 1.5 * BEAT_MS;
const SILENT_AFTER_MS = 2.5 * BEAT_MS;
/** A relay that needs longer says so, which leaves the connection as it is. */
export const ASK_WITHIN_MS = 5_000;
const AGAIN_AFTER_MS = 10_000;
const NS_PER_MS = 1_000_000;

/** Status messages of the broker in place of an event (ADR-13 of NATS). */
const SIGN_OF_LIFE = 100;
const REQUEST_ENDED = 408;

type Asked = 'ready' | 'later' | 'revoked' | 'full' | 'unanswered';

export class HomePull {
  readonly #parts;
  readonly #subjects: ReturnType<typeof seatSubjects>;
  readonly #inbox: string;
  /** Events that the request of the moment may still bring. */
  #open = 0;
  #isEnded = false;
  #isFinishing = false;
  /** Events that are on their way to the ledger. */
  readonly #underWay = new Set<Promise<void>>();
  #cancelSilence: CancelTimer = () => {};

  constructor(parts: {
    readonly connection: NatsConnection;
    readonly seat: string;
    readonly subject: string;
    /** The event is acknowledged when it resolves, and comes again when it rejects. */
    readonly handle: (message: IncomingMessage) => Promise<void>;
    readonly clock: Clock;
  }) {
    this.#parts = parts;
    this.#subjects = seatSubjects(parts.seat);
    // The inbox is unknown to everybody else, who might have the broker send to it.
    this.#inbox = `${this.#subjects.inbox}.${crypto.randomUUID()}`;
  }

  /** Resolves once the consumer was asked for; events come from then on. Rejects with `NotServed`. */
  async begin(): Promise<void> {
    const { connection } = this.#parts;
    connection.raw.subscribe(this.#inbox, {
      callback: (error, message) => {
        if (error === null) {
          this.#receive(message);
        }
      },
    });
    void this.#stopAtEnd();
    const asked = await this.#ask();
    if (asked === 'revoked' || asked === 'full') {
      throw new NotServed(asked);
    }
    this.#request();
    if (asked !== 'ready') {
      // The consumer may exist all the same, and then gives a sign of life before this.
      this.#watch(FIRST_SIGN_WITHIN_MS);
    }
  }

  /** Takes no more; resolves once what it has is acknowledged. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    await Promise.all(this.#underWay);
    await this.#parts.connection.raw.flush().catch(() => {});
  }

  async #stopAtEnd(): Promise<void> {
    await this.#parts.connection.ended;
    this.#isEnded = true;
    this.#cancelSilence();
  }

  /** Relays create the consumer, which is lost with its node or after a long absence. */
  async #ask(): Promise<Asked> {
    try {
      const answer = await this.#parts.connection.raw.request(this.#subjects.ask, '', {
        timeout: ASK_WITHIN_MS,
      });
      const word = new TextDecoder().decode(answer.data);
      return word === 'ready' || word === 'revoked' || word === 'full' ? word : 'later';
    } catch {
      return 'unanswered';
    }
  }

  #request(): void {
    if (this.#isEnded) {
      return;
    }
    this.#open = BATCH;
    const wanted = { batch: BATCH, expires: REQUEST_MS * NS_PER_MS, idle_heartbeat: BEAT_MS * NS_PER_MS };
    this.#parts.connection.raw.publish(this.#subjects.next, JSON.stringify(wanted), { reply: this.#inbox });
    this.#watch(SILENT_AFTER_MS);
  }

  #watch(ms: number): void {
    this.#cancelSilence();
    this.#cancelSilence = this.#parts.clock.after(ms, () => void this.#mend());
  }

  /** No message came for too long: the consumer's node is gone, or the connection to ours. */
  async #mend(): Promise<void> {
    const asked = await this.#ask();
    if (asked === 'revoked' || asked === 'full') {
      await this.#parts.connection.close(new NotServed(asked).fault);
      return;
    }
    if (asked === 'unanswered') {
      // Another node may have a relay behind it.
      await this.#parts.connection.close();
      return;
    }
    this.#request();
  }

  #receive(message: Msg): void {
    if (this.#isFinishing) {
      return;
    }
    this.#watch(SILENT_AFTER_MS);
    const code = message.headers?.code ?? 0;
    if (code === SIGN_OF_LIFE) {
      return;
    }
    if (message.data.length === 0 && code !== 0) {
      this.#open = 0;
      // Otherwise the consumer is gone or moved, or takes no request: without a pause, the home would ask all the time.
      if (code === REQUEST_ENDED) {
        this.#request();
      } else {
        this.#watch(BEAT_MS);
      }
      return;
    }
    const taken = this.#take(message).finally(() => this.#underWay.delete(taken));
    this.#underWay.add(taken);
    this.#open -= 1;
    if (this.#open <= 0) {
      this.#request();
    }
  }

  async #take(message: Msg): Promise<void> {
    const { subject, handle } = this.#parts;
    const reply = message.reply ?? '';
    if (message.subject !== subject || !reply.startsWith(`${this.#subjects.acknowledge}.`)) {
      // The message does not come from this home's consumer: it is ignored.
      return;
    }
    const properties = Object.fromEntries(
      (message.headers?.keys() ?? []).map((name) => [name, message.headers?.get(name) ?? '']),
    );
    const isHandled = await handle({
      topic: message.subject,
      payload: message.data,
      retained: false,
      properties,
    }).then(
      () => true,
      () => false,
    );
    if (!this.#isEnded) {
      const answer = isHandled ? '+ACK' : `-NAK {"delay":${String(AGAIN_AFTER_MS * NS_PER_MS)}}`;
      this.#parts.connection.raw.publish(reply, answer);
    }
  }
}
