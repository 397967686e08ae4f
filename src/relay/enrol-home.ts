// Mints the enrolment of a home: its address, its login at the broker, and its key pair.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type RelayEnrolment, writeEnrolment } from '../config/relay-enrolment.ts';
import { mintToken } from './home-token.ts';
import type { RelayConfig } from './relay-config.ts';
import { topicOf } from './relay-delivery.ts';

export interface EnrolOptions {
  /** Null: a random name. */
  readonly home: string | null;
  /** One more than the last of this home. */
  readonly generation: number;
  /** False: the home has no address of its own, because the relay has one webhook for all. */
  readonly withAddress: boolean;
}

export interface EnrolledHome {
  /** What is pasted into the home's `webhooks.enrolment`. Holds the home's secrets. */
  readonly line: string;
  readonly home: string;
  readonly generation: number;
  /** For the broker. */
  readonly username: string;
  readonly password: string;
  readonly topic: string;
  /** For `shared.homes`. */
  readonly publicKey: string;
}

const NAME_BYTES = 12;
const PASSWORD_BYTES = 24;

/** Nothing is stored: the line is all there is. */
export function enrolHome(
  config: Pick<RelayConfig, 'publicUrl' | 'secrets' | 'broker' | 'homeBrokerUrl'>,
  { home: named, generation, withAddress }: EnrolOptions,
): EnrolledHome {
  const home = named ?? randomBytes(NAME_BYTES).toString('hex');
  const { x = '', d = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  const [secret = ''] = config.secrets;
  const token = mintToken({ home, generation, publicKey: x }, secret);
  const login = { username: home, password: randomBytes(PASSWORD_BYTES).toString('base64url') };
  const enrolment: RelayEnrolment = {
    home,
    url: withAddress ? `${config.publicUrl}/h/${home}/${token}` : null,
    broker: config.homeBrokerUrl ?? config.broker.url,
    ...login,
    topic: topicOf(home),
    key: { x, d },
  };
  return {
    line: writeEnrolment(enrolment),
    home,
    generation,
    ...login,
    topic: enrolment.topic,
    publicKey: x,
  };
}
