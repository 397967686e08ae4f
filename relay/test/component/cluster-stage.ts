// A relay before a real NATS cluster on loopback, and homes enrolled at it.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RelayEnrolment, readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { type Clock, systemClock } from '../../../src/support/clock.ts';
import { freePort } from '../../../test/harness/free-port.ts';
import { keptLog } from '../../../test/support/kept-log.ts';
import { type EnrolledHome, enrolAtBroker } from '../../src/enrol-home.ts';
import type { RelayConfig } from '../../src/relay-config.ts';
import { type NatsCluster, type NatsOptions, startNats } from '../harness/nats-cluster.ts';
import { RELAY, type StartedRelay, startRelay } from './open-relay.ts';

export interface ClusterHome extends EnrolledHome {
  readonly enrolment: RelayEnrolment;
  readonly url: string;
}

export interface ClusterStage {
  readonly cluster: NatsCluster;
  readonly config: RelayConfig;
  enrol(home: string, generation?: number): Promise<ClusterHome>;
  /** All that were started. */
  stopRelays(): Promise<void>;
  /** Another relay of the same balancer; stopped when the test ends. */
  startRelay(changes?: Partial<RelayConfig>): Promise<StartedRelay>;
  /** The first one. */
  readonly relay: StartedRelay;
  /** Of the logs of all relays. */
  readonly lines: readonly string[];
}

/** Open until the test ends. */
export async function openClusterStage(
  folder: string,
  nodes: number,
  options: Partial<NatsOptions> & {
    readonly clock?: Clock;
    readonly broker?: Partial<RelayConfig['broker']>;
    readonly homeCaFile?: string;
  } = {},
): Promise<ClusterStage> {
  const cluster = await startNats({ ...options, folder: join(folder, 'cluster'), nodes });
  const port = await freePort();
  const config: RelayConfig = {
    ...RELAY,
    port,
    publicUrl: `http://127.0.0.1:${String(port)}`,
    broker: { url: cluster.url, keysFile: cluster.keysFile, replicas: nodes, ...options.broker },
    ...(options.homeCaFile === undefined ? {} : { homeCaFile: options.homeCaFile }),
    limits: { burst: 1_000, perMinute: 60_000, waiting: 100 },
  };
  const relays: StartedRelay[] = [];
  const lines: string[] = [];
  const { clock = systemClock } = options;
  const stopRelays = async (): Promise<void> => {
    await Promise.all(relays.splice(0).map(async (relay) => relay.stop()));
  };
  onTestFinished(async () => {
    await stopRelays();
    await cluster.close();
  });
  const another = async (changes: Partial<RelayConfig> = {}): Promise<StartedRelay> => {
    const relay = await startRelay({ ...config, ...changes }, { clock, log: keptLog(lines) });
    relays.push(relay);
    return relay;
  };
  return {
    relay: await another(),
    lines,
    cluster,
    config,
    startRelay: another,
    stopRelays,
    enrol: async (home, generation = 1) => {
      const enrolled = await enrolAtBroker(config, { home, generation, withAddress: true });
      const enrolment = readEnrolment(enrolled.line);
      if (enrolment === null || enrolment.url === null) {
        throw new Error('The line cannot be read');
      }
      return { ...enrolled, enrolment, url: enrolment.url };
    },
  };
}
