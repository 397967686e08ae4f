// A relay's broker over MQTT: each home has a topic and a session, and a barrier makes the broker save.
import type { Carrier, CarrierState, PublishReceipt } from '../carrier/carrier.ts';
import type { HomeMessage, RelayBroker } from './relay-broker.ts';
import { SaveBarrier } from './save-barrier.ts';

/** The service repeats a delivery for a day (wire contract 7): an older event is out of date. */
const EXPIRY_SECONDS = 86_400;

export function topicOf(home: string): string {
  return `latchkey/homes/${home}/events`;
}

export class MqttRelayBroker implements RelayBroker {
  readonly #carrier: Carrier;
  readonly #barrier: SaveBarrier;

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
    this.#barrier = new SaveBarrier(carrier);
  }

  get state(): CarrierState {
    return this.#carrier.state;
  }

  subscribeState(listener: (state: CarrierState) => void): () => void {
    return this.#carrier.subscribeState(listener);
  }

  async keep({ home, payload, properties }: HomeMessage): Promise<PublishReceipt> {
    const receipt = await this.#carrier.publish({
      topic: topicOf(home),
      payload,
      properties,
      expirySeconds: EXPIRY_SECONDS,
    });
    await this.#barrier.pass();
    return receipt;
  }

  async close(): Promise<void> {
    await this.#carrier.close();
  }
}
