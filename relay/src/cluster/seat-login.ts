// The login of a seat at the nodes: its key follows from the cluster's secret, so that a relay can name it to end it.
import { createHmac } from 'node:crypto';
import type { KeyPair } from '@nats-io/nkeys';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';
import { nkey } from '../../../src/nats/nkey.ts';
import { type Seat, seatHead } from '../../../src/nats/seat.ts';

/** Two bytes that say that it is the seed of a user. */
const PREFIX = [0x95, 0x00] as const;

export function seatUser(nats: NatsPackage, seat: Seat, secret: string): KeyPair {
  const seed = createHmac('sha256', secret)
    .update(`latchkey login\0${seatHead(seat)}`)
    .digest();
  return nats.fromSeed(new TextEncoder().encode(nkey([...PREFIX, ...seed])));
}
