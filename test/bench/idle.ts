// What doing nothing costs: memory at several sizes, CPU time, and calls of the service.
import { setTimeout as sleep } from 'node:timers/promises';
import { alone, compared, type Figure } from './figures.ts';
import { both, openPair, type Pair, type PairOptions } from './pair.ts';
import type { ProcessReport } from './preload.ts';

/** Numbers of locks in one home. */
const SIZES = [1, 10, 100, 149] as const;
const SMALLEST = 1;
const LARGEST = 149;
const LISTENING = `${String(LARGEST)} locks, webhooks received`;

const MOST_MORE_BYTES = 25e6;
const MOST_MORE_PER_LOCK_BYTES = 20e3;
const MOST_MORE_CPU_MS = 150;
/** Listings are spread by a tenth of their interval, so that two idle times differ without a reason. */
const MOST_CALLS_RATIO = 1.2;

const MS_PER_HOUR = 3_600_000;

export interface IdleTimes {
  /** From the start to the look at memory, and the length of the idle time, in milliseconds. */
  readonly memoryAfterMs: number;
  readonly idleMs: number;
}

type PairReport = Readonly<Record<'ours' | 'limit', ProcessReport>>;

interface Reports extends PairReport {
  /** As the figures say it: how many locks, and whether webhooks are received. */
  readonly words: string;
  readonly locks: number;
}

/** Pairs of every size that idle in the background while other things are measured. */
export class IdlePairs {
  readonly #times: IdleTimes;
  readonly #pairs: ReadonlyMap<number, Pair>;
  /** One more of the largest size, in which ours receives webhooks as well, though none come. */
  readonly #listening: Pair;
  readonly #openedAt = performance.now();

  static async open(
    options: Omit<PairOptions, 'locks' | 'webhooks'>,
    webhooks: NonNullable<PairOptions['webhooks']>,
    times: IdleTimes,
  ): Promise<IdlePairs> {
    const pairs = new Map<number, Pair>();
    for (const locks of SIZES) {
      pairs.set(locks, await openAnew({ ...options, locks, folder: `${options.folder}-${String(locks)}` }));
    }
    const listening = { ...options, webhooks, locks: LARGEST, folder: `${options.folder}-listening` };
    return new IdlePairs(pairs, await openAnew(listening), times);
  }

  private constructor(pairs: ReadonlyMap<number, Pair>, listening: Pair, times: IdleTimes) {
    this.#pairs = pairs;
    this.#listening = listening;
    this.#times = times;
  }

  /** Resolves with all figures when the idle time is over. */
  async measure(): Promise<readonly Figure[]> {
    await sleep(this.#openedAt + this.#times.memoryAfterMs - performance.now());
    const reports: Reports[] = [];
    for (const [locks, pair] of this.#pairs) {
      reports.push({
        words: locks === 1 ? '1 lock' : `${String(locks)} locks`,
        locks,
        ...(await reportOf(pair)),
      });
    }
    const listening = { words: LISTENING, locks: LARGEST, ...(await reportOf(this.#listening)) };
    const memory = [...reports, listening].map(memoryFigure);
    return [...memory, growthFigure(reports), ...(await this.#idle())];
  }

  async #idle(): Promise<readonly Figure[]> {
    const largest = this.#pair(LARGEST);
    const smallest = this.#pair(SMALLEST);
    const calls = (): { few: number; many: number } => ({
      few: smallest.ours.service.totalCalls,
      many: largest.ours.service.totalCalls,
    });
    const watched: { readonly words: string; readonly pair: Pair; readonly from: PairReport }[] = [];
    for (const [words, pair] of [
      [`${String(LARGEST)} locks`, largest] as const,
      [LISTENING, this.#listening] as const,
    ]) {
      watched.push({ words, pair, from: await reportOf(pair) });
    }
    const callsBefore = calls();
    await sleep(this.#times.idleMs);
    const callsAfter = calls();
    const cpu: Figure[] = [];
    const minutes = (this.#times.idleMs / 60_000).toFixed(1);
    for (const { words, pair, from } of watched) {
      cpu.push(this.#cpuFigure(`${minutes} minutes of idling, ${words}`, from, await reportOf(pair)));
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

  #pair(locks: number): Pair {
    const pair = this.#pairs.get(locks);
    if (pair === undefined) {
      throw new Error(`No pair has ${String(locks)} locks`);
    }
    return pair;
  }
}

/** Pairing, and waiting for all locks to be shown, leaves garbage of our own making behind: both start anew. */
async function openAnew(options: PairOptions): Promise<Pair> {
  const pair = await openPair(options);
  await both(pair, async (contestant) => {
    await contestant.stop();
    await contestant.start();
  });
  return pair;
}

async function reportOf({ ours, limit }: Pair): Promise<PairReport> {
  return { ours: await ours.report(), limit: await limit.report() };
}

function memoryFigure({ words, ours, limit }: Reports): Figure {
  return compared(
    {
      name: `memory (RSS), ${words}`,
      unit: 'MB',
      goal: `at most ${String(MOST_MORE_BYTES / 1e6)} MB more`,
    },
    { ours: [ours.rssBytes / 1e6], limit: [limit.rssBytes / 1e6] },
    () => ours.rssBytes <= limit.rssBytes + MOST_MORE_BYTES,
  );
}

/** Of the live heap: the resident set of a process holds megabytes of chance, more than 149 locks take. */
function growthFigure(reports: readonly Reports[]): Figure {
  const perLock = (side: 'ours' | 'limit'): number => {
    const heapAt = (size: number): number =>
      reports.find(({ locks }) => locks === size)?.[side].heapBytes ?? Number.NaN;
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
