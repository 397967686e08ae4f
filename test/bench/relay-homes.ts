// Many homes on one broker: deliveries a second through the relay's code against bare publishing, and memory for each home.
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Carrier } from '../../src/mqtt/carrier.ts';
import { openMqttCarrier } from '../../src/mqtt/mqtt-carrier.ts';
import { loadMqtt } from '../../src/mqtt/mqtt-package.ts';
import { HomeDeliveries, topicOf } from '../../src/relay/relay-delivery.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import type { Mosquitto } from '../harness/mosquitto.ts';
import { LightSubscriber } from '../support/light-subscriber.ts';
import { alone, compared, type Figure } from './figures.ts';

const COMMON = ['max_queued_messages 0', 'max_inflight_messages 20', 'persistence true'];
/** As docs/relay.md asks for. */
export const DURABLE: readonly string[] = [...COMMON, 'autosave_on_changes true', 'autosave_interval 1'];
/** Loses what it acknowledged when it is killed. */
export const QUICK_TO_LOSE: readonly string[] = [...COMMON, 'autosave_interval 1800'];

const BODY = Buffer.from(JSON.stringify({ eventId: 'e-1', note: 'x'.repeat(300) }));
const AT_A_TIME = 64;
const OPENED_AT_ONCE = 100;
const LEAST_SHARE = 0.2;
const MOST_BYTES_PER_HOME = 20_000;
const ARRIVES_WITHIN_MS = 60_000;
/** A broker that saves at every change is slow with many sessions. */
const LONGEST_MS = 20_000;
const MS_PER_SECOND = 1_000;

interface Load {
  readonly homes: number;
  readonly load: number;
}

export async function measureHomes(
  broker: Mosquitto,
  { homes, load }: Load,
  name: string,
): Promise<readonly Figure[]> {
  const { x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  const targets = Array.from({ length: homes }, (_, at) => ({ home: `home-${String(at)}`, publicKey: x }));
  const before = memoryOf(broker);
  const counts = new Map<string, number>();
  let strays = 0;
  const subscribers = await connectAll(broker, targets, (home, topic) => {
    strays += topic === topicOf(home) ? 0 : 1;
    counts.set(home, (counts.get(home) ?? 0) + 1);
  });
  const bytesPerHome = (memoryOf(broker) - before) / homes;
  const carrier = await connectedCarrier(broker);
  const limits = { burst: 1_000_000, perMinute: 60_000_000, waiting: 100_000 };
  const deliveries = new HomeDeliveries(carrier, { encrypt: true, limits }, systemClock);
  const bare = await perSecond(load, async (at) => {
    const { home = '' } = targets[at % homes] ?? {};
    return carrier.publish({ topic: topicOf(home), payload: BODY }).then(
      () => true,
      () => false,
    );
  });
  const relayed = await perSecond(load, async (at) => {
    const target = targets[at % homes];
    const outcome = await deliveries.deliver(
      { bytes: BODY, headers: {} },
      target === undefined ? [] : [target],
    );
    return outcome.answer === 'relayed';
  });
  const acknowledged = bare.acknowledged + relayed.acknowledged;
  const lost = Math.max(0, acknowledged - (await arrived(counts, acknowledged)));
  await carrier.close();
  for (const subscriber of subscribers) {
    subscriber.close();
  }
  const words = `${String(homes)} homes, broker ${name}`;
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
    alone(
      { name: `acknowledged and lost, or at another home, ${words}`, unit: 'n', goal: 'none' },
      [strays + lost],
      strays + lost === 0,
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

async function connectAll(
  broker: Mosquitto,
  targets: readonly { readonly home: string }[],
  onMessage: (home: string, topic: string) => void,
): Promise<readonly LightSubscriber[]> {
  const subscribers: LightSubscriber[] = [];
  for (let from = 0; from < targets.length; from += OPENED_AT_ONCE) {
    const opened = targets.slice(from, from + OPENED_AT_ONCE).map(async ({ home }) =>
      LightSubscriber.open(broker.port, { clientId: home, topic: topicOf(home) }, (topic) => {
        onMessage(home, topic);
      }),
    );
    subscribers.push(...(await Promise.all(opened)));
  }
  return subscribers;
}

async function connectedCarrier(broker: Mosquitto): Promise<Carrier> {
  const carrier = openMqttCarrier({
    mqtt: await loadMqtt('/'),
    options: {
      url: broker.url,
      tls: { ca: null, client: null },
      login: null,
      session: { clientId: 'relay', expirySeconds: 0, receiveAtMost: 1 },
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

interface Pace {
  readonly acknowledged: number;
  /** Acknowledged in a second. */
  readonly rate: number;
}

/** `act`: false when it was not acknowledged. */
async function perSecond(count: number, act: (at: number) => Promise<boolean>): Promise<Pace> {
  let next = 0;
  let acknowledged = 0;
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    while (next < count && performance.now() - startedAt < LONGEST_MS) {
      next += 1;
      const isAcknowledged = await act(next);
      // Only now: what was read before the pause would undo what others have counted meanwhile.
      acknowledged += isAcknowledged ? 1 : 0;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return { acknowledged, rate: (acknowledged * MS_PER_SECOND) / (performance.now() - startedAt) };
}

async function arrived(counts: ReadonlyMap<string, number>, wanted: number): Promise<number> {
  const until = performance.now() + ARRIVES_WITHIN_MS;
  const total = (): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
  while (total() < wanted && performance.now() < until) {
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  return total();
}

function memoryOf(broker: Mosquitto): number {
  const status = readFileSync(`/proc/${String(broker.pid())}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/u.exec(status)?.[1] ?? 0) * 1_024;
}
