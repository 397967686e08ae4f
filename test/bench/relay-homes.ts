// Many homes on one broker: deliveries a second through a relay against bare publishing, what the relay takes of a
// processor for each, and the broker's memory for each home.
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier } from '../../src/carrier/carrier.ts';
import { openMqttCarrier } from '../../src/mqtt/mqtt-carrier.ts';
import { loadMqtt } from '../../src/mqtt/mqtt-package.ts';
import { topicOf } from '../../src/relay/mqtt-relay-broker.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import type { Mosquitto } from '../harness/mosquitto.ts';
import { requestBytes } from '../support/signed-events.ts';
import { alone, compared, type Figure } from './figures.ts';
import type { Crowd, CrowdCount } from './home-crowd.ts';
import type { Load, Sent } from './load-generator.ts';
import { startRelay } from './relay-program.ts';
import { startWorker, type Worker } from './worker.ts';

const COMMON = [
  'max_queued_messages 0',
  'max_inflight_messages 20',
  'persistence true',
  'set_tcp_nodelay true',
];
/** As docs/relay.md asks for. */
export const DURABLE: readonly string[] = [...COMMON, 'autosave_on_changes true', 'autosave_interval 1'];
/** Loses what it acknowledged when it is killed. */
export const QUICK_TO_LOSE: readonly string[] = [...COMMON, 'autosave_interval 1800'];

const BODY = Buffer.from(JSON.stringify({ eventId: 'e-1', note: 'x'.repeat(300) }));
const AT_A_TIME = 64;
const LEAST_SHARE = 0.2;
const MOST_BYTES_PER_HOME = 20_000;
const ARRIVES_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;
/** A broker that saves at every change is slow with many sessions. */
const LONGEST_MS = 20_000;
const MS_PER_SECOND = 1_000;

export interface HomesLoad {
  readonly homes: number;
  /** Messages of each of the two ways. */
  readonly load: number;
}

interface Pace {
  readonly acknowledged: number;
  /** Acknowledged in a second. */
  readonly rate: number;
  /** Processor time of the publishing process for each, in milliseconds. */
  readonly cpuMs: number;
}

/** Homes, relay, load and broker have a process each; bare publishing alone runs in this one. */
export async function measureHomes(
  broker: Mosquitto,
  folder: string,
  { homes: count, load }: HomesLoad,
  name: string,
): Promise<readonly Figure[]> {
  const homes = Array.from({ length: count }, (_, at) => `home-${String(at)}`);
  const memoryBefore = memoryOf(broker);
  const crowd = startWorker('./home-crowd.ts');
  try {
    await crowd.ask({ port: broker.port, homes } satisfies Crowd);
    const bytesPerHome = (memoryOf(broker) - memoryBefore) / count;
    const bare = await publishBarely(broker, homes, load);
    const relayed = await deliver(broker, folder, homes, load);
    const acknowledged = bare.acknowledged + relayed.acknowledged;
    const { arrived, strays } = await arrival(crowd, acknowledged);
    const wrong = Math.max(0, acknowledged - arrived) + strays;
    return figuresOf(`${String(count)} homes, broker ${name}`, { bare, relayed, wrong, bytesPerHome });
  } finally {
    crowd.end();
  }
}

function figuresOf(
  words: string,
  {
    bare,
    relayed,
    wrong,
    bytesPerHome,
  }: { readonly bare: Pace; readonly relayed: Pace; readonly wrong: number; readonly bytesPerHome: number },
): readonly Figure[] {
  return [
    compared(
      {
        name: `deliveries a second, ${words} (limit: bare publishing)`,
        unit: '1/s',
        goal: `at least ${String(LEAST_SHARE)} of the bare broker's`,
      },
      { ours: [relayed.rate], limit: [bare.rate] },
      (ours, limit) => ours.p50 >= LEAST_SHARE * limit.p50,
    ),
    compared(
      {
        name: `processor time of the relay for a delivery, ${words} (limit: of the bare publisher)`,
        unit: 'ms',
        goal: 'beside it',
      },
      { ours: [relayed.cpuMs], limit: [bare.cpuMs] },
      () => true,
    ),
    alone(
      { name: `acknowledged and lost, or at another home, ${words}`, unit: 'n', goal: 'none' },
      [wrong],
      wrong === 0,
    ),
    alone(
      {
        name: `memory of the broker for each home, ${words}`,
        unit: 'bytes',
        goal: `at most ${String(MOST_BYTES_PER_HOME)}`,
      },
      [Math.round(bytesPerHome)],
      bytesPerHome <= MOST_BYTES_PER_HOME,
    ),
  ];
}

