// What an operator asks of a cluster: its homes, what one missed, sending that again, and ending an enrolment.

import type { NatsConnection } from '../../../src/nats/nats-connection.ts';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';
import { type Seat, seatName } from '../../../src/nats/seat.ts';
import type { Clock } from '../../../src/support/clock.ts';
import { HomeConsumers } from './home-consumers.ts';
import { listHomes, type MissedEvent, missedOf, type SeatedHome } from './home-list.ts';
import { publishRevoked } from './revoked-seats.ts';

const ANSWERS_WITHIN_MS = 10_000;

export interface ClusterView {
  homes(): Promise<readonly SeatedHome[]>;
  missed(seat: Seat): Promise<readonly MissedEvent[]>;
  sendAgain(seat: Seat, since: Date): Promise<void>;
  /** Every relay ends this generation and those before it at once. */
  revoke(seat: Seat): Promise<void>;
}

export interface ViewParts {
  readonly nats: NatsPackage;
  readonly connection: NatsConnection;
  /** The secret in the names of seats. */
  readonly secret: string;
  readonly clock: Clock;
}

export async function openView({ nats, connection, secret, clock }: ViewParts): Promise<ClusterView> {
  const options = { timeout: ANSWERS_WITHIN_MS, checkAPI: false };
  const manager = await nats.jetstreamManager(connection.raw, options);
  const consumers = new HomeConsumers(nats, connection, clock);
  return {
    homes: async () => listHomes(nats, manager, clock.now()),
    missed: async (seat) => missedOf(nats, manager, { seat, name: seatName(seat, secret) }),
    sendAgain: async (seat, since) => consumers.again(seatName(seat, secret), seat, since),
    revoke: async (seat) => publishRevoked(nats, connection, seat),
  };
}
