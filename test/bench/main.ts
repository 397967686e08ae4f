// `npm run bench`: the built and packed plugin in a real Homebridge against the least plugin that could do the same. Every
// goal that is missed is printed as missed, and the program then ends with status 1. See docs/bench.md.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createChance } from '../../src/simulator/world/chance.ts';
import { packPlugin } from '../harness/packed-plugin.ts';
import { measureJams, measurePolling } from './commands.ts';
import { closeEverything, layOutLimit } from './contestant.ts';
import { type Figure, table } from './figures.ts';
import { measureHealing } from './heal.ts';
import { IdlePairs, type IdleTimes } from './idle.ts';
import { openPair, type PairOptions } from './pair.ts';
import { measurePush, type PushRounds } from './push.ts';
import { measureReads, type ReadRounds } from './reads.ts';
import { measureStart } from './start.ts';
import { measureSlowStorage, measureWrites } from './writes.ts';

/** hap-nodejs holds events so long, in milliseconds (its `EVENT_COALESCING_DELAY`). */
const STOCK_HOLD_MS = 250;

/** A HAP bridge shows 150 accessories, itself among them. */
const MOST_LOCKS = 149;

/** Ours lists the locks of the busy pair only when it has a reason to, so that every call can be told from a poll. */
const SELDOM_SECONDS = 3_600;

/** Seeds of random patterns are whole numbers below this. */
const MOST_SEED = 2 ** 31;

const JAM_GOALS = { removedMs: 500, stockMs: 800 } as const;

interface Sizes {
  readonly polled: number;
  readonly jams: number;
  readonly reads: ReadRounds;
  readonly taps: number;
  readonly pauses: number;
  readonly slowTaps: number;
  readonly starts: number;
  readonly push: PushRounds;
  /** Patterns of deliveries that go wrong. */
  readonly badDays: number;
  readonly idle: IdleTimes;
}

const FULL: Sizes = {
  polled: 100,
  jams: 100,
  reads: { one: 2_000, all: 300 },
  taps: 400,
  pauses: 12,
  slowTaps: 30,
  starts: 10,
  push: { delay: { held: 60, quick: 1_000 }, ingest: { lots: 6, eventsPerLot: 5_000 } },
  badDays: 100,
  idle: { memoryAfterMs: 60_000, idleMs: 600_000 },
};

/** Everything runs, and nothing long enough to be trusted. */
const QUICK: Sizes = {
  polled: 8,
  jams: 8,
  reads: { one: 300, all: 60 },
  taps: 40,
  pauses: 3,
  slowTaps: 5,
  starts: 3,
  push: { delay: { held: 8, quick: 100 }, ingest: { lots: 2, eventsPerLot: 1_000 } },
  badDays: 20,
  idle: { memoryAfterMs: 10_000, idleMs: 60_000 },
};

interface Wishes {
  readonly quick: boolean;
  readonly json: boolean;
  readonly holdMs: number;
  readonly seed: string;
}

function wishes(): Wishes {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      coalesce: { type: 'string', default: String(STOCK_HOLD_MS) },
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
    },
  });
  const holdMs = Number(values.coalesce);
  if (!Number.isInteger(holdMs) || holdMs < 0) {
    throw new Error(`--coalesce takes whole milliseconds, such as 0; it was ${values.coalesce}`);
  }
  return { ...values, holdMs };
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

async function measureAll(
  options: Omit<PairOptions, 'locks'>,
  sizes: Sizes,
  wanted: Wishes,
): Promise<Figure[]> {
  const { holdMs, seed } = wanted;
  const chance = createChance(seed);
  const draw = (): number => chance.next();
  say('Opening a pair of every size, which idle while the rest is measured.');
  const idlers = await IdlePairs.open({ ...options, folder: `${options.folder}-idle` }, sizes.idle);
  const busy = await openPair({ ...options, locks: MOST_LOCKS, idleSeconds: SELDOM_SECONDS });
  const idling = idlers.measure();
  idling.catch(() => {
    // Awaited below; until then its failure is not news for the process.
  });
  say('Reading.');
  const reads = await measureReads(busy, sizes.reads);
  say(`Moving bolts by polling alone; the travels are drawn from --seed ${seed}.`);
  const polled = await measurePolling(busy, { commands: sizes.polled, chance: draw });
  say('Jamming bolts.');
  const jams = { commands: sizes.jams, chance: draw };
  const removed = { holdMs: 0, mostMs: JAM_GOALS.removedMs, name: 'hold removed' };
  const held = { holdMs, mostMs: JAM_GOALS.stockMs, name: `held ${String(holdMs)} ms` };
  const jammed = [await measureJams(busy, jams, removed), await measureJams(busy, jams, held)];
  say('Writing.');
  const writes = await measureWrites(busy, sizes);
  say('Writing to a slow disk.');
  const slow = await measureSlowStorage(busy, sizes.slowTaps);
  say('Starting again and again.');
  const starts = await measureStart(busy, sizes.starts);
  say('Telling of turns by webhooks.');
  const told = {
    ...options,
    folder: `${options.folder}-push`,
    locks: MOST_LOCKS,
    idleSeconds: SELDOM_SECONDS,
  };
  const pushed = await measurePush(told, sizes.push, { holdMs, chance: draw });
  say('Losing webhooks.');
  const healed = await measureHealing(sizes.badDays, Math.floor(draw() * MOST_SEED));
  say('Waiting for the idle time to end.');
  const busyFigures = [...reads, ...writes, ...polled, ...jammed, ...starts];
  return [...busyFigures, ...pushed, ...healed, ...(await idling), ...slow];
}

const wanted = wishes();
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
  const figures = await measureAll(prepare(folder), wanted.quick ? QUICK : FULL, wanted);
  console.log(wanted.json ? JSON.stringify(figures, null, 2) : table(figures));
  if (!figures.every(({ met }) => met)) {
    process.exitCode = 1;
  }
} finally {
  await tidyUp();
}