/** The same messages, unencrypted, by one client that does nothing else. */
async function publishBarely(broker: Mosquitto, homes: readonly string[], load: number): Promise<Pace> {
  const carrier = await connectedCarrier(broker);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let next = 0;
  let acknowledged = 0;
  const publish = async (): Promise<void> => {
    while (next < load && performance.now() - startedAt < LONGEST_MS) {
      next += 1;
      await carrier.publish({ topic: topicOf(homes[next % homes.length] ?? ''), payload: BODY });
      acknowledged += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, publish));
  const { user, system } = process.cpuUsage(cpuBefore);
  const pace = paceOf(acknowledged, performance.now() - startedAt, (user + system) / MS_PER_SECOND);
  await carrier.close();
  return pace;
}

/** By requests to a relay, as the service sends them. */
async function deliver(
  broker: Mosquitto,
  folder: string,
  homes: readonly string[],
  load: number,
): Promise<Pace> {
  const relay = await startRelay(folder, { url: broker.url.href });
  const generator = startWorker('./load-generator.ts');
  try {
    const { x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const requests = Array.from({ length: load }, (_, at) =>
      requestBytes(relay.pathOf(homes[at % homes.length] ?? '', x), { headers, body: BODY }),
    );
    const cpuBefore = relay.cpuMs();
    const sent = (await generator.ask({
      port: relay.port,
      connections: AT_A_TIME,
      requests,
      withinMs: LONGEST_MS,
    } satisfies Load)) as Sent;
    const { 204: relayed = 0, ...others } = sent.statuses;
    if (Object.keys(others).length > 0) {
      throw new Error(`Deliveries were answered with ${JSON.stringify(sent.statuses)}`);
    }
    return paceOf(relayed, sent.tookMs, relay.cpuMs() - cpuBefore);
  } finally {
    generator.end();
    await relay.close();
  }
}

function paceOf(acknowledged: number, tookMs: number, cpuMs: number): Pace {
  return { acknowledged, rate: (acknowledged * MS_PER_SECOND) / tookMs, cpuMs: cpuMs / acknowledged };
}

export async function connectedCarrier(broker: Mosquitto): Promise<Carrier> {
  const carrier = openMqttCarrier({
    mqtt: await loadMqtt(),
    options: {
      url: broker.url,
      tls: { ca: null, client: null },
      login: null,
      session: { clientId: 'bare', expirySeconds: 0, receiveAtMost: 1 },
      will: null,
      subscriptions: [],
    },
    clock: systemClock,
    random: Math.random,
    log: silentLog,
  });
  const connected = Promise.withResolvers<void>();
  carrier.subscribeState(({ kind }) => {
    if (kind === 'connected') {
      connected.resolve();
    }
  });
  await connected.promise;
  return carrier;
}

async function arrival(crowd: Worker, wanted: number): Promise<CrowdCount> {
  const until = performance.now() + ARRIVES_WITHIN_MS;
  for (;;) {
    const count = (await crowd.ask('count')) as CrowdCount;
    if (count.arrived >= wanted || performance.now() >= until) {
      return count;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function memoryOf(broker: Mosquitto): number {
  const status = readFileSync(`/proc/${String(broker.pid())}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/u.exec(status)?.[1] ?? 0) * 1_024;
}
