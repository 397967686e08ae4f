// `npm run bench`: the built and packed plugin in a real Homebridge against the least plugin that could do the same. Every
// goal that is missed is printed as missed, and the program then ends with status 1. See docs/develop/bench.md.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ConnectedRounds, measureConnectedHomes } from '../../relay/test/bench/connected-homes.ts';
import { measureRelay, type RelayRounds } from '../../relay/test/bench/relay.ts';
import { createRandom } from '../../simulator/src/world/random.ts';
import { packPlugin } from '../harness/packed-plugin.ts';
import { newServiceKey } from '../support/signed-events.ts';
import { measureJams, measurePolling } from './commands.ts';
import { closeEverything, layOutLimit } from './contestant.ts';
import { measureCredentials } from './credentials.ts';
import { type Figure, table } from './figures.ts';
import { measureFirstStarts } from './first-start.ts';
import { measureHealing } from './heal.ts';
import { measureHistory } from './history.ts';
import { IdlePairs, type IdleTimes } from './idle.ts';
import { type MatterRounds, measureMatterDelays, measureMatterMemory } from './matter.ts';
import { measureMatterFailures, measureMatterRestarts } from './matter-truth.ts';
import { type MqttRounds, measureMqtt } from './mqtt.ts';
import { measurePages, type PageRounds } from './pages.ts';
import { both, openPair, type Pair, type PairOptions } from './pair.ts';
import { measurePush, type PushRounds } from './push.ts';
import { measureReads, type ReadRounds } from './reads.ts';
import { measureStart } from './start.ts';
import { measureSlowStorage, measureWrites } from './writes.ts';

/** The time for which hap-nodejs holds events, in milliseconds (its `EVENT_COALESCING_DELAY`). */
const STOCK_HOLD_MS = 250;

/** A HAP bridge shows 150 accessories, itself among them. */
const MOST_LOCKS = 149;

/** Ours lists the locks of the busy pair only when it has a reason to, so that every call can be distinguished from a poll. */
const SELDOM_SECONDS = 3_600;

/** Seeds of random patterns are whole numbers below this. */
const MOST_SEED = 2 ** 31;

const JAM_GOALS = { removedMs: 500, stockMs: 800 } as const;

interface Sizes {
  readonly polled: number;
  readonly jams: number;
  readonly reads: ReadRounds;
  readonly taps: number;
  readonly slowTaps: number;
  readonly starts: number;
  readonly push: PushRounds;
  /** Patterns of deliveries that go wrong. */
  readonly badDays: number;
  readonly matter: MatterRounds;
  readonly mqtt: MqttRounds;
  readonly pages: PageRounds;
  readonly relay: RelayRounds;
  readonly connected: ConnectedRounds;
  readonly idle: IdleTimes;
}

const FULL: Sizes = {
  polled: 100,
  jams: 100,
  reads: { one: 2_000, all: 300 },
  taps: 400,
  slowTaps: 30,
  starts: 10,
  push: { delay: { held: 60, fast: 1_000 }, ingest: { lots: 6, eventsPerLot: 5_000 } },
  badDays: 100,
  matter: { reports: 200, commands: 200, memoryAfterMs: 30_000, truth: { commands: 1_000, restarts: 20 } },
  mqtt: { turns: 1_000 },
  pages: { losses: 20, idleMs: 600_000, paints: 20, crowds: true },
  relay: { deliveries: 500, homes: 10_000, load: 10_000, waiting: 200_000, durableHomes: 500 },
  connected: { homes: 1_000, idleMs: 30_000, turns: 10, turnMs: 10_000 },
  idle: { memoryAfterMs: 60_000, idleMs: 600_000 },
};

/** Everything runs, and nothing long enough to be trusted. */
const QUICK: Sizes = {
  polled: 8,
  jams: 8,
  reads: { one: 300, all: 60 },
  taps: 40,
  slowTaps: 5,
  starts: 3,
  push: { delay: { held: 8, fast: 100 }, ingest: { lots: 2, eventsPerLot: 1_000 } },
  badDays: 20,
  matter: { reports: 30, commands: 30, memoryAfterMs: 5_000, truth: { commands: 50, restarts: 2 } },
  mqtt: { turns: 100 },
  pages: { losses: 3, idleMs: 20_000, paints: 3, crowds: true },
  relay: { deliveries: 100, homes: 1_000, load: 1_000, waiting: 5_000, durableHomes: 100 },
  connected: { homes: 100, idleMs: 5_000, turns: 2, turnMs: 2_000 },
  idle: { memoryAfterMs: 10_000, idleMs: 60_000 },
};

