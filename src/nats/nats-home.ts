// A home at a cluster: keeps a connection to one of its nodes, and receives the home's events over it.
import type { Carrier, IncomingMessage } from '../carrier/carrier.ts';
import { LastingConnection, type LastingParts, type OpenConnection } from '../carrier/lasting-connection.ts';
import { withTimeout } from '../support/clock.ts';
import { HomePull } from './home-pull.ts';
import { faultOfNats, NatsConnection, type NatsOptions, OTHER_NODE_PAUSE_MS } from './nats-connection.ts';
import type { NatsPackage } from './nats-package.ts';

/** Our choice, in milliseconds: for what is under way when the home stops. */
const END_WITHIN_MS = 1_000;

export interface NatsHomeParts
  extends Pick<LastingParts<OpenConnection>, 'clock' | 'random' | 'longestPauseMs' | 'log'> {
  readonly seat: string;
  readonly subject: string;
  /** The event is acknowledged when it resolves, and comes again when it rejects. */
  readonly handle: (message: IncomingMessage) => Promise<void>;
  readonly nats: NatsPackage;
  readonly options: NatsOptions;
}

/** Connects from now on, until it is closed. */
export function openNatsHome(parts: NatsHomeParts): Omit<Carrier, 'publish'> {
  const { nats, options, clock } = parts;
  return new LastingConnection({
    ...parts,
    open: async (signal) => {
      const connection = await NatsConnection.open(nats, options, signal);
      const pull = new HomePull({ ...parts, connection });
      try {
        await pull.begin();
      } catch (error) {
        await connection.close();
        throw error;
      }
      const close = async (): Promise<void> => {
        await withTimeout(clock, END_WITHIN_MS, Promise.race([pull.finish(), connection.ended]));
        await connection.close();
      };
      return { ended: connection.ended, resumed: connection.resumed, close };
    },
    faultOf: faultOfNats,
    firstPauseMs: OTHER_NODE_PAUSE_MS,
  });
}
