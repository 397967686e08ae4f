// Opens the cluster of a relay's file for what its operator asks.

import { NatsConnection } from '../../src/nats/nats-connection.ts';
import { loadNats } from '../../src/nats/nats-package.ts';
import type { Clock } from '../../src/support/clock.ts';
import { FinalError, RetryError } from '../../src/support/errors.ts';
import { readClusterAddress } from '../../src/support/server/cluster-address.ts';
import { type ClusterView, openView } from './cluster/cluster-view.ts';
import { readClusterKeys } from './cluster-keys.ts';
import { natsOptions } from './open-broker.ts';
import type { RelayConfig } from './relay-config.ts';

export type { ClusterView } from './cluster/cluster-view.ts';

/** Rejects with final (`bad-configuration`) at a broker of MQTT, and with retry (`unreachable`) without a node. */
export async function withCluster<T>(
  config: RelayConfig,
  clock: Clock,
  read: (view: ClusterView) => Promise<T>,
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
    return await read(await openView({ nats, connection, secret: keys.homes.seed, clock }));
  } finally {
    await connection.close();
  }
}