/** What can be measured by itself, in the order in which it is; `idle` goes on beside the others, in pairs of its own. */
const PARTS = [
  'reads',
  'polling',
  'jams',
  'writes',
  'slow-disk',
  'starts',
  'first-starts',
  'webhooks',
  'healing',
  'credentials',
  'history',
  'matter-delays',
  'matter-memory',
  'matter-failures',
  'matter-restarts',
  'mqtt',
  'pages',
  'pages-crowded',
  'pages-lost',
  'pages-idle',
  'relay',
  'relay-homes',
  'idle',
] as const;
type Part = (typeof PARTS)[number];

/** Parts that need no plugin in a Homebridge. */
const ALONE: ReadonlySet<Part> = new Set<Part>([
  'credentials',
  'history',
  'pages',
  'pages-crowded',
  'pages-lost',
  'pages-idle',
  'relay-homes',
]);

interface BenchOptions {
  readonly quick: boolean;
  readonly json: boolean;
  readonly holdMs: number;
  readonly seed: string;
  readonly parts: readonly Part[];
}

/** `matter` stands for all of its parts, which take longer together than some machines are free. */
function isPartOf(part: Part, name: string): boolean {
  return part === name || (name === 'matter' && part.startsWith(`${name}-`));
}

function readBenchOptions(): BenchOptions {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      coalesce: { type: 'string', default: String(STOCK_HOLD_MS) },
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      only: { type: 'string', multiple: true, default: [] },
    },
  });
  const holdMs = Number(values.coalesce);
  if (!Number.isInteger(holdMs) || holdMs < 0) {
    throw new Error(`--coalesce takes whole milliseconds, such as 0; it was ${values.coalesce}`);
  }
  const strange = values.only.find((name) => !PARTS.some((part) => isPartOf(part, name)));
  if (strange !== undefined) {
    throw new Error(`--only takes ${PARTS.join(', ')}, or matter for all of its parts; it was ${strange}`);
  }
  const parts = PARTS.filter(
    (part) => values.only.length === 0 || values.only.some((name) => isPartOf(part, name)),
  );
  return { ...values, holdMs, parts };
}

/**
 * Ours listens for webhooks as the limit does, though nothing comes: what a listener costs, both pay. No service knows the
 * key.
 */
function listening<T extends object>(options: T): T & Required<Pick<PairOptions, 'webhooks'>> {
  return { ...options, webhooks: { publicKeyPem: newServiceKey().publicKeyPem, fastEvents: false } };
}

/** On standard error, so that standard output is the result alone. */
function say(line: string): void {
  console.error(line);
}

