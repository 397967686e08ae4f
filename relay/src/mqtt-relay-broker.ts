// A relay's broker over MQTT: each home has a topic and a session, and a barrier makes the broker save.
import type { Carrier } from '../../src/carrier/carrier.ts';
import type { RelayBroker } from './relay-broker.ts';
import { SaveBarrier } from './save-barrier.ts';

/** The service repeats a delivery for a day (wire contract 7): an older event is out of date. */
const EXPIRY_SECONDS = 86_400;

export function topicOf(home: string): string {
  return `latchkey/homes/${home}/events`;
}

export function mqttRelayBroker(carrier: Carrier): RelayBroker {
  const barrier = new SaveBarrier(carrier);
  return {
    get state() {
      return carrier.state;
    },
    subscribeState: (listener) => carrier.subscribeState(listener),
    close: async () => carrier.close(),
    store: async ({ home, payload, properties }) => {
      const message = { topic: topicOf(home), payload, properties, expirySeconds: EXPIRY_SECONDS };
      const receipt = await carrier.publish(message);
      await barrier.pass();
      return receipt;
    },
  };
}
