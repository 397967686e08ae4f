// Opens the broker that a relay's configuration names: MQTT, or a cluster of NATS.
import { randomUUID } from 'node:crypto';
import type { BrokerOptions } from '../../src/mqtt/broker-options.ts';
import { openMqttCarrier } from '../../src/mqtt/mqtt-carrier.ts';
import { loadMqtt } from '../../src/mqtt/mqtt-package.ts';
import type { NatsOptions } from '../../src/nats/nats-connection.ts';
import { loadNats } from '../../src/nats/nats-package.ts';
import type { Clock } from '../../src/support/clock.ts';
import { readOptionFile } from '../../src/support/files/option-file.ts';
import type { Log } from '../../src/support/log.ts';
import { type ClusterAddress, readClusterAddress } from '../../src/support/server/cluster-address.ts';
import { type ClusterKeys, wholeKeys } from './cluster/cluster-accounts.ts';
import type { StreamShape } from './cluster/stream-shape.ts';
import { readClusterKeys } from './cluster-keys.ts';
import type { LiveConfig } from './live-config.ts';
import { mqttRelayBroker } from './mqtt-relay-broker.ts';
import { NatsRelayBroker } from './nats-relay-broker.ts';
import type { RelayBroker } from './relay-broker.ts';
import type { RelayConfig } from './relay-config.ts';

export interface BrokerParts {
  readonly clock: Clock;
  /** A random number from 0 up to 1. */
  readonly random: () => number;
  readonly log: Log;
}

/** Relays are few, and nothing arrives without them: they come back to a broker sooner than homes do (our choice). */
const LONGEST_PAUSE_MS = 5_000;
/** Our choices: three nodes, and what 100,000 homes need; relay/README.md gives each node 50 GB. */
const SHAPE: StreamShape = { replicas: 3, homes: 100_000, events: 20_000_000, bytes: 40_000_000_000 };
/** A relay leaves a node that is silent for twice this time, in milliseconds (our choice). */
const PING_EVERY_MS = 2_000;

/** Connects at once and stays connected. Rejects with final (`bad-configuration`). */
export async function openBroker(live: LiveConfig, parts: BrokerParts): Promise<RelayBroker> {
  const config = live.current;
  const cluster = readClusterAddress(config.broker.url);
  const longestPauseMs = LONGEST_PAUSE_MS;
  if (cluster === null) {
    const mqtt = await loadMqtt();
    return mqttRelayBroker(openMqttCarrier({ ...parts, mqtt, options: mqttOptions(config), longestPauseMs }));
  }
  const keys = readClusterKeys(config);
  return new NatsRelayBroker({
    ...parts,
    nats: await loadNats(),
    options: natsOptions(config, cluster, keys),
    stream: {
      shape: { ...SHAPE, ...given(config.broker) },
      secret: keys.homes.seed,
      homes: wholeKeys(keys),
      revoked: () => live.current.revoked,
    },
    longestPauseMs,
  });
}

function mqttOptions(config: RelayConfig): BrokerOptions {
  const { url, username, password } = config.broker;
  return {
    url: new URL(url),
    tls: { ca: authorities(config), client: null },
    login: username === undefined ? null : { username, password: password ?? null },
    session: { clientId: `latchkey-relay-${randomUUID()}`, expirySeconds: 0, receiveAtMost: 1 },
    will: null,
    subscriptions: [],
  };
}

function given({ replicas, homes, events, bytes }: RelayConfig['broker']): Partial<StreamShape> {
  const values = { replicas, homes, events, bytes };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

export function natsOptions(config: RelayConfig, address: ClusterAddress, keys: ClusterKeys): NatsOptions {
  return {
    address,
    ca: authorities(config),
    login: keys.relay,
    inboxPrefix: '_INBOX.relay',
    pingEveryMs: PING_EVERY_MS,
  };
}

function authorities({ broker: { caFile } }: RelayConfig): string | null {
  return caFile === undefined ? null : readOptionFile(caFile, 'broker.caFile');
}
