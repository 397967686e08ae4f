// The login of a seat at the nodes: its key follows from the cluster's secret, so that a relay can name it to end it.
import { createHmac } from 'node:crypto';
import type { KeyPair } from '@nats-io/nkeys';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';
import { type Seat, seatHead } from '../../../src/nats/seat.ts';

/** The form of a user's seed (NATS, nkeys): two bytes that say so, the seed, and a CRC-16; as base32. */
const PREFIX = [0x95, 0x00] as const;
const CRC_POLYNOMIAL = 0x10_21;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function seatUser(nats: NatsPackage, seat: Seat, secret: string): KeyPair {
  const seed = createHmac('sha256', secret)
    .update(`latchkey login\0${seatHead(seat)}`)
    .digest();
  const body = Buffer.from([...PREFIX, ...seed]);
  const checked = Buffer.alloc(body.length + 2);
  body.copy(checked);
  checked.writeUInt16LE(crc16(body), body.length);
  return nats.fromSeed(Buffer.from(base32(checked)));
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = ((crc << 1) ^ ((crc & 0x80_00) === 0 ? 0 : CRC_POLYNOMIAL)) & 0xff_ff;
    }
  }
  return crc;
}

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/gu) ?? [])
    .map((five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
    .join('');
}
