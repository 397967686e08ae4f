// Reads generated and public calendars by the plugin and by three other programs, and fails on a difference without a verdict.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseCalendar } from '../../src/features/stays/calendar/parse-calendar.ts';
import type { CalendarTime } from '../../src/features/stays/policy/calendar-ports.ts';
import { isFeedRead } from './feed.ts';
import { byNodeIcal, type Stay } from './node-reader.ts';
import { PYTHON } from './programs.ts';
import { verdictOn } from './verdicts.ts';

const [seed = '1', count = '500'] = process.argv.slice(2);
const DAY_S = 86_400;

interface Task {
  readonly name: string;
  readonly text: string;
  /** The stays of a generated calendar, by its construction. */
  readonly meant: readonly Stay[] | null;
  readonly from: number;
  readonly until: number;
  readonly icalendar: readonly Stay[] | string;
  readonly ical: readonly Stay[] | string;
}

function written(time: CalendarTime): string {
  switch (time.kind) {
    case 'day':
      return time.day.replaceAll('-', '');
    case 'local':
      return `local:${time.local}`;
    case 'instant':
      return String(Math.floor(time.at / 1_000));
  }
}

function ours(text: string, from: number, until: number): readonly Stay[] | string {
  const read = parseCalendar(text, { from: from * 1_000, until: until * 1_000 });
  return read.kind === 'failed'
    ? read.problem
    : read.entries.map(({ start, end }) => [written(start), written(end)]);
}

/** Readers disagree on what touches the ends of the span, so only what begins within it counts. */
function listOf(stays: readonly Stay[] | string, { from, until }: Task): string {
  if (typeof stays === 'string') {
    return stays;
  }
  return stays
    .filter(([start]) => {
      const at = secondsOf(start);
      return at > from + DAY_S && at < until - 2 * DAY_S;
    })
    .map(([start, end]) => `${start}-${end}`)
    .toSorted()
    .join(' ');
}

function secondsOf(time: string): number {
  if (/^\d{8}$/.test(time)) {
    return Date.parse(time.replace(/^(\d{4})(\d\d)/, '$1-$2-')) / 1_000;
  }
  return time.startsWith('local:') ? Date.parse(`${time.slice(6)}Z`) / 1_000 : Number(time);
}

function main(): void {
  const answer = spawnSync(PYTHON, [join(import.meta.dirname, 'readers.py'), seed, count], {
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    env: { ...process.env, TZ: 'UTC' },
  });
  if (answer.status !== 0) {
    throw new Error(`The other readers failed: ${answer.stderr}`);
  }
  const tasks = JSON.parse(answer.stdout) as readonly Task[];
  const agreed = new Map<string, number>();
  const publicAgreed = new Map<string, number>();
  let isOpen = false;
  for (const task of tasks) {
    isOpen = !compare(task, task.meant === null ? publicAgreed : agreed) || isOpen;
  }
  const generated = tasks.filter(({ meant }) => meant !== null).length;
  console.log(
    `Seed ${seed}. Of ${String(generated)} generated calendars agree with ours: ${wordsOf(agreed)}`,
  );
  console.log(`Of ${String(tasks.length - generated)} public files: ${wordsOf(publicAgreed)}`);
  process.exitCode = isFeedRead() && !isOpen ? 0 : 1;
}

const wordsOf = (agreed: ReadonlyMap<string, number>): string =>
  [...agreed].map(([name, times]) => `${name} ${String(times)}`).join(', ');

/** False: a difference has no verdict. */
function compare(task: Task, agreed: Map<string, number>): boolean {
  const { name, text, meant, from, until } = task;
  const own = listOf(ours(text, from, until), task);
  const others: Readonly<Record<string, string>> = {
    icalendar: listOf(task.icalendar, task),
    ical: listOf(task.ical, task),
    'node-ical': listOf(byNodeIcal(text, from * 1_000, until * 1_000), task),
    ...(meant === null ? {} : { meant: listOf(meant, task) }),
  };
  const readers = Object.keys(others);
  const differing = readers.filter((reader) => others[reader] !== own);
  for (const reader of readers.filter((one) => !differing.includes(one))) {
    add(agreed, reader);
  }
  if (differing.length < readers.length) {
    add(agreed, 'any');
  }
  if (differing.length === 0) {
    add(agreed, 'all');
    return true;
  }
  const verdict = verdictOn({ name, text, own, others });
  console.log(`${name}: differs from ${differing.join(', ')}: ${verdict ?? 'NO VERDICT'}`);
  for (const reader of verdict === null ? ['ours', ...differing] : []) {
    console.log(`  ${reader}: ${(others[reader] ?? own).slice(0, 300)}`);
  }
  return verdict !== null;
}

function add(agreed: Map<string, number>, name: string): void {
  agreed.set(name, (agreed.get(name) ?? 0) + 1);
}

main();
