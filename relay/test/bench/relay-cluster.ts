// Deliveries over a cluster beside mosquitto, saved at every change: with nothing waiting, and with a mass outage's events.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NatsConnection } from '../../../src/nats/nats-connection.ts';
import { loadNats } from '../../../src/nats/nats-package.ts';
import { type Seat, STREAM, seatName, subjectOf } from '../../../src/nats/seat.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { readClusterAddress } from '../../../src/support/server/cluster-address.ts';
import { alone, compared, type Figure, percentile } from '../../../test/bench/figures.ts';
import type { Sent } from '../../../test/bench/load-generator.ts';
import { startMosquitto } from '../../../test/harness/mosquitto.ts';
import { LightSubscriber } from '../../../test/support/light-subscriber.ts';
import { clusterKeys, wholeKeys } from '../../src/cluster/cluster-accounts.ts';
import { EventStream } from '../../src/cluster/event-stream.ts';
import { topicOf } from '../../src/mqtt-relay-broker.ts';
import { type NatsCluster, startNats } from '../harness/nats-cluster.ts';
import { connectedCarrier, DURABLE, QUICK_TO_LOSE } from './relay-homes.ts';
import { AT_A_TIME, deliver, type HomesLoad, homeAt, inParallel, perSecond } from './relay-load.ts';
import { type BenchBroker, rssBytesOf } from './relay-program.ts';

export interface BesideLoad {
  readonly homes: number;
  /** Deliveries of each way. */
  readonly load: number;
  readonly waiting: number;
}

interface Pace extends Pick<Sent, 'latenciesMs'> {
  /** Acknowledged in a second. */
  readonly rate: number;
}

interface Paces {
  readonly bare: Pace;
  readonly relayed: Pace;
  /** One request after the other. */
  readonly single: Pace;
}

/** As large as the body is once it is encrypted. */
const SEALED = Buffer.alloc(700, 'x');
/** Requests of one connection, and what the goal allows each. */
const SINGLE = 300;
const MOST_P50_MS = 20;
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
    const { connection, stream, secret } = await openStream(cluster);
    const before = memoryOf(cluster);
    await seatAll(connection, homes, secret);
    const bytesPerHome = Math.round((memoryOf(cluster) - before) / cluster.nodes.length / homes.length);
    const broker = { url: cluster.url, keysFile: cluster.keysFile };
    const both = async (): Promise<Paces> => ({
      bare: await publishBarely(stream, homes, load),
      relayed: await relay(broker, folder, { homes, load }),
      single: await relay(broker, folder, { homes, load: Math.min(load, SINGLE) }, 1),
    });
    const empty = await both();
    await publishBarely(stream, homes, Math.max(0, waiting - 2 * load));
    const full = await both();
    await stream.stop();
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
  const keys = clusterKeys.parse(JSON.parse(readFileSync(cluster.keysFile, 'utf8')));
  const { relay: login, homes } = keys;
  const options = { address, ca: null, login, inboxPrefix: '_INBOX.relay', pingEveryMs: 20_000 };
  const connection = await NatsConnection.open(nats, options, new AbortController().signal);
  const stream = new EventStream({
    nats,
    connection,
    options,
    shape: { replicas: 3, homes: 100_000, events: 20_000_000, bytes: 40_000_000_000 },
    secret: homes.seed,
    homes: wholeKeys(keys),
    revoked: () => ({}),
    clock: systemClock,
    log: silentLog,
  });
  await stream.begin();
  return { connection, stream, secret: homes.seed };
}

/** A consumer for each home, as a relay makes them. */
async function seatAll(connection: NatsConnection, homes: readonly string[], secret: string): Promise<void> {
  const nats = await loadNats();
  const manager = await nats.jetstreamManager(connection.raw, { checkAPI: false, timeout: 30_000 });
  await inParallel(homes.length, async (at) => {
    const seat = seatAt(homes, at);
    await manager.consumers.add(STREAM, {
      durable_name: seatName(seat, secret),
      filter_subject: subjectOf(seat),
      ack_policy: 'explicit',
      num_replicas: 1,
      max_ack_pending: 20,
    });
  });
}

const seatAt = (homes: readonly string[], at: number): Seat => ({ home: homeAt(homes, at), generation: 1 });

let lastId = 0;

async function publishBarely(stream: EventStream, homes: readonly string[], load: number): Promise<Pace> {
  const { tookMs, latenciesMs } = await inParallel(load, async (at) => {
    lastId += 1;
    return stream.publish(seatAt(homes, at), `bare-${String(lastId)}`, { payload: SEALED });
  });
  return { rate: perSecond(latenciesMs.length, tookMs), latenciesMs };
}

/** A broker that is too slow for an answer in time has carried none, and the service would repeat them. */
async function relay(
  broker: BenchBroker,
  folder: string,
  load: HomesLoad,
  connections = AT_A_TIME,
): Promise<Pace> {
  const { relayed, tookMs, latenciesMs } = await deliver(broker, join(folder, 'relay'), load, connections);
  return { rate: perSecond(relayed, tookMs), latenciesMs };
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
    const session = { clientId: homeAt(homes, at), topic: topicOf(homeAt(homes, at)) };
    const subscriber = await LightSubscriber.open(filling.port, session, () => {});
    subscriber.close();
  });
  await filling.stop();
  const empty = await saved(folder, { homes, load });
  const again = await startMosquitto({ folder: place, lines: QUICK_TO_LOSE });
  const carrier = await connectedCarrier(again);
  await inParallel(waiting, async (at) =>
    carrier.publish({ topic: topicOf(homeAt(homes, at)), payload: SEALED }),
  );
  await carrier.close();
  await again.stop();
  return { empty, full: await saved(folder, { homes, load }) };
}

async function saved(folder: string, load: HomesLoad): Promise<Pace> {
  const broker = await startMosquitto({ folder: join(folder, 'broker'), lines: DURABLE });
  try {
    return await relay({ url: broker.url.href }, folder, load);
  } finally {
    await broker.kill();
  }
}

function memoryOf({ nodes }: NatsCluster): number {
  return nodes.reduce((sum, node) => sum + rssBytesOf(node.pid()), 0);
}
