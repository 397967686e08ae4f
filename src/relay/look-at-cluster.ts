// What an operator asks of a cluster with the relay's own file: its homes, what one missed, sending that again, revoking.
import type { JetStreamManager } from '@nats-io/jetstream';
import { HomeConsumers } from '../nats/home-consumers.ts';
import { listHomes, type MissedEvent, missedOf, type SeatedHome } from '../nats/home-list.ts';
import { NatsConnection } from '../nats/nats-connection.ts';
import { loadNats, type NatsPackage } from '../nats/nats-package.ts';
import { publishRevoked } from '../nats/revoked-seats.ts';
import { type Seat, seatName } from '../nats/seat.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError, RetryError } from '../support/errors.ts';
import { readClusterAddress } from '../support/server/cluster-address.ts';
import { readClusterKeys } from './cluster-keys.ts';
import { natsOptions } from './open-broker.ts';
import type { RelayConfig } from './relay-config.ts';

const ANSWERS_WITHIN_MS = 10_000;

export interface ClusterView {
  homes(): Promise<readonly SeatedHome[]>;
  missed(seat: Seat): Promise<readonly MissedEvent[]>;
  sendAgain(seat: Seat, since: Date): Promise<void>;
  /** Every relay ends this generation and those before it at once. */
  revoke(seat: Seat): Promise<void>;
}

/** Rejects with final (`bad-configuration`) at a broker of MQTT, and with retry (`unreachable`) without a node. */
export async function withCluster<T>(
  config: RelayConfig,
  clock: Clock,
  look: (view: ClusterView) => Promise<T>,
): Promise<T> {
  const address = readClusterAddress(config.broker.url);
  if (address === null) {
    throw new FinalError(
      'bad-configuration',
      'broker.url names no cluster; a broker of MQTT does not say this.',
    );
  }
  const keys = readClusterKeys(config);
  const nats = await loadNats();
  const options = natsOptions(config, address, keys);
  const connection = await NatsConnection.open(nats, options, new AbortController().signal).catch(
    (error: unknown) => {
      throw new RetryError('unreachable', 'No node of the cluster accepts this login.', { cause: error });
    },
  );
  try {
    const manager = await nats.jetstreamManager(connection.raw, {
      timeout: ANSWERS_WITHIN_MS,
      checkAPI: false,
    });
    return await look(viewOf({ nats, connection, manager, secret: keys.homes.seed, clock }));
  } finally {
    await connection.close();
  }
}

interface ViewParts {
  readonly nats: NatsPackage;
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly secret: string;
  readonly clock: Clock;
}

function viewOf({ nats, connection, manager, secret, clock }: ViewParts): ClusterView {
  const consumers = new HomeConsumers(nats, connection, clock);
  return {
    homes: async () => listHomes(nats, manager, clock.now()),
    missed: async (seat) => missedOf(nats, manager, { seat, name: seatName(seat, secret) }),
    sendAgain: async (seat, since) => consumers.again(seatName(seat, secret), seat, since),
    revoke: async (seat) => publishRevoked(nats, connection, seat),
  };
}
