// Connects a home to the broker of its relay, with a session that outlives restarts, and starts the inbox.

import type { Carrier, CarrierState, Subscription } from '../../carrier/carrier.ts';
import type { RelayEnrolment } from '../../config/options/relay-enrolment.ts';
import { message } from '../../domain/language/message.ts';
import type { BrokerOptions } from '../../mqtt/broker-options.ts';
import { openMqttCarrier } from '../../mqtt/mqtt-carrier.ts';
import { loadMqtt } from '../../mqtt/mqtt-package.ts';
import { openNatsHome } from '../../nats/nats-home.ts';
import { loadNats } from '../../nats/nats-package.ts';
import { readSeat, seatSubjects, subjectOf } from '../../nats/seat.ts';
import { RetryError } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { systemRandom } from '../../support/random.ts';
import { type ClusterAddress, readClusterAddress } from '../../support/server/cluster-address.ts';
import type { Listener } from '../../webhook/listener.ts';
import { type InboxConnection, startRelayInbox } from '../../webhook/relay-inbox.ts';
import { t } from '../../words/translate.ts';
import { type ListenerContext, listenerParts } from './listener-options.ts';

/** The broker keeps messages for an absent home this long: the service itself gives up after a day. */
const SESSION_SECONDS = 14 * 86_400;

/** The time between two signs of life of a node, and the longest between two attempts to connect, in milliseconds (our choice). */
const PING_EVERY_MS = 15_000;
const LONGEST_PAUSE_MS = 60_000;

/** Events that are under way to the ledger at a time (our choice). */
const RECEIVE_AT_MOST = 20;

/** Rejects with retry (`unreachable`) while there is no connection. */
export async function openRelayInbox(context: ListenerContext, enrolment: RelayEnrolment): Promise<Listener> {
  const cluster = readClusterAddress(enrolment.broker);
  const open =
    cluster === null ? await overMqtt(context, enrolment) : await overNats(context, enrolment, cluster);
  return startRelayInbox({
    ...listenerParts(context, ''),
    key: enrolment.key,
    connect: async (handle) => connected(open(handle), enrolment, context.log),
  });
}

type Broker = Omit<Carrier, 'publish'>;
type OpenBroker = (handle: Subscription['handle']) => Broker;

async function overMqtt({ clock, log }: ListenerContext, enrolment: RelayEnrolment): Promise<OpenBroker> {
  const mqtt = await loadMqtt();
  return (handle) => {
    const options = brokerOptions(enrolment, { filter: enrolment.topic, wantsRetained: false, handle });
    return openMqttCarrier({ mqtt, options, clock, random: systemRandom, log });
  };
}

async function overNats(
  { clock, log }: ListenerContext,
  { username: seat, password: seed, jwt, topic, ca }: RelayEnrolment,
  address: ClusterAddress,
): Promise<OpenBroker> {
  const nats = await loadNats();
  // A line of version 1.0 names the subject of a first enrolment, whichever it is.
  const read = readSeat(seat);
  const subject = read === null ? topic : subjectOf(read);
  const options = {
    address,
    ca: ca ?? null,
    login: jwt === undefined ? null : { jwt, seed },
    inboxPrefix: seatSubjects(seat).inbox,
    pingEveryMs: PING_EVERY_MS,
  };
  const longestPauseMs = LONGEST_PAUSE_MS;
  return (handle) =>
    openNatsHome({ nats, options, seat, subject, handle, clock, random: systemRandom, longestPauseMs, log });
}

function brokerOptions(
  { home, broker, username, password, ca }: RelayEnrolment,
  subscription: Subscription,
): BrokerOptions {
  return {
    url: new URL(broker),
    tls: { ca: ca ?? null, client: null },
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
async function connected(carrier: Broker, { broker }: RelayEnrolment, log: Log): Promise<InboxConnection> {
  const first = Promise.withResolvers<void>();
  const unsubscribe = carrier.subscribeState((state) => {
    if (state.kind === 'connected') {
      first.resolve();
    } else if (state.kind === 'waiting') {
      first.reject(
        new RetryError('unreachable', message('The broker of the relay: {reason}', { reason: state.reason })),
      );
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

/** One line for each reason of a loss, since a later one may need a person, and for the return; between them the locks are polled. */
function logChanges(carrier: Broker, log: Log): void {
  const reasons = new Set<string>();
  carrier.subscribeState((state: CarrierState) => {
    if (state.kind === 'waiting' && !reasons.has(state.reason.text)) {
      reasons.add(state.reason.text);
      log.warn(
        t("The relay's broker is out of reach: {why} The locks are polled until it is back.", {
          why: state.reason,
        }),
      );
    } else if (state.kind === 'connected' && reasons.size > 0) {
      reasons.clear();
      log.info(t("The relay's broker is back."));
    }
  });
}
