// What doing nothing costs: memory at several sizes, CPU time, and calls of the service.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contestant, SMALL_COMPUTER } from './contestant.ts';
import { alone, compared, type Figure, none } from './figures.ts';
import { both, openPair, type Pair, type PairOptions } from './pair.ts';
import type { ProcessReport } from './preload.ts';

/** Numbers of locks in one home. */
const SIZES = [1, 10, 100, 149] as const;
const SMALLEST = 1;
const LARGEST = 149;
const LISTENING = `${String(LARGEST)} locks, webhooks received`;

const MOST_MORE_MEGABYTES = 25;
/** Of live heap, by the number of locks: that of one is our code, the rest is what is known of the others. */
const MOST_MORE_HEAP_MEGABYTES = new Map([
  [1, 5],
  [149, 8],
]);
const MOST_MORE_PER_LOCK_BYTES = 20e3;
/** The limit for ten minutes: a thousandth of one core (decision 0036). */
const MOST_MORE_CPU_MS = 600;
/** Listings are spread by a tenth of their interval, so that two idle times differ without a reason. */
const MOST_CALLS_RATIO = 1.2;

const MS_PER_HOUR = 3_600_000;

/** After some answers V8 compiles undici's parser, which leaves up to 16 MB of free C heap behind, by chance. */
const STARTS = 3;

/** Taps after each start on a few locks, and the time in which each comes to its end, in milliseconds. */
const TAPS = 24;
const TAPPED_LOCKS = 3;
const SETTLED_AFTER_MS = 700;

export interface IdleTimes {
  /** From the last tap to the look at memory, and the length of the idle time, in milliseconds. */
  readonly memoryAfterMs: number;
  readonly idleMs: number;
}

type PairReport = Readonly<Record<'ours' | 'limit', ProcessReport>>;

/** A pair that does nothing, and the report after each of its starts. */
interface Idler {
  /** As the figures say it: how many locks, and whether webhooks are received. */
  readonly words: string;
  readonly locks: number;
  readonly pair: Pair;
  readonly reports: PairReport[];
}

/** Pairs of every size that idle in the background while other things are measured. */
export class IdlePairs {
  readonly #times: IdleTimes;
  readonly #idlers: readonly Idler[];

  /** Opens them all, and looks at their memory after each of some starts. */
  static async open(
    base: Omit<PairOptions, 'locks' | 'webhooks'>,
    webhooks: NonNullable<PairOptions['webhooks']>,
    times: IdleTimes,
  ): Promise<IdlePairs> {
    const options = { ...base, nodeOptions: SMALL_COMPUTER };
    const idlers: Idler[] = [];
    for (const locks of SIZES) {
      const pair = await openPair({ ...options, locks, folder: `${options.folder}-${String(locks)}` });
      idlers.push({ words: locks === 1 ? '1 lock' : `${String(locks)} locks`, locks, pair, reports: [] });
    }
    // One more of the largest size, in which ours receives webhooks as well, though none come.
    const folder = `${options.folder}-listening`;
    const listening = await openPair({ ...options, webhooks, locks: LARGEST, folder });
    idlers.push({ words: LISTENING, locks: LARGEST, pair: listening, reports: [] });
    for (let start = 0; start < STARTS; start += 1) {
      await startAnew(idlers, times.memoryAfterMs);
    }
    return new IdlePairs(idlers, times);
  }

  private constructor(idlers: readonly Idler[], times: IdleTimes) {
    this.#idlers = idlers;
    this.#times = times;
  }

