// What doing nothing costs: memory at several sizes, CPU time, and calls of the service.
import { setTimeout as sleep } from 'node:timers/promises';
import { alone, compared, type Figure } from './figures.ts';
import { both, openPair, type Pair, type PairOptions } from './pair.ts';
import type { ProcessReport } from './preload.ts';

/** Numbers of locks in one home. */
const SIZES = [1, 10, 100, 149] as const;
const SMALLEST = 1;
const LARGEST = 149;

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

interface Reports {
  readonly locks: number;
  readonly ours: ProcessReport;
  readonly limit: ProcessReport;
}

/** Pairs of every size that idle in the background while other things are measured. */
export class IdlePairs {
  readonly #times: IdleTimes;
  readonly #pairs: ReadonlyMap<number, Pair>;
  readonly #openedAt = performance.now();

  static async open(options: Omit<PairOptions, 'locks'>, times: IdleTimes): Promise<IdlePairs> {
    const pairs = new Map<number, Pair>();
    for (const locks of SIZES) {
      const pair = await openPair({ ...options, locks, folder: `${options.folder}-${String(locks)}` });
      // Pairing, and waiting for all locks to be shown, leaves garbage of our own making behind: they start anew.
      await both(pair, async (contestant) => {
        await contestant.stop();
        await contestant.start();
      });
      pairs.set(locks, pair);
    }
    return new IdlePairs(pairs, times);
  }

  private constructor(pairs: ReadonlyMap<number, Pair>, times: IdleTimes) {
    this.#pairs = pairs;
    this.#times = times;
  }

  /** Resolves with all figures when the idle time is over. */
  async measure(): Promise<readonly Figure[]> {
    await sleep(this.#openedAt + this.#times.memoryAfterMs - performance.now());
    const reports: Reports[] = [];
    for (const [locks, { ours, limit }] of this.#pairs) {
      reports.push({ locks, ours: await ours.report(), limit: await limit.report() });
    }
    const memory = [...reports.map(memoryFigure), growthFigure(reports)];
    return [...memory, ...(await this.#idle())];
  }

  async #idle(): Promise<readonly Figure[]> {
    const largest = this.#pair(LARGEST);
    const smallest = this.#pair(SMALLEST);
    const calls = (): { few: number; many: number } => ({
      few: smallest.ours.service.totalCalls,
      many: largest.ours.service.totalCalls,
    });
    const before = { ours: await largest.ours.report(), limit: await largest.limit.report() };
    const callsBefore = calls();
    await sleep(this.#times.idleMs);
    const callsAfter = calls();
    const after = { ours: await largest.ours.report(), limit: await largest.limit.report() };
    const cpuMs = {
      ours: [after.ours.cpuMs - before.ours.cpuAfterMs],
      limit: [after.limit.cpuMs - before.limit.cpuAfterMs],
    };
    const perHour = MS_PER_HOUR / this.#times.idleMs;
    const few = (callsAfter.few - callsBefore.few) * perHour;
    const many = (callsAfter.many - callsBefore.many) * perHour;
    const minutes = `${(this.#times.idleMs / 60_000).toFixed(1)} minutes`;
    return [
      compared(
        {
          name: `CPU time in ${minutes} of idling, ${String(LARGEST)} locks`,
          unit: 'ms',
          goal: `at most ${String(MOST_MORE_CPU_MS)} ms more in 10 minutes`,
        },
        cpuMs,
        (ours, limit) => ours.p50 <= limit.p50 + MOST_MORE_CPU_MS * Math.min(1, this.#times.idleMs / 600_000),
      ),
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

  #pair(locks: number): Pair {
    const pair = this.#pairs.get(locks);
    if (pair === undefined) {
      throw new Error(`No pair has ${String(locks)} locks`);
    }
    return pair;
  }
}

function memoryFigure({ locks, ours, limit }: Reports): Figure {
  return compared(
    {
      name: `memory (RSS), ${String(locks)} ${locks === 1 ? 'lock' : 'locks'}`,
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