function prepare(folder: string): Omit<PairOptions, 'locks'> {
  say('Building and packing the plugin.');
  const build = join(import.meta.dirname, '..', '..', 'scripts', 'build.ts');
  execFileSync(process.execPath, [build], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ours = join(folder, 'packed');
  const limit = join(folder, 'limit');
  mkdirSync(ours);
  mkdirSync(limit);
  layOutLimit(limit);
  return { folder: join(folder, 'store'), pluginsFolders: { ours: packPlugin(ours).pluginsFolder, limit } };
}

/** What is said before it, and the measuring. */
type Measure = readonly [words: string, measure: () => Promise<readonly Figure[]>];

/** Everything but the idling; one pair, opened when it is first needed, is kept busy by most of it. */
function measures(
  options: Omit<PairOptions, 'locks'>,
  sizes: Sizes,
  { holdMs, seed }: BenchOptions,
): Readonly<Record<Exclude<Part, 'idle'>, Measure>> {
  const seldom = { ...options, locks: MOST_LOCKS, idleSeconds: SELDOM_SECONDS };
  const ours = (name: string) => ({
    folder: `${options.folder}-${name}`,
    pluginsFolder: options.pluginsFolders.ours,
  });
  let opened: Promise<Pair> | null = null;
  const busy = async (): Promise<Pair> => (opened ??= openPair(seldom));
  // Each draws for itself, so that it draws the same with and without the others.
  const draws = (part: Part): (() => number) => {
    const random = createRandom(`${seed} ${part}`);
    return () => random.next();
  };
  const { pages } = sizes;
  return {
    reads: ['Reading.', async () => measureReads(await busy(), sizes.reads)],
    polling: [
      `Moving bolts by polling alone; the travels are drawn from --seed ${seed}.`,
      async () => measurePolling(await busy(), { commands: sizes.polled, random: draws('polling') }),
    ],
    jams: [
      'Jamming bolts.',
      async () => {
        const jams = { commands: sizes.jams, random: draws('jams') };
        const removed = { holdMs: 0, mostMs: JAM_GOALS.removedMs, name: 'hold removed' };
        const held = { holdMs, mostMs: JAM_GOALS.stockMs, name: `held ${String(holdMs)} ms` };
        return [await measureJams(await busy(), jams, removed), await measureJams(await busy(), jams, held)];
      },
    ],
    writes: ['Writing.', async () => measureWrites(await busy(), sizes.taps)],
    'slow-disk': ['Writing to a slow disk.', async () => measureSlowStorage(await busy(), sizes.slowTaps)],
    starts: [
      'Starting again and again.',
      async () => {
        const pair = await openPair(listening({ ...seldom, folder: `${options.folder}-starts` }));
        const figures = await measureStart(pair, sizes.starts);
        await both(pair, async (contestant) => contestant.close());
        return figures;
      },
    ],
    'first-starts': [
      'Starting for the first time, with more and more locks.',
      async () => measureFirstStarts({ ...options, folder: `${options.folder}-first` }),
    ],
    webhooks: [
      'Telling of turns by webhooks.',
      async () => {
        const circumstances = { holdMs, random: draws('webhooks') };
        return measurePush({ ...seldom, folder: `${options.folder}-push` }, sizes.push, circumstances);
      },
    ],
    credentials: ['Importing credentials.', measureCredentials],
    history: ['Filling and reading the archive.', measureHistory],
    ...matterMeasures({ ...options, folder: `${options.folder}-matter` }, sizes.matter),
    mqtt: ['Telling a broker of turns.', async () => measureMqtt(ours('mqtt'), sizes.mqtt)],
    pages: ['Opening pages and scrolling them.', async () => measurePages({ paints: pages.paints })],
    'pages-crowded': ['Turning 149 locks at once.', async () => measurePages({ crowds: pages.crowds })],
    'pages-lost': [
      'Losing what is between pages and locks.',
      async () => measurePages({ losses: pages.losses }),
    ],
    'pages-idle': ['Leaving pages alone.', async () => measurePages({ idleMs: pages.idleMs })],
    relay: ['Passing webhooks through a relay.', async () => measureRelay(ours('relay'), sizes.relay)],
    'relay-homes': [
      'Connecting homes to a cluster.',
      async () => measureConnectedHomes(join(options.folder, 'connected'), sizes.connected),
    ],
    healing: [
      'Losing webhooks.',
      async () => measureHealing(sizes.badDays, Math.floor(draws('healing')() * MOST_SEED)),
    ],
  };
}

type MatterPart = Extract<Part, `matter-${string}`>;

function matterMeasures(
  { folder, pluginsFolders }: Omit<PairOptions, 'locks'>,
  rounds: MatterRounds,
): Readonly<Record<MatterPart, Measure>> {
  const ours = { folder, pluginsFolder: pluginsFolders.ours };
  return {
    'matter-delays': ['Showing locks over Matter.', async () => measureMatterDelays(ours, rounds)],
    'matter-memory': [
      'Weighing locks over Matter.',
      async () => measureMatterMemory({ folder, pluginsFolders }, rounds),
    ],
    'matter-failures': [
      'Failing commands over Matter.',
      async () => measureMatterFailures(ours, rounds.truth),
    ],
    'matter-restarts': [
      'Starting again with doors that were opened meanwhile.',
      async () => measureMatterRestarts(ours, rounds.truth),
    ],
  };
}

async function measureAll(
  options: Omit<PairOptions, 'locks'>,
  sizes: Sizes,
  wanted: BenchOptions,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  let idling: Promise<readonly Figure[]> = Promise.resolve([]);
  if (wanted.parts.includes('idle')) {
    say('Opening a pair of every size, which idle while the rest is measured.');
    const { webhooks, ...rest } = listening({ ...options, folder: `${options.folder}-idle` });
    const idlers = await IdlePairs.open(rest, webhooks, sizes.idle);
    idling = idlers.measure();
    idling.catch(() => {
      // Awaited below; until then its failure is not news for the process.
    });
  }
  const others = measures(options, sizes, wanted);
  for (const part of wanted.parts.filter((name) => name !== 'idle')) {
    const [words, measure] = others[part];
    say(words);
    figures.push(...(await measure()));
  }
  say('Waiting for the idle time to end.');
  return [...figures, ...(await idling)];
}

const wanted = readBenchOptions();
const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'));

async function tidyUp(): Promise<void> {
  await closeEverything();
  rmSync(folder, { recursive: true, force: true });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void tidyUp().finally(() => {
      process.exit(1);
    });
  });
}
try {
  const isAlone = wanted.parts.every((part) => ALONE.has(part));
  const options = isAlone ? { folder, pluginsFolders: { ours: folder, limit: folder } } : prepare(folder);
  const figures = await measureAll(options, wanted.quick ? QUICK : FULL, wanted);
  console.log(wanted.json ? JSON.stringify(figures, null, 2) : table(figures));
  if (!figures.every(({ met }) => met)) {
    process.exitCode = 1;
  }
} finally {
  await tidyUp();
}
