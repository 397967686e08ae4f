// Makes the broker save what it acknowledged: two messages for all waiting deliveries, and their acknowledgements.
import type { Carrier } from '../../src/carrier/carrier.ts';

/** No client subscribes to this topic. */
export const BARRIER_TOPIC = 'latchkey/relay/barrier';

/**
 * mosquitto with `autosave_on_changes` saves at the end of a turn of its loop, after it has acknowledged what it handled in
 * that turn; and a message on its way to a home that is connected is no change to it (2.0.11, `db__message_insert`). A
 * retained message is one, also without content, so the first makes it save. The second is sent after the first is
 * acknowledged, so it is handled in a later turn: its acknowledgement comes after the saving.
 */
export class SaveBarrier {
  readonly #carrier: Pick<Carrier, 'publish'>;
  #underWay: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(carrier: Pick<Carrier, 'publish'>) {
    this.#carrier = carrier;
  }

  /** Resolves when the broker has acknowledged two messages sent after this call. Rejects as publishing does. */
  async pass(): Promise<void> {
    if (this.#underWay === null) {
      return this.#send();
    }
    // The pair under way was sent before this delivery: it proves nothing for it.
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
    await this.#carrier.publish({ topic: BARRIER_TOPIC, payload: '', retain: true });
    await this.#carrier.publish({ topic: BARRIER_TOPIC, payload: '' });
  }
}
