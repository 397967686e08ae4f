// A plain client of a broker for tests, over the same package as the carrier: what another program would send and see.
import mqtt, { type IClientPublishOptions, type MqttClient } from 'mqtt';
import { within } from './deadline.ts';

const CONNECTED_WITHIN_MS = 20_000;
/** Longer than the deadlines of the tests that wait. */
const SEEN_WITHIN_MS = 60_000;

export interface SeenMessage {
  readonly topic: string;
  readonly text: string;
  readonly retained: boolean;
}

/** Connected until it is closed. */
export class BrokerClient {
  readonly seen: SeenMessage[] = [];
  readonly #client: MqttClient;
  #more: PromiseWithResolvers<void> = Promise.withResolvers();

  private constructor(client: MqttClient) {
    this.#client = client;
    client.on('message', (topic, payload, { retain }) => {
      this.seen.push({ topic, text: payload.toString('utf8'), retained: retain });
      const { resolve } = this.#more;
      this.#more = Promise.withResolvers();
      resolve();
    });
  }

  static async connect(url: URL, ...filters: readonly string[]): Promise<BrokerClient> {
    const client = mqtt.connect(url.href, { protocolVersion: 5, reconnectPeriod: 100 });
    const broker = new BrokerClient(client);
    try {
      await within(broker.#open(filters), CONNECTED_WITHIN_MS, () => `No connection to ${url.href}`);
      return broker;
    } catch (error) {
      broker.close();
      throw error;
    }
  }

  async #open(filters: readonly string[]): Promise<void> {
    const connected = Promise.withResolvers<void>();
    this.#client.once('connect', () => {
      connected.resolve();
    });
    await connected.promise;
    if (filters.length > 0) {
      await this.#client.subscribeAsync([...filters], { qos: 1 });
    }
  }

  close(): void {
    this.#client.end(true);
  }

  async publish(topic: string, text: string, options: IClientPublishOptions = {}): Promise<void> {
    await this.#client.publishAsync(topic, text, { qos: 1, ...options });
  }

  /** The first message that fits, of those seen and those to come; `what` is the error's name for it. */
  async until(fits: (message: SeenMessage) => boolean, what = 'message that fits'): Promise<SeenMessage> {
    return within(this.#first(fits), SEEN_WITHIN_MS, () => {
      const last = this.seen.slice(-5).map(({ topic, text }) => `${topic} ${text.slice(0, 80)}`);
      return `No ${what} came from the broker; the last ones were: ${last.join('; ')}`;
    });
  }

  async #first(fits: (message: SeenMessage) => boolean): Promise<SeenMessage> {
    for (;;) {
      const more = this.#more.promise;
      const found = this.seen.find(fits);
      if (found !== undefined) {
        return found;
      }
      await more;
    }
  }
}
