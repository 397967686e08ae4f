// The enrolment line of a home at a relay: written by `latchkey relay enrol`, pasted into `webhooks.enrolment`.
import { z } from 'zod';
import { readClusterAddress } from '../../support/server/cluster-address.ts';

/** The beginning of the line, which distinguishes it from other texts and from later forms. */
const PREFIX = 'latchkey-relay-1.';

/** Longer lines are refused before they are decoded, in characters: one of a cluster with a private authority has 2,300. */
export const LONGEST_LINE = 8_192;

/** 32 bytes as base64url: a key of X25519 (RFC 8037). */
const x25519 = () => z.string().regex(/^[\w-]{43}$/);

export const homeName = () => z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);

/** The address of a broker of MQTT, or of a cluster of NATS with its nodes. */
export const brokerAddress = () =>
  z.union([
    z.url({ protocol: /^(?:mqtts?|wss?)$/ }),
    z
      .string()
      .max(500)
      .refine((address) => readClusterAddress(address) !== null),
  ]);

const enrolment = () =>
  z.strictObject({
    home: homeName(),
    /** The public address that the service calls; null when the relay has one webhook for all homes. */
    url: z.url({ protocol: /^https?$/ }).nullable(),
    /** `tls://a,b,c` or `nats://a,b,c` for a cluster of NATS, otherwise MQTT. */
    broker: brokerAddress(),
    username: z.string().min(1).max(100),
    password: z.string().min(16).max(200),
    /** The topic on which this home's events arrive. */
    topic: z.string().regex(/^[\w/.-]{1,200}$/),
    /** The signed rights of the user at a cluster. The password is the seed of the user's key. */
    jwt: z.string().max(2_048).optional(),
    /** The private authority (PEM) of the broker; public ones if left out. */
    ca: z.string().startsWith('-----BEGIN CERTIFICATE-----').max(2_048).optional(),
    /** The home's key pair, with which the relay encrypts. */
    key: z.strictObject({ x: x25519(), d: x25519() }),
  });

/** The access of a home to its relay. Holds secrets. */
export type RelayEnrolment = z.output<ReturnType<typeof enrolment>>;

/** Null when it is no enrolment line. */
export function readEnrolment(line: string): RelayEnrolment | null {
  if (!line.startsWith(PREFIX) || line.length > LONGEST_LINE) {
    return null;
  }
  try {
    const text = Buffer.from(line.slice(PREFIX.length), 'base64url').toString('utf8');
    return enrolment().safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export function writeEnrolment(values: RelayEnrolment): string {
  return PREFIX + Buffer.from(JSON.stringify(values)).toString('base64url');
}
