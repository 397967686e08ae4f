// What became of the changes of a mutation run: counted by file, and as a table.
import { relative } from 'node:path';
import type { Stryker } from '@stryker-mutator/core';

export type Change = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

interface Counts {
  noticed: number;
  unnoticed: number;
  /** On lines that no test runs. */
  neverRun: number;
}

export interface Scores {
  readonly files: ReadonlyMap<string, Counts>;
  readonly all: Counts;
  /** Of the changes that a test ran. */
  readonly percent: number;
}

/** A change that breaks the loading of a file, or is not tried, counts for nothing. */
const COUNTED: Readonly<Partial<Record<Change['status'], keyof Counts>>> = {
  Killed: 'noticed',
  Timeout: 'noticed',
  Survived: 'unnoticed',
  NoCoverage: 'neverRun',
};

export function scoresOf(changes: readonly Change[]): Scores {
  const files = new Map<string, Counts>();
  const all: Counts = { noticed: 0, unnoticed: 0, neverRun: 0 };
  for (const { fileName, status } of changes) {
    const member = COUNTED[status];
    if (member !== undefined) {
      const name = relative('.', fileName);
      const counts = files.get(name) ?? { noticed: 0, unnoticed: 0, neverRun: 0 };
      counts[member] += 1;
      all[member] += 1;
      files.set(name, counts);
    }
  }
  return { files, all, percent: percentOf(all) };
}

function percentOf({ noticed, unnoticed }: Counts): number {
  const run = noticed + unnoticed;
  return run === 0 ? 100 : (100 * noticed) / run;
}

/** The worst file first. */
export function tableOf(source: string, { files, all }: Scores, leastPercent: number): string {
  const byScore = [...files].toSorted(([, one], [, other]) => percentOf(one) - percentOf(other));
  const rows = [...byScore, [`${source}, at least ${String(leastPercent)} %`, all] as const].map(
    ([name, counts]) => `${percentOf(counts).toFixed(1).padStart(7)}${columns(counts)}  ${name}`,
  );
  return ['score %   noticed unnoticed never run  file', ...rows].join('\n');
}

function columns({ noticed, unnoticed, neverRun }: Counts): string {
  return [noticed, unnoticed, neverRun].map((count) => String(count).padStart(10)).join('');
}
