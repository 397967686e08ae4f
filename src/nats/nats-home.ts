// A home at a cluster: keeps a connection to one of its nodes, and receives the home's events over it.
import type { Carrier, IncomingMessage } from '../carrier/carrier.ts';
import { LastingConnection } from '../carrier/lasting-connection.ts';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { HomePull } from './home-pull.ts';
import { faultOfNats, NatsConnection, type NatsOptions, OTHER_NODE_PAUSE_MS } from './nats-connection.ts';
import type { NatsPackage } from './nats-package.ts';

export interface NatsHomeParts {
  readonly nats: NatsPackage;
  readonly options: NatsOptions;
  readonly seat: string;
  readonly subject: string;
  readonly handle: (message: IncomingMessage) => Promise<void>;
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Longest pause between two attempts to connect, in milliseconds. */
  readonly longestPauseMs: number;
  readonly log: Log;
}

/** Connects from now on, until it is closed. */
export function openNatsHome(parts: NatsHomeParts): Omit<Carrier, 'publish'> {
  const { nats, options } = parts;
  return new LastingConnection({
    ...parts,
    open: async (signal) => {
      const connection = await NatsConnection.open(nats, options, signal);
      await new HomePull({ ...parts, connection }).begin();
      return connection;
    },
    faultOf: faultOfNats,
    firstPauseMs: OTHER_NODE_PAUSE_MS,
  });
}
