// Opens the broker that a relay's configuration names: MQTT, or a cluster of NATS.
import { randomUUID } from 'node:crypto';
import type { BrokerOptions } from '../mqtt/broker-options.ts';
import { openMqttCarrier } from '../mqtt/mqtt-carrier.ts';
import { loadMqtt } from '../mqtt/mqtt-package.ts';
import type { NatsOptions } from '../nats/nats-connection.ts';
import { loadNats } from '../nats/nats-package.ts';
import type { Clock } from '../support/clock.ts';
import { readOptionFile } from '../support/files/option-file.ts';
import type { Log } from '../support/log.ts';
import { type ClusterAddress, readClusterAddress } from '../support/server/cluster-address.ts';
import { readClusterKeys } from './cluster-keys.ts';
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
const REPLICAS = 3;
/** A relay leaves a node that is silent for twice this time, in milliseconds (our choice). */
const PING_EVERY_MS = 2_000;

/** Connects at once and stays connected. Rejects with final (`bad-configuration`). */
export async function openBroker(config: RelayConfig, parts: BrokerParts): Promise<RelayBroker> {
  const cluster = readClusterAddress(config.broker.url);
  const longestPauseMs = LONGEST_PAUSE_MS;
  if (cluster === null) {
    const mqtt = await loadMqtt();
    return mqttRelayBroker(openMqttCarrier({ ...parts, mqtt, options: mqttOptions(config), longestPauseMs }));
  }
  return new NatsRelayBroker({
    ...parts,
    nats: await loadNats(),
    options: natsOptions(config, cluster),
    stream: {
      replicas: config.broker.replicas ?? REPLICAS,
      isRevoked: ({ home, generation }) => generation <= (config.revoked[home] ?? 0),
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

function natsOptions(config: RelayConfig, address: ClusterAddress): NatsOptions {
  return {
    address,
    ca: authorities(config),
    login: readClusterKeys(config).relay,
    inboxPrefix: '_INBOX.relay',
    pingEveryMs: PING_EVERY_MS,
  };
}

function authorities({ broker: { caFile } }: RelayConfig): string | null {
  return caFile === undefined ? null : readOptionFile(caFile, 'broker.caFile');
}
