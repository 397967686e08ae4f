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

/** A file or a part. */
export interface Row extends Readonly<Counts> {
  readonly name: string;
  /** 0 where there is no threshold. */
  readonly leastPercent: number;
}

/** A change that breaks the loading of a file, or is not tried, counts for nothing. */
const COUNTED: Readonly<Partial<Record<Change['status'], keyof Counts>>> = {
  Killed: 'noticed',
  Timeout: 'noticed',
  Survived: 'unnoticed',
  NoCoverage: 'neverRun',
};

/** One row for each file, the worst first, and one for all. */
export function scoresOf(
  name: string,
  changes: readonly Change[],
): { readonly rows: readonly Row[]; readonly total: Row } {
  const byFile = Map.groupBy(changes, ({ fileName }) => relative('.', fileName));
  const rows = [...byFile].map(([file, ones]) => rowOf(file, ones));
  return {
    rows: rows.toSorted((one, other) => percentOf(one) - percentOf(other)),
    total: rowOf(name, changes),
  };
}

function rowOf(name: string, changes: readonly Change[]): Row {
  const counts: Counts = { noticed: 0, unnoticed: 0, neverRun: 0 };
  for (const { status } of changes) {
    const member = COUNTED[status];
    if (member !== undefined) {
      counts[member] += 1;
    }
  }
  return { name, leastPercent: 0, ...counts };
}

/** Of the changes that a test ran. */
export function percentOf({ noticed, unnoticed }: Pick<Counts, 'noticed' | 'unnoticed'>): number {
  const run = noticed + unnoticed;
  return run === 0 ? 100 : (100 * noticed) / run;
}

export function tableOf(rows: readonly Row[]): string {
  return ['score %   noticed unnoticed never run  file', ...rows.map(lineOf)].join('\n');
}

function lineOf(row: Row): string {
  const counts = [row.noticed, row.unnoticed, row.neverRun].map((count) => String(count).padStart(10));
  const least = row.leastPercent === 0 ? '' : `, at least ${String(row.leastPercent)} %`;
  return `${percentOf(row).toFixed(1).padStart(7)}${counts.join('')}  ${row.name}${least}`;
}
