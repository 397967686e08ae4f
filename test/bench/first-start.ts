// What a first start writes to the disk and costs, from the start of the process until Home shows all locks, by their number.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contestant } from './contestant.ts';
import { compared, type Figure } from './figures.ts';
import { both, openPair, type PairOptions } from './pair.ts';

/** How many locks a bridge shows for the first time: growth is seen between them. */
const SIZES = [1, 10, 50, 149] as const;
const MOST_MEGABYTES = 2.5;
const MOST_CPU_RATIO = 1.5;
/** Homebridge and HAP write some things a second or two later, in milliseconds. */
const SETTLED_AFTER_MS = 5_000;

export async function measureFirstStarts(options: Omit<PairOptions, 'locks'>): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const locks of SIZES) {
    const pair = await openPair({ ...options, locks, folder: `${options.folder}-${String(locks)}` });
    await sleep(SETTLED_AFTER_MS);
    const [ours, limit] = [pair.ours, pair.limit];
    figures.push(
      compared(
        {
          name: `written at a first start with ${String(locks)} locks`,
          unit: 'MB',
          goal: `at most ${String(MOST_MEGABYTES)}`,
        },
        { ours: [megabytesWritten(ours)], limit: [megabytesWritten(limit)] },
        ({ p50 }) => p50 <= MOST_MEGABYTES,
      ),
      compared(
        {
          name: `processor time of a first start with ${String(locks)} locks`,
          unit: 'ms',
          goal: `at most ${String(MOST_CPU_RATIO)} times the limit's`,
        },
        { ours: [(await ours.report()).cpuMs], limit: [(await limit.report()).cpuMs] },
        (a, b) => a.p50 <= MOST_CPU_RATIO * b.p50,
      ),
    );
    await both(pair, async (contestant) => contestant.close());
  }
  return figures;
}

/** What the process has given to the disk; only Linux counts it, and no file system in memory does. */
function megabytesWritten({ homebridge: { pid } }: Contestant): number {
  const counted = /^write_bytes: (\d+)$/mu.exec(readFileSync(`/proc/${String(pid)}/io`, 'utf8'))?.[1];
  return Number(counted) / 1e6;
}