  /** Resolves with all figures when the idle time is over. */
  async measure(): Promise<readonly Figure[]> {
    return [
      ...this.#idlers.map(memoryFigure),
      ...this.#idlers.flatMap(heapFigure),
      growthFigure(this.#idlers),
      ...(await this.#idle()),
    ];
  }

  async #idle(): Promise<readonly Figure[]> {
    const smallest = ofSize(this.#idlers, SMALLEST).pair;
    const largest = ofSize(this.#idlers, LARGEST).pair;
    const calls = (): { few: number; many: number } => ({
      few: smallest.ours.service.totalCalls,
      many: largest.ours.service.totalCalls,
    });
    const watched: { readonly words: string; readonly pair: Pair; readonly from: PairReport }[] = [];
    for (const { words, pair } of this.#idlers.filter(({ locks }) => locks === LARGEST)) {
      watched.push({ words, pair, from: await reportOf(pair) });
    }
    const callsBefore = calls();
    await sleep(this.#times.idleMs);
    const callsAfter = calls();
    const cpu: Figure[] = [];
    const minutes = (this.#times.idleMs / 60_000).toFixed(1);
    for (const { words, pair, from } of watched) {
      const to = await reportOf(pair);
      cpu.push(
        this.#cpuFigure(`${minutes} minutes of idling, ${words}`, from, to),
        none(
          `commits in ${minutes} minutes of idling, ${words}`,
          'commits',
          to.ours.commits - from.ours.commits,
        ),
      );
    }
    const perHour = MS_PER_HOUR / this.#times.idleMs;
    const few = (callsAfter.few - callsBefore.few) * perHour;
    const many = (callsAfter.many - callsBefore.many) * perHour;
    return [
      ...cpu,
      alone(
        {
          name: `service calls per idle hour, ${String(LARGEST)} locks`,
          unit: 'calls',
          goal: `as with ${String(SMALLEST)} lock (${few.toFixed(0)}), but for the spread`,
        },
        [many],
        many <= MOST_CALLS_RATIO * few,
      ),
    ];
  }

  #cpuFigure(words: string, from: PairReport, to: PairReport): Figure {
    const most = MOST_MORE_CPU_MS * Math.min(1, this.#times.idleMs / 600_000);
    return compared(
      {
        name: `CPU time in ${words}`,
        unit: 'ms',
        goal: `at most ${String(MOST_MORE_CPU_MS)} ms more in 10 minutes`,
      },
      {
        ours: [to.ours.cpuMs - from.ours.cpuAfterMs],
        limit: [to.limit.cpuMs - from.limit.cpuAfterMs],
      },
      (ours, limit) => ours.p50 <= limit.p50 + most,
    );
  }
}

/** Pairing, and waiting for all locks to be shown, leaves garbage of our own making behind, so a start comes first. */
async function startAnew(idlers: readonly Idler[], memoryAfterMs: number): Promise<void> {
  for (const { pair } of idlers) {
    await both(pair, async (contestant) => {
      await contestant.stop();
      await contestant.start();
    });
  }
  await Promise.all(idlers.map(async ({ pair }) => both(pair, use)));
  await sleep(memoryAfterMs);
  for (const { pair, reports } of idlers) {
    reports.push(await reportOf(pair));
  }
}

/** The work of a home before it rests: commands, their read-backs, and listings after them. */
async function use(contestant: Contestant): Promise<void> {
  for (let round = 0; round < TAPS; round += 1) {
    await contestant.tap(round % TAPPED_LOCKS);
    await sleep(SETTLED_AFTER_MS);
  }
}

function ofSize(idlers: readonly Idler[], size: number): Idler {
  const found = idlers.find(({ locks }) => locks === size);
  if (found === undefined) {
    throw new Error(`No pair has ${String(size)} locks`);
  }
  return found;
}

async function reportOf({ ours, limit }: Pair): Promise<PairReport> {
  return { ours: await ours.report(), limit: await limit.report() };
}

function memoryFigure({ words, reports }: Idler): Figure {
  const megabytes = (side: 'ours' | 'limit'): number[] =>
    reports.map((report) => report[side].rssBytes / 1e6);
  return compared(
    {
      name: `memory (RSS), ${words}`,
      unit: 'MB',
      goal: `median of ${String(STARTS)} starts at most ${String(MOST_MORE_MEGABYTES)} MB more`,
    },
    { ours: megabytes('ours'), limit: megabytes('limit') },
    (ours, limit) => ours.p50 <= limit.p50 + MOST_MORE_MEGABYTES,
  );
}

/** What is alive after a collection: it varies by a tenth of a megabyte where the resident set varies by twenty. */
function heapFigure({ words, locks, reports }: Idler): readonly Figure[] {
  const most = MOST_MORE_HEAP_MEGABYTES.get(locks);
  if (most === undefined) {
    return [];
  }
  const megabytes = (side: 'ours' | 'limit'): number[] =>
    reports.map((report) => report[side].heapBytes / 1e6);
  return [
    compared(
      {
        name: `live heap, ${words}`,
        unit: 'MB',
        goal: `median of ${String(STARTS)} starts at most ${String(most)} MB more`,
      },
      { ours: megabytes('ours'), limit: megabytes('limit') },
      (ours, limit) => ours.p50 <= limit.p50 + most,
    ),
  ];
}

/** The live heap is compared, because the resident set of a process varies by more megabytes than 149 locks take. */
function growthFigure(idlers: readonly Idler[]): Figure {
  const perLock = (side: 'ours' | 'limit'): number => {
    const heapAt = (size: number): number =>
      ofSize(idlers, size).reports.at(-1)?.[side].heapBytes ?? Number.NaN;
    return (heapAt(LARGEST) - heapAt(SMALLEST)) / (LARGEST - SMALLEST);
  };
  const [ours, limit] = [perLock('ours'), perLock('limit')];
  return compared(
    {
      name: `growth of the live heap per lock, ${String(SMALLEST)} to ${String(LARGEST)} locks`,
      unit: 'KB',
      goal: `at most ${String(MOST_MORE_PER_LOCK_BYTES / 1e3)} KB more`,
    },
    { ours: [ours / 1e3], limit: [limit / 1e3] },
    () => ours <= limit + MOST_MORE_PER_LOCK_BYTES,
  );
}
