// A home at a cluster: keeps a connection to one of its nodes, and receives the home's events over it.
import type { Carrier, IncomingMessage } from '../carrier/carrier.ts';
import { LastingConnection, type LastingParts } from '../carrier/lasting-connection.ts';
import { HomePull } from './home-pull.ts';
import { faultOfNats, NatsConnection, type NatsOptions, OTHER_NODE_PAUSE_MS } from './nats-connection.ts';
import type { NatsPackage } from './nats-package.ts';

export interface NatsHomeParts
  extends Pick<LastingParts<NatsConnection>, 'clock' | 'random' | 'longestPauseMs' | 'log'> {
  readonly seat: string;
  readonly subject: string;
  /** The event is acknowledged when it resolves, and comes again when it rejects. */
  readonly handle: (message: IncomingMessage) => Promise<void>;
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
