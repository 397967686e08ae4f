// Waits until the broker has saved what it acknowledged: by a second message, one for all deliveries that wait.
import type { Carrier } from '../mqtt/carrier.ts';

/** Nothing subscribes to it. */
export const BARRIER_TOPIC = 'latchkey/relay/barrier';

/**
 * mosquitto acknowledges a message, and saves it at the end of the same turn of its loop: killed in between, it has
 * lost what it acknowledged. A message that is sent after the acknowledgement is handled in a later turn.
 */
export class SaveBarrier {
  readonly #carrier: Pick<Carrier, 'publish'>;
  #underWay: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(carrier: Pick<Carrier, 'publish'>) {
    this.#carrier = carrier;
  }

  /** Resolves when the broker has acknowledged a message sent after this call. Rejects as publishing does. */
  async pass(): Promise<void> {
    if (this.#underWay === null) {
      return this.#send();
    }
    // The one under way was sent before: it proves nothing for this delivery.
    this.#next ??= this.#underWay.catch(() => {}).then(async () => this.#send());
    return this.#next;
  }

  async #send(): Promise<void> {
    this.#next = null;
    const sent = this.#publish();
    this.#underWay = sent;
    try {
      await sent;
    } finally {
      if (this.#underWay === sent) {
        this.#underWay = null;
      }
    }
  }

  async #publish(): Promise<void> {
    await this.#carrier.publish({ topic: BARRIER_TOPIC, payload: '' });
  }
}
