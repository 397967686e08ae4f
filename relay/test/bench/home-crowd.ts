// Thousands of homes in a process of its own: each has a session at the broker, and acknowledges what it is sent.

import { LightSubscriber } from '../../../test/support/light-subscriber.ts';
import { topicOf } from '../../src/mqtt-relay-broker.ts';

/** Connects them; answered once all are subscribed. */
export interface Crowd {
  readonly port: number;
  readonly homes: readonly string[];
}

/** The answer to `count`. */
export interface CrowdCount {
  readonly arrived: number;
  /** Messages that reached a home they were not for. */
  readonly strays: number;
}

const OPENED_AT_ONCE = 100;

let arrived = 0;
let strays = 0;

async function connectAll({ port, homes }: Crowd): Promise<void> {
  for (let from = 0; from < homes.length; from += OPENED_AT_ONCE) {
    await Promise.all(
      homes.slice(from, from + OPENED_AT_ONCE).map(async (home) => {
        const own = topicOf(home);
        return LightSubscriber.open(port, { clientId: home, topic: own }, (topic) => {
          arrived += 1;
          strays += topic === own ? 0 : 1;
        });
      }),
    );
  }
}

process.on('message', (message: Crowd | 'count') => {
  if (message === 'count') {
    process.send?.({ arrived, strays } satisfies CrowdCount);
    return;
  }
  void connectAll(message).then(() => process.send?.('connected'));
});
