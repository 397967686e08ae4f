// A relay over a broker that a test answers for, one over a real broker, and homes enrolled at them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { type Clock, systemClock } from '../../../src/support/clock.ts';
import { type Log, silentLog } from '../../../src/support/log.ts';
import { prometheusText } from '../../../src/support/server/prometheus.ts';
import { StandInBroker } from '../../../test/stand-ins/broker/broker.ts';
import { keptLog } from '../../../test/support/kept-log.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type EnrolledHome, enrolHome } from '../../src/enrol-home.ts';
import { LiveConfig } from '../../src/live-config.ts';
import { mqttRelayBroker } from '../../src/mqtt-relay-broker.ts';
import { runRelay } from '../../src/relay.ts';
import { type RelayConfig, readRelayConfig } from '../../src/relay-config.ts';
import { HomeDeliveries } from '../../src/relay-delivery.ts';
import { RelayFigures } from '../../src/relay-figures.ts';
import { startRelayServer } from '../../src/relay-server.ts';

export const RELAY: RelayConfig = {
  host: '127.0.0.1',
  port: 0,
  statusHost: '127.0.0.1',
  statusPort: 0,
  publicUrl: 'https://relay.example',
  secrets: ['the secret of all relays behind one balancer'],
  broker: { url: 'mqtts://broker.example' },
  encrypt: true,
  signatureHeader: 'webhook-signature',
  origins: [],
  limits: { burst: 5, perMinute: 60, waiting: 3 },
  revoked: {},
  shared: null,
};

export interface OpenRelay {
  readonly broker: StandInBroker;
  readonly clock: ManualClock;
  /** Path of the address, on this relay. */
  call(
    path: string,
    request?: RequestInit,
  ): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }>;
  figures(): string;
  readonly config: LiveConfig;
  readonly lines: readonly string[];
}

/** Open until the test ends. */
export async function openRelay(changes: Partial<RelayConfig> = {}): Promise<OpenRelay> {
  const config = { ...RELAY, ...changes };
  const clock = new ManualClock();
  const broker = new StandInBroker();
  const live = new LiveConfig(config);
  const lines: string[] = [];
  const log = keptLog(lines);
  const deliveries = new HomeDeliveries(mqttRelayBroker(broker), live, { clock, log });
  const figures = new RelayFigures(clock);
  const server = await startRelayServer({ config: live, deliveries, figures, clock, isRevoked: () => false });
  onTestFinished(async () => server.close());
  return {
    broker,
    clock,
    config: live,
    lines,
    call: async (path, request = { method: 'POST', body: '{}' }) => {
      const answer = await fetch(`http://127.0.0.1:${String(server.port)}${path}`, request);
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
    figures: () => prometheusText(figures.metrics(deliveries.waiting, { kind: 'connected', resumed: false })),
  };
}

export interface RelayHome extends EnrolledHome {
  readonly path: string;
  readonly key: { readonly x: string; readonly d: string };
}

export function enrolled(home: string, changes: Partial<RelayConfig> = {}, generation = 1): RelayHome {
  const made = enrolHome({ ...RELAY, ...changes }, { home, generation, withAddress: true });
  const enrolment = readEnrolment(made.line);
  if (enrolment?.url === null || enrolment?.url === undefined) {
    throw new Error('The line cannot be read');
  }
  return { ...made, path: new URL(enrolment.url).pathname, key: enrolment.key };
}

export interface StartedRelay {
  /** What Prometheus reads. */
  figures(): Promise<string>;
  /** As SIGHUP does, with this file. */
  reread(config: RelayConfig): void;
  stop(): Promise<void>;
}

/** A relay over its own broker, ready. */
export async function startRelay(
  config: RelayConfig,
  { clock = systemClock, log = silentLog }: { readonly clock?: Clock; readonly log?: Log } = {},
): Promise<StartedRelay> {
  const file = { config, reread: (): void => {} };
  const stopping = new AbortController();
  const opened = Promise.withResolvers<number>();
  const relay = runRelay({
    config,
    read: () => file.config,
    onRereadable: (reread) => {
      file.reread = reread;
    },
    clock,
    log,
    random: () => 0.9,
    stopped: stopping.signal,
    onOpen: ({ statusPort }) => {
      opened.resolve(statusPort);
    },
  });
  const statusPort = await Promise.race([opened.promise, relay.then(() => 0)]);
  const asked = async (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${String(statusPort)}${path}`);
  await expect.poll(async () => (await asked('/readyz')).ok).toBe(true);
  return {
    figures: async () => (await asked('/metrics')).text(),
    reread: (changed) => {
      file.config = changed;
      file.reread();
    },
    stop: async () => {
      stopping.abort();
      await relay;
    },
  };
}

/** A relay of a file, whose broker does not answer; SIGHUP reads the file again. Open until the test ends. */
export async function openRelayStageOfFile() {
  const file = join(temporaryFolder(), 'relay.json');
  const { secrets, publicUrl } = RELAY;
  const least = { secrets, publicUrl, broker: { url: 'mqtt://127.0.0.1:1' }, port: 0, statusPort: 0 };
  const write = (text: string): void => writeFileSync(file, text);
  write(JSON.stringify(least));
  const lines: string[] = [];
  const stopping = new AbortController();
  const opened = Promise.withResolvers<void>();
  let hangUp = (): void => {};
  const relay = runRelay({
    config: readRelayConfig(file),
    read: () => readRelayConfig(file),
    onRereadable: (reread) => {
      hangUp = reread;
    },
    clock: new ManualClock(),
    log: keptLog(lines),
    random: () => 0.9,
    stopped: stopping.signal,
    onOpen: () => opened.resolve(),
  });
  onTestFinished(async () => {
    stopping.abort();
    await relay;
  });
  await opened.promise;
  return { least, write, lines, hangUp: () => hangUp() };
}
