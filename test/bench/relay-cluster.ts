// Deliveries over a cluster beside mosquitto, saved at every change: with nothing waiting, and with a mass outage's events.
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStream } from '../../src/nats/event-stream.ts';
import { NatsConnection } from '../../src/nats/nats-connection.ts';
import { loadNats } from '../../src/nats/nats-package.ts';
import { newSeat, STREAM, subjectOf } from '../../src/nats/seat.ts';
import { topicOf } from '../../src/relay/mqtt-relay-broker.ts';
import { readClusterAddress } from '../../src/support/server/cluster-address.ts';
import { startMosquitto } from '../harness/mosquitto.ts';
import { type NatsCluster, startNats } from '../harness/nats-cluster.ts';
import { LightSubscriber } from '../support/light-subscriber.ts';
import { requestBytes } from '../support/signed-events.ts';
import { alone, compared, type Figure, percentile } from './figures.ts';
import type { Load, Sent } from './load-generator.ts';
import { connectedCarrier, DURABLE, QUICK_TO_LOSE } from './relay-homes.ts';
import { type BenchBroker, startRelay } from './relay-program.ts';
import { startWorker } from './worker.ts';

export interface BesideLoad {
  readonly homes: number;
  /** Deliveries of each way. */
  readonly load: number;
  readonly waiting: number;
}

interface Pace {
  /** Acknowledged in a second. */
  readonly rate: number;
  readonly latenciesMs: readonly number[];
}

interface Paces {
  readonly bare: Pace;
  readonly relayed: Pace;
  /** One request after the other. */
  readonly single: Pace;
}

const BODY = Buffer.from(JSON.stringify({ eventId: 'e-1', note: 'x'.repeat(300) }));
/** As large as the body is once it is encrypted. */
const SEALED = Buffer.alloc(700, 'x');
const AT_A_TIME = 64;
/** Requests of one connection, and what the goal allows each. */
const SINGLE = 300;
const MOST_P50_MS = 20;
const LONGEST_MS = 20_000;
const MS_PER_SECOND = 1_000;
const LEAST_TIMES = 20;

export async function measureSideBySide(folder: string, load: BesideLoad): Promise<readonly Figure[]> {
  mkdirSync(folder, { recursive: true });
  const homes = Array.from({ length: load.homes }, (_, at) => `home-${String(at)}`);
  const ours = await onCluster(join(folder, 'cluster'), homes, load);
  const theirs = await onMosquitto(join(folder, 'mosquitto'), homes, load);
  const words = `${String(load.homes)} homes`;
  return [
    ...figuresOf(`${words}, nothing waiting`, ours.empty, theirs.empty),
    ...figuresOf(`${words}, ${String(load.waiting)} events waiting`, ours.full, theirs.full),
    alone(
      { name: `memory of a node for each consumer, ${words}`, unit: 'bytes', goal: 'beside it' },
      [ours.bytesPerHome],
      true,
    ),
  ];
}

function figuresOf(words: string, { bare, relayed, single }: Paces, mosquitto: Pace): readonly Figure[] {
  return [
    compared(
      {
        name: `deliveries a second on a cluster, ${words} (limit: mosquitto, saved at every change)`,
        unit: '1/s',
        goal: `at least ${String(LEAST_TIMES)} times mosquitto's`,
      },
      { ours: [relayed.rate], limit: [mosquitto.rate] },
      (ours, limit) => ours.p50 >= LEAST_TIMES * limit.p50,
    ),
    compared(
      {
        name: `deliveries a second on a cluster, ${words} (limit: bare publishing)`,
        unit: '1/s',
        goal: 'beside it',
      },
      { ours: [relayed.rate], limit: [bare.rate] },
      () => true,
    ),
    compared(
      {
        name: `request to 204 on a cluster, ${String(AT_A_TIME)} at a time, ${words} (limit: bare publishing)`,
        unit: 'ms',
        goal: 'beside it',
      },
      { ours: relayed.latenciesMs, limit: bare.latenciesMs },
      () => true,
    ),
    alone(
      {
        name: `request to 204 on a cluster, one at a time, ${words}`,
        unit: 'ms',
        goal: `p50 at most ${String(MOST_P50_MS)} ms`,
      },
      single.latenciesMs,
      percentile(single.latenciesMs, 0.5) <= MOST_P50_MS,
    ),
  ];
}

async function onCluster(
  folder: string,
  homes: readonly string[],
  { load, waiting }: BesideLoad,
): Promise<{ empty: Paces; full: Paces; bytesPerHome: number }> {
  const cluster = await startNats({ folder });
  try {
    const { connection, stream } = await openStream(cluster);
    const before = memoryOf(cluster);
    await seatAll(connection, homes);
    const bytesPerHome = Math.round((memoryOf(cluster) - before) / cluster.nodes.length / homes.length);
    const broker = { url: cluster.url, keysFile: cluster.keysFile };
    const both = async (): Promise<Paces> => ({
      bare: await publishBarely(stream, homes, load),
      relayed: await deliver(broker, folder, { homes, load }),
      single: await deliver(broker, folder, { homes, load: Math.min(load, SINGLE) }, 1),
    });
    const empty = await both();
    await publishBarely(stream, homes, Math.max(0, waiting - 2 * load));
    const full = await both();
    await connection.close();
    return { empty, full, bytesPerHome };
  } finally {
    await cluster.close();
  }
}

