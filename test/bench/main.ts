// `npm run bench`: the built and packed plugin in a real Homebridge against the least plugin that could do the same. Every
// goal that is missed is printed as missed, and the program then ends with status 1. See docs/bench.md.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../../src/simulator/world/random.ts';
import { packPlugin } from '../harness/packed-plugin.ts';
import { measureJams, measurePolling } from './commands.ts';
import { closeEverything, layOutLimit } from './contestant.ts';
import { measureCredentials } from './credentials.ts';
import { type Figure, table } from './figures.ts';
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
import { measureRelay, type RelayRounds } from './relay.ts';
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
  readonly matter: MatterRounds;
  readonly mqtt: MqttRounds;
  readonly pages: PageRounds;
  readonly relay: RelayRounds;
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
  matter: { reports: 200, commands: 200, memoryAfterMs: 30_000, truth: { commands: 1_000, restarts: 20 } },
  mqtt: { turns: 1_000 },
  pages: { losses: 20, idleMs: 600_000, paints: 20 },
  relay: { deliveries: 500, homes: 10_000, load: 10_000, durableHomes: 500 },
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
  matter: { reports: 30, commands: 30, memoryAfterMs: 5_000, truth: { commands: 50, restarts: 2 } },
  mqtt: { turns: 100 },
  pages: { losses: 3, idleMs: 20_000, paints: 3 },
  relay: { deliveries: 100, homes: 1_000, load: 1_000, durableHomes: 100 },
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
  'pages-lost',
  'pages-idle',
  'relay',
  'idle',
] as const;
type Part = (typeof PARTS)[number];

/** Parts that need no plugin in a Homebridge. */
const ALONE: ReadonlySet<Part> = new Set<Part>([
  'credentials',
  'history',
  'pages',
  'pages-lost',
  'pages-idle',
]);
