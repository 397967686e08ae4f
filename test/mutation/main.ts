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
const ACTING: readonly Part[] = [acting('engine'), acting('webhook'), acting('homekit'), acting('panel')];
const NIGHTS = 30;
const DAY_MS = 86_400_000;

const ALL = [...PARTS, ...ACTING];

const FOLDER = '.stryker';

// Of all parts, before anything is tried: of a module that was renamed nothing would be changed, and the run would be green.
const FILES: ReadonlyMap<Part, readonly string[]> = new Map(ALL.map((part) => [part, filesOf(part)]));

const ALONE = '--alone';

const given = process.argv.slice(2);
const isAlone = given.includes(ALONE);
const named = given.filter((argument) => argument !== ALONE);
const chosen = named.includes('--tonight') ? filesOfTonight() : named.map((path) => relative('.', path));
const unknown = chosen.filter((path) => partOf(path) === undefined);
if (unknown.length > 0) {
  throw new Error(`No part has these files: ${unknown.join(', ')}`);
}
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
  return ALL.find((part) => part.source === path || FILES.get(part)?.includes(path) === true);
}

/** Throws for a part without a file, or with a folder of tests that has none. */
function filesOf({ source, tests }: Part): readonly string[] {
  const files = globSync(patternOf(source));
  const tested = tests.filter((folder) => globSync(`${folder}/**/*.test.ts`).length > 0);
  if (files.length === 0 || tested.length < tests.length) {
    throw new Error(`The part ${source} or its tests are not there: ${tests.join(', ')}`);
  }
  return files;
}

function patternOf(source: string): string {
  return source.endsWith('.ts') ? source : `${source}/**/*.ts`;
}

function filesOfTonight(): readonly string[] {
  const night = Math.floor(new Date().getTime() / DAY_MS) % NIGHTS;
  return ACTING.flatMap((part) => FILES.get(part) ?? [])
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
    mutate: files.length > 0 ? [...files] : [patternOf(source)],
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