async function openStream(cluster: NatsCluster) {
  const nats = await loadNats();
  const address = readClusterAddress(cluster.url);
  if (address === null) {
    throw new Error('The cluster has no address');
  }
  const { relay: login } = JSON.parse(readFileSync(cluster.keysFile, 'utf8')) as {
    relay: { jwt: string; seed: string };
  };
  const options = { address, ca: null, login, inboxPrefix: '_INBOX.relay', pingEveryMs: 20_000 };
  const connection = await NatsConnection.open(nats, options, new AbortController().signal);
  const stream = new EventStream(nats, connection, { replicas: 3, isRevoked: () => false });
  await stream.begin();
  return { connection, stream };
}

/** A consumer for each home, as a relay makes them. */
async function seatAll(connection: NatsConnection, homes: readonly string[]): Promise<void> {
  const nats = await loadNats();
  const manager = await nats.jetstreamManager(connection.raw, { checkAPI: false, timeout: 30_000 });
  await inParallel(homes.length, async (at) => {
    const home = homes[at] ?? '';
    await manager.consumers.add(STREAM, {
      durable_name: newSeat({ home, generation: 1 }),
      filter_subject: subjectOf(home),
      ack_policy: 'explicit',
      num_replicas: 1,
      max_ack_pending: 20,
    });
  });
}

/** Runs `act` so many times, or for the longest time of the bench; resolves with how often. */
async function inParallel(
  count: number,
  act: (at: number) => Promise<void>,
  longestMs = 300_000,
): Promise<number> {
  const until = performance.now() + longestMs;
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      while (next < count && performance.now() < until) {
        next += 1;
        await act(next - 1);
      }
    }),
  );
  return next;
}

let lastId = 0;

async function publishBarely(stream: EventStream, homes: readonly string[], load: number): Promise<Pace> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  await inParallel(load, async (at) => {
    const sentAt = performance.now();
    lastId += 1;
    await stream.publish(subjectOf(homes[at % homes.length] ?? ''), `bare-${String(lastId)}`, {
      payload: SEALED,
    });
    latenciesMs.push(performance.now() - sentAt);
  });
  return paceOf(latenciesMs, performance.now() - startedAt);
}

/** By requests to a relay, as the service sends them. */
async function deliver(
  broker: BenchBroker,
  folder: string,
  { homes, load }: { readonly homes: readonly string[]; readonly load: number },
  connections = AT_A_TIME,
): Promise<Pace> {
  const relay = await startRelay(join(folder, 'relay'), broker);
  const generator = startWorker('./load-generator.ts');
  try {
    const { x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
    const requests = Array.from({ length: load }, (_, at) => {
      lastId += 1;
      // Each request differs, because the broker would store equal ones once.
      const headers = { 'content-type': 'application/json', 'webhook-signature': String(lastId) };
      return requestBytes(relay.pathOf(homes[at % homes.length] ?? '', x), { headers, body: BODY });
    });
    const order = { port: relay.port, connections, requests, withinMs: LONGEST_MS };
    const sent = (await generator.ask(order satisfies Load)) as Sent;
    // A broker that is too slow for an answer in time has carried none, and the service would repeat them.
    const { 204: relayed = 0 } = sent.statuses;
    return { rate: (relayed * MS_PER_SECOND) / sent.tookMs, latenciesMs: sent.latenciesMs };
  } finally {
    generator.end();
    await relay.close();
  }
}

/** Deliveries alone: with its whole database to save each time, there is time for no more. */
async function onMosquitto(
  folder: string,
  homes: readonly string[],
  { load, waiting }: BesideLoad,
): Promise<{ empty: Pace; full: Pace }> {
  const place = join(folder, 'broker');
  const filling = await startMosquitto({ folder: place, lines: QUICK_TO_LOSE });
  await inParallel(homes.length, async (at) => {
    const home = homes[at] ?? '';
    const subscriber = await LightSubscriber.open(
      filling.port,
      { clientId: home, topic: topicOf(home) },
      () => {},
    );
    subscriber.close();
  });
  await filling.stop();
  const empty = await saved(folder, { homes, load });
  const again = await startMosquitto({ folder: place, lines: QUICK_TO_LOSE });
  const carrier = await connectedCarrier(again);
  await inParallel(waiting, async (at) => {
    await carrier.publish({ topic: topicOf(homes[at % homes.length] ?? ''), payload: SEALED });
  });
  await carrier.close();
  await again.stop();
  return { empty, full: await saved(folder, { homes, load }) };
}

async function saved(
  folder: string,
  load: { readonly homes: readonly string[]; readonly load: number },
): Promise<Pace> {
  const broker = await startMosquitto({ folder: join(folder, 'broker'), lines: DURABLE });
  try {
    return await deliver({ url: broker.url.href }, folder, load);
  } finally {
    await broker.kill();
  }
}

function paceOf(latenciesMs: readonly number[], tookMs: number): Pace {
  return { rate: (latenciesMs.length * MS_PER_SECOND) / tookMs, latenciesMs };
}

function memoryOf({ nodes }: NatsCluster): number {
  const all = nodes.map((node) => {
    const status = readFileSync(`/proc/${String(node.pid())}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/u.exec(status)?.[1] ?? 0) * 1_024;
  });
  return all.reduce((sum, bytes) => sum + bytes, 0);
}
