// What a relay costs: a webhook through relay and broker to Home, against a listener of the home's own; and many homes.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readEnrolment, writeEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { Contestant } from '../../../test/bench/contestant.ts';
import { compared, type Figure } from '../../../test/bench/figures.ts';
import { Messenger } from '../../../test/bench/messenger.ts';
import { both, inTurns } from '../../../test/bench/pair.ts';
import { hasMosquitto, type Mosquitto, startMosquitto } from '../../../test/harness/mosquitto.ts';
import { newServiceKey } from '../../../test/support/signed-events.ts';
import { enrolAtBroker } from '../../src/enrol-home.ts';
import { readRelayConfig } from '../../src/relay-config.ts';
import { hasNats, startNats } from '../harness/nats-cluster.ts';
import { measureSideBySide } from './relay-cluster.ts';
import { DURABLE, measureHomes, QUICK_TO_LOSE } from './relay-homes.ts';
import { type BenchBroker, type RelayProgram, startRelay } from './relay-program.ts';

export interface RelayRounds {
  /** One after the other, to one home. */
  readonly deliveries: number;
  /** Homes on one broker that saves now and then, and deliveries to them. */
  readonly homes: number;
  readonly load: number;
  /** Events that wait for homes that are away. */
  readonly waiting: number;
  /** Homes on a broker that saves its whole database at every change. */
  readonly durableHomes: number;
}

export interface RelayOptions {
  readonly folder: string;
  readonly pluginsFolder: string;
}

/** The goal of a person who looks at Home is half a second; hap-nodejs holds events for half of it. */
const MOST_P99_MS = 250;
/** On top of a listener, in milliseconds: the relay, two messages at the broker, and decrypting (our choice). */
const MOST_BEYOND_MS = 25;
const WARM_UP = 50;
const LOCKS = 8;
/** A connection to the broker and its session. */
const CONNECTED_WITHIN_MS = 30_000;

/** Empty where mosquitto is missing. */
export async function measureRelay(options: RelayOptions, rounds: RelayRounds): Promise<readonly Figure[]> {
  if (!hasMosquitto) {
    return [];
  }
  const toHome = await withBroker(join(options.folder, 'one'), DURABLE, async (broker) =>
    measureOne(options, { url: broker.url.href }, { count: rounds.deliveries, over: 'mosquitto' }),
  );
  const { homes, durableHomes, load } = rounds;
  const durable = await withBroker(join(options.folder, 'durable'), DURABLE, async (broker) =>
    measureHomes(
      broker,
      join(options.folder, 'durable'),
      { homes: durableHomes, load },
      'saved at every change',
    ),
  );
  const quick: Figure[] = [];
  for (const count of [durableHomes, homes]) {
    const folder = join(options.folder, `quick-${String(count)}`);
    const measured = await withBroker(folder, QUICK_TO_LOSE, async (broker) =>
      measureHomes(broker, folder, { homes: count, load }, 'saved now and then'),
    );
    quick.push(...measured);
  }
  return [toHome, ...durable, ...quick, ...(await measureClusters(options, rounds))];
}

/** Empty where nats-server is missing. */
async function measureClusters(options: RelayOptions, rounds: RelayRounds): Promise<readonly Figure[]> {
  if (!hasNats) {
    return [];
  }
  const { homes, load, waiting } = rounds;
  const cluster = await startNats({ folder: join(options.folder, 'cluster-one') });
  const broker = { url: cluster.url, keysFile: cluster.keysFile };
  const toHome = await measureOne(options, broker, { count: rounds.deliveries, over: 'a cluster' }).finally(
    () => {
      void cluster.close();
    },
  );
  return [toHome, ...(await measureSideBySide(join(options.folder, 'beside'), { homes, load, waiting }))];
}

async function withBroker<T>(
  folder: string,
  lines: readonly string[],
  act: (broker: Mosquitto) => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const broker = await startMosquitto({ folder: join(folder, 'broker'), lines });
  try {
    return await act(broker);
  } finally {
    await broker.stop();
  }
}

async function measureOne(
  options: RelayOptions,
  broker: BenchBroker,
  { count, over }: { readonly count: number; readonly over: string },
): Promise<Figure> {
  const { privateKey, publicKeyPem } = newServiceKey();
  const relay = await startRelay(options.folder, broker);
  const { line, url } = await enrol(relay);
  const common = { ...options, side: 'ours', locks: LOCKS } as const;
  const webhooks = { publicKeyPem, fastEvents: false };
  const direct = await Contestant.open({ ...common, folder: `${options.folder}-direct-${over}`, webhooks });
  const relayed = await Contestant.open({
    ...common,
    folder: `${options.folder}-${over}`,
    webhooks: { ...webhooks, enrolment: line },
  });
  try {
    await relayed.homebridge.line(/Webhooks are received/, CONNECTED_WITHIN_MS);
    const far = new Messenger(relayed, privateKey, url);
    const near = new Messenger(direct, privateKey);
    const pair = { ours: relayed, limit: direct };
    await both(pair, async (contestant) => contestant.holdEvents(0));
    const measure = async (contestant: Contestant, round: number): Promise<number> =>
      (await (contestant === relayed ? far : near).turn(round)).toHomeMs;
    await inTurns(WARM_UP, pair, measure);
    const samples = await inTurns(count, pair, measure);
    return compared(
      {
        name: `webhook to its event in Home through a relay on ${over}, hold removed (limit: to a listener)`,
        unit: 'ms',
        goal: `p50 at most ${String(MOST_BEYOND_MS)} ms beyond the listener's, p99 at most ${String(MOST_P99_MS)} ms`,
      },
      samples,
      (ours, limit) => ours.p50 <= limit.p50 + MOST_BEYOND_MS && ours.p99 <= MOST_P99_MS,
    );
  } finally {
    await Promise.all([direct.close(), relayed.close(), relay.close()]);
  }
}

async function enrol({ configFile }: RelayProgram): Promise<{ readonly line: string; readonly url: string }> {
  const config = readRelayConfig(configFile);
  const { line } = await enrolAtBroker(config, { home: 'blue', generation: 1, withAddress: true });
  const enrolment = readEnrolment(line);
  if (enrolment === null || enrolment.url === null) {
    throw new Error('The enrolment line cannot be read');
  }
  // The bench's service takes no registrations; the address is the same.
  return { line: writeEnrolment({ ...enrolment, url: null }), url: enrolment.url };
}
