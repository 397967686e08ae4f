// Connects a home to the broker of its relay, with a session that outlives restarts, and starts the inbox.
import type { RelayEnrolment } from '../config/relay-enrolment.ts';
import type { BrokerOptions } from '../mqtt/broker-options.ts';
import type { Carrier, CarrierState, Subscription } from '../mqtt/carrier.ts';
import { openMqttCarrier } from '../mqtt/mqtt-carrier.ts';
import { loadMqtt } from '../mqtt/mqtt-package.ts';
import { RetryError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { systemRandom } from '../support/random.ts';
import type { Listener } from '../webhook/listener.ts';
import { type InboxConnection, startRelayInbox } from '../webhook/relay-inbox.ts';
import { type ListenerContext, listenerParts } from './listener-options.ts';

/** The broker keeps what comes for a home that is away so long: the service itself gives up after a day. */
const SESSION_SECONDS = 14 * 86_400;

/** Events that are under way to the ledger at a time (our choice). */
const RECEIVE_AT_MOST = 20;

/** Rejects with retry (`unreachable`) while there is no connection, with final (`bad-configuration`) without the package. */
export async function openRelayInbox(context: ListenerContext, enrolment: RelayEnrolment): Promise<Listener> {
  const { clock, log } = context;
  const mqtt = await loadMqtt();
  return startRelayInbox({
    ...listenerParts(context, ''),
    key: enrolment.key,
    connect: async (handle) => {
      const subscription: Subscription = { filter: enrolment.topic, wantsRetained: false, handle };
      const options = brokerOptions(enrolment, subscription);
      const carrier = openMqttCarrier({ mqtt, options, clock, random: systemRandom, log });
      return connected(carrier, enrolment, log);
    },
  });
}

function brokerOptions(
  { home, broker, username, password }: RelayEnrolment,
  subscription: Subscription,
): BrokerOptions {
  return {
    url: new URL(broker),
    tls: { ca: null, client: null },
    login: { username, password },
    session: {
      clientId: `latchkey-home-${home}`,
      expirySeconds: SESSION_SECONDS,
      receiveAtMost: RECEIVE_AT_MOST,
    },
    will: null,
    subscriptions: [subscription],
  };
}

/** Waits for the first connection, and leaves nothing open when it fails. */
async function connected(carrier: Carrier, { broker }: RelayEnrolment, log: Log): Promise<InboxConnection> {
  const first = Promise.withResolvers<void>();
  const unsubscribe = carrier.subscribeState((state) => {
    if (state.kind === 'connected') {
      first.resolve();
    } else if (state.kind === 'waiting') {
      first.reject(new RetryError('unreachable', `The broker of the relay: ${state.reason}`));
    }
  });
  try {
    await first.promise;
  } catch (error) {
    await carrier.close();
    throw error;
  } finally {
    unsubscribe();
  }
  logChanges(carrier, log);
  return { address: broker, close: async () => carrier.close() };
}

/** One line for each loss and each return; between them the locks are polled. */
function logChanges(carrier: Carrier, log: Log): void {
  let isLost = false;
  carrier.subscribeState((state: CarrierState) => {
    if (state.kind === 'waiting' && !isLost) {
      isLost = true;
      log.warn(`The relay's broker is out of reach: ${state.reason} The locks are polled until it is back.`);
    } else if (state.kind === 'connected' && isLost) {
      isLost = false;
      log.info("The relay's broker is back.");
    }
  });
}
