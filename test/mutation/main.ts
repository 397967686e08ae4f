// Changes lines of the source one at a time, and counts the changes that a test notices: `npm run mutate`. With `--alone`, all
// tests run for each change, and a table says how many of them each file of tests, and each test, alone notices.
import { globSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { tableOfKillers } from './killers.ts';
import { type Change, percentOf, type Row, scoresOf, tableOf } from './scores.ts';

interface Part {
  readonly source: string;
  /** The only tests that are tried: all others would take hours. */
  readonly tests: readonly string[];
  /** Below this share of the changes that a test ran, the run fails. It only rises; 0: none. */
  readonly leastPercent: number;
}

const PARTS: readonly Part[] = [
  { source: 'src/domain', tests: ['test/unit/domain'], leastPercent: 96 },
  { source: 'src/wire', tests: ['test/unit/wire'], leastPercent: 97 },
  { source: 'src/features/stays/policy', tests: ['test/unit/features'], leastPercent: 96 },
  { source: 'src/features/credentials/policy', tests: ['test/unit/features'], leastPercent: 96 },
  {
    source: 'src/features/credentials/client/credential-codec.ts',
    tests: ['test/unit/features'],
    leastPercent: 97,
  },
  { source: 'src/config', tests: ['test/unit/config'], leastPercent: 97 },
  { source: 'src/webhook/verify-signature.ts', tests: ['test/unit/webhook'], leastPercent: 97 },
];

/** Code that acts: its components are tested over stand-ins, beside its units. */
function acting(module: string): Part {
  return {
    source: `src/${module}`,
    tests: [`test/unit/${module}`, `test/component/${module}`],
    leastPercent: 0,
  };
}

/** Their components take seconds for each changed line, so that each night tries some of their files: all of them once a month. */
const ACTING: readonly Part[] = [acting('sync'), acting('webhook'), acting('homekit'), acting('panel')];
const NIGHTS = 30;
const DAY_MS = 86_400_000;

const ALL = [...PARTS, ...ACTING];

const FOLDER = '.stryker';

const ALONE = '--alone';

const given = process.argv.slice(2);
const isAlone = given.includes(ALONE);
const named = given.filter((argument) => argument !== ALONE);
const chosen = named.includes('--tonight') ? filesOfTonight() : named.map((path) => relative('.', path));
mkdirSync(FOLDER, { recursive: true });
const tables: string[] = [];
const totals: Row[] = [];
for (const part of ALL) {
  // Part of a part has no threshold: its files differ.
  const files = chosen.filter((path) => path !== part.source && partOf(path) === part);
  const isWhole = chosen.includes(part.source) || (chosen.length === 0 && PARTS.includes(part));
  if (isWhole || files.length > 0) {
    // One part after the other: each uses all cores.
    const { rows, total } = scoresOf(part.source, await tried(part, files));
    tables.push(tableOf(rows), ...(isAlone ? [tableOfKillers(reportOf(part))] : []));
    totals.push({ ...total, leastPercent: files.length === 0 ? part.leastPercent : 0 });
  }
}
console.log([...tables, tableOf(totals)].join('\n\n'));
process.exitCode = totals.some((total) => percentOf(total) < total.leastPercent) ? 1 : 0;

function partOf(path: string): Part | undefined {
  return ALL.find(({ source }) => path.startsWith(source));
}

function filesOfTonight(): readonly string[] {
  const night = Math.floor(new Date().getTime() / DAY_MS) % NIGHTS;
  return ACTING.flatMap(({ source }) => globSync(`${source}/**/*.ts`))
    .toSorted()
    .filter((_, index) => index % NIGHTS === night);
}

function reportOf({ source }: Part): string {
  return `${FOLDER}/${source.replaceAll('/', '-')}.json`;
}

function tried(part: Part, files: readonly string[]): Promise<readonly Change[]> {
  const { source, tests } = part;
  // The workers read it in their configuration.
  process.env['MUTATION_TESTS'] = tests.join(',');
  return new Stryker({
    mutate: files.length > 0 ? [...files] : [source.endsWith('.ts') ? source : `${source}/**/*.ts`],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: true },
    coverageAnalysis: 'perTest',
    disableBail: isAlone,
    // TypeScript 7 has no interface for Stryker; each change is tried without a check of its types.
    tsconfigFile: 'none.json',
    concurrency: Number(process.env['MUTATION_PROCESSES'] ?? availableParallelism()),
    // The components of one module take minutes where the machine is busy.
    dryRunTimeoutMinutes: 30,
    timeoutMS: 10_000,
    tempDirName: `${FOLDER}/tree`,
    reporters: ['clear-text', 'json', 'progress-append-only'],
    jsonReporter: { fileName: reportOf(part) },
    clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
    thresholds: { high: 95, low: 90, break: null },
  }).runMutationTest();
}
