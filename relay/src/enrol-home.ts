// Mints the enrolment of a home: its address, its login at the broker, and its key pair.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type RelayEnrolment, writeEnrolment } from '../../src/config/options/relay-enrolment.ts';
import { loadNats } from '../../src/nats/nats-package.ts';
import { seatName, subjectOf } from '../../src/nats/seat.ts';
import { readOptionFile } from '../../src/support/files/option-file.ts';
import { readClusterAddress } from '../../src/support/server/cluster-address.ts';
import { signSeat } from './cluster/cluster-accounts.ts';
import { readClusterKeys } from './cluster-keys.ts';
import { mintToken } from './home-token.ts';
import { topicOf } from './mqtt-relay-broker.ts';
import type { RelayConfig } from './relay-config.ts';

export interface EnrolOptions {
  /** Null: a random name is made. */
  readonly home: string | null;
  /** One more than the former generation of this home. */
  readonly generation: number;
  /** False: the home has no address of its own, because the relay has one webhook for all homes. */
  readonly withAddress: boolean;
}

export interface EnrolledHome {
  /** The line that is pasted into the home's `webhooks.enrolment`. It holds the home's secrets. */
  readonly line: string;
  readonly home: string;
  readonly generation: number;
  readonly username: string;
  readonly password: string;
  readonly topic: string;
  /** False: the operator enters user and password at the broker. */
  readonly isKnownToBroker: boolean;
  readonly publicKey: string;
  /** The JSON of its member of `shared.homes`. */
  readonly entry: string;
}

const NAME_BYTES = 12;
const PASSWORD_BYTES = 24;

type NamedHome = Omit<EnrolOptions, 'home'> & { readonly home: string };

type HomeLogin = Pick<RelayEnrolment, 'username' | 'password' | 'topic' | 'jwt'>;

/** The relay stores nothing of a home: the printed line is the only copy. */
export async function enrolAtBroker(config: RelayConfig, options: EnrolOptions): Promise<EnrolledHome> {
  const home = options.home ?? randomBytes(NAME_BYTES).toString('hex');
  const named = { ...options, home };
  if (readClusterAddress(config.broker.url) === null) {
    return enrolHome(config, named);
  }
  const keys = readClusterKeys(config);
  const seat = seatName(named, keys.homes.seed);
  const { jwt, seed } = await signSeat(await loadNats(), keys, named);
  return enrolHome(config, named, { username: seat, password: seed, topic: subjectOf(named), jwt });
}

/** `login`: if left out, a new one for a broker of MQTT, where the operator enters it. */
export function enrolHome(
  config: RelayConfig,
  { home, generation, withAddress }: NamedHome,
  login: HomeLogin = mqttLogin(home),
): EnrolledHome {
  const { x = '', d = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  const [secret = ''] = config.secrets;
  const token = mintToken({ home, generation, publicKey: x }, secret);
  const enrolment: RelayEnrolment = {
    home,
    url: withAddress ? `${config.publicUrl}/h/${home}/${token}` : null,
    broker: config.homeBrokerUrl ?? config.broker.url,
    ...login,
    ...(config.homeCaFile === undefined ? {} : { ca: readOptionFile(config.homeCaFile, 'homeCaFile') }),
    key: { x, d },
  };
  const { username, password, topic, jwt } = login;
  return {
    line: writeEnrolment(enrolment),
    home,
    generation,
    username,
    password,
    topic,
    publicKey: x,
    entry: JSON.stringify(generation === 1 ? x : { key: x, generation }),
    isKnownToBroker: jwt !== undefined,
  };
}

function mqttLogin(home: string): HomeLogin {
  return {
    username: home,
    password: randomBytes(PASSWORD_BYTES).toString('base64url'),
    topic: topicOf(home),
  };
}
