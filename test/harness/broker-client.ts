// A plain client of a broker for tests, over the same package as the carrier: what another program would send and see.
import mqtt, { type IClientPublishOptions, type MqttClient } from 'mqtt';

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
    const client = await mqtt.connectAsync(url.href, { protocolVersion: 5, reconnectPeriod: 100 });
    const broker = new BrokerClient(client);
    if (filters.length > 0) {
      await client.subscribeAsync([...filters], { qos: 1 });
    }
    return broker;
  }

  close(): void {
    this.#client.end(true);
  }

  async publish(topic: string, text: string, options: IClientPublishOptions = {}): Promise<void> {
    await this.#client.publishAsync(topic, text, { qos: 1, ...options });
  }

  /** The first message that fits, of those seen and those to come. */
  async until(fits: (message: SeenMessage) => boolean): Promise<SeenMessage> {
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
