// Many homes on one broker: deliveries a second through a relay against bare publishing, what the relay takes of a
// processor for each, and the broker's memory for each home.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier } from '../../../src/carrier/carrier.ts';
import { openMqttCarrier } from '../../../src/mqtt/mqtt-carrier.ts';
import { loadMqtt } from '../../../src/mqtt/mqtt-package.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { alone, compared, type Figure, none } from '../../../test/bench/figures.ts';
import { startWorker, type Worker } from '../../../test/bench/worker.ts';
import type { Mosquitto } from '../../../test/harness/mosquitto.ts';
import { topicOf } from '../../src/mqtt-relay-broker.ts';
import type { Crowd, CrowdCount } from './home-crowd.ts';
import { BODY, deliver, type HomesLoad, homeAt, inParallel, LONGEST_MS, perSecond } from './relay-load.ts';
import { rssBytesOf } from './relay-program.ts';

const COMMON = [
  'max_queued_messages 0',
  'max_inflight_messages 20',
  'persistence true',
  'set_tcp_nodelay true',
];
/** As relay/README.md asks for. */
export const DURABLE: readonly string[] = [...COMMON, 'autosave_on_changes true', 'autosave_interval 1'];
/** Loses what it acknowledged when it is killed. */
export const QUICK_TO_LOSE: readonly string[] = [...COMMON, 'autosave_interval 1800'];

const LEAST_SHARE = 0.2;
const MOST_BYTES_PER_HOME = 20_000;
const ARRIVES_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;
const US_PER_MS = 1_000;
export interface CrowdLoad {
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
  { homes: count, load }: CrowdLoad,
  name: string,
): Promise<readonly Figure[]> {
  const homes = Array.from({ length: count }, (_, at) => `home-${String(at)}`);
  const memoryBefore = rssBytesOf(broker.pid());
  const crowd = startWorker(new URL('./home-crowd.ts', import.meta.url));
  try {
    await crowd.ask({ port: broker.port, homes } satisfies Crowd);
    const bytesPerHome = (rssBytesOf(broker.pid()) - memoryBefore) / count;
    const bare = await publishBarely(broker, homes, load);
    const relayed = await relay(broker, folder, { homes, load });
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
  measured: Readonly<Record<'bare' | 'relayed', Pace> & Record<'wrong' | 'bytesPerHome', number>>,
): readonly Figure[] {
  const { bare, relayed, wrong, bytesPerHome } = measured;
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
    none(`acknowledged and lost, or at another home, ${words}`, 'n', wrong),
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
  const { tookMs, latenciesMs } = await inParallel(
    load,
    async (at) => carrier.publish({ topic: topicOf(homeAt(homes, at)), payload: BODY }),
    LONGEST_MS,
  );
  const { user, system } = process.cpuUsage(cpuBefore);
  const pace = paceOf(latenciesMs.length, tookMs, (user + system) / US_PER_MS);
  await carrier.close();
  return pace;
}

async function relay(broker: Mosquitto, folder: string, load: HomesLoad): Promise<Pace> {
  const { relayed, tookMs, statuses, cpuMs } = await deliver({ url: broker.url.href }, folder, load);
  if (Object.keys(statuses).some((status) => status !== '204')) {
    throw new Error(`Deliveries were answered with ${JSON.stringify(statuses)}`);
  }
  return paceOf(relayed, tookMs, cpuMs);
}

function paceOf(acknowledged: number, tookMs: number, cpuMs: number): Pace {
  return { acknowledged, rate: perSecond(acknowledged, tookMs), cpuMs: cpuMs / acknowledged };
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
