// A home at a cluster: keeps a connection to one of its nodes, and receives the home's events over it.
import type { Carrier } from '../carrier/carrier.ts';
import { LastingConnection, type LastingParts } from '../carrier/lasting-connection.ts';
import { HomePull, type PullParts } from './home-pull.ts';
import { faultOfNats, NatsConnection, type NatsOptions, OTHER_NODE_PAUSE_MS } from './nats-connection.ts';
import type { NatsPackage } from './nats-package.ts';

export interface NatsHomeParts
  extends Omit<PullParts, 'connection'>,
    Pick<LastingParts<NatsConnection>, 'random' | 'longestPauseMs' | 'log'> {
  readonly nats: NatsPackage;
  readonly options: NatsOptions;
}

/** Connects from now on, until it is closed. */
export function openNatsHome(parts: NatsHomeParts): Omit<Carrier, 'publish'> {
  const { nats, options } = parts;
  return new LastingConnection({
    ...parts,
    open: async (signal) => {
      const connection = await NatsConnection.open(nats, options, signal);
      try {
        await new HomePull({ ...parts, connection }).begin();
      } catch (error) {
        await connection.close();
        throw error;
      }
      return connection;
    },
    faultOf: faultOfNats,
    firstPauseMs: OTHER_NODE_PAUSE_MS,
  });
}
