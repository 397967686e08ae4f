// The limits of growth from day to day: by the median of all pairs, so that a single step is no growth.
import { KEPT_COMMANDS } from '../../src/storage/command-journal.ts';
import { PRUNED_EVERY } from '../../src/storage/event-ledger.ts';
import type { DayMark } from './day-mark.ts';

/** The first days fill caches and warm the compiler up; after these the history, kept for seven days, is full. */
const WARM_UP_DAYS = 8;
/** A slope through fewer days than this is chance. */
const LEAST_JUDGED_DAYS = 5;
/** Rows that come and go with each day's events: their number differs by chance. */
const OF_EVENTS = 'history_entry';
/** Commands that have not ended are kept beyond that number. */
const OPEN_COMMANDS = 20;
/** Events are kept for 48 hours, and pruned once per so many: on the third day the oldest ones still lie there. */
const DAYS_OF_EVENTS = 3;
const FILLING: ReadonlySet<string> = new Set(['command', 'received_event']);

export interface Growth {
  readonly name: string;
  /** A day, by the median of all pairs of days; of what fills up and is then emptied, the most that there was. */
  readonly value: number;
  readonly most: number;
  readonly isFlat: boolean;
}

interface Measure {
  readonly name: string;
  readonly most: number;
  readonly of: (mark: DayMark) => number;
}

const MEASURES: readonly Measure[] = [
  { name: 'live heap, kB, a day', most: 60, of: ({ heapBytes }) => heapBytes / 1e3 },
  // V8 keeps some of what belongs to compiled code elsewhere, 20 to 35 kB a day; an object for each listing is 56 or more.
  {
    name: 'the same without compiled code, kB, a day',
    most: 45,
    of: ({ heapBytes, codeBytes }) => (heapBytes - codeBytes) / 1e3,
  },
  // The system takes pages back and V8 changes its room for young objects: one such step in the middle of thirty days is 4.
  { name: 'resident set, MB, a day', most: 5, of: ({ rssBytes }) => rssBytes / 1e6 },
  {
    name: 'handles, a day',
    most: 0.1,
    of: ({ handles }) => Object.values(handles).reduce((sum, count) => sum + count, 0),
  },
  { name: 'timers, a day', most: 0.1, of: ({ timers }) => timers },
  { name: 'open files, a day', most: 0.1, of: ({ openFiles }) => openFiles ?? 0 },
  { name: 'database, kB, a day', most: 8, of: ({ databaseBytes }) => databaseBytes / 1e3 },
  { name: 'its log, kB, a day', most: 8, of: ({ walBytes }) => walBytes / 1e3 },
  { name: 'lines in the log, a day', most: 2, of: ({ logLines }) => logLines },
];

/** Empty where too few days have passed. */
export function growthOf(marks: readonly DayMark[]): readonly Growth[] {
  const judged = marks.slice(WARM_UP_DAYS);
  if (judged.length < LEAST_JUDGED_DAYS) {
    return [];
  }
  const tables = Object.keys(marks.at(-1)?.rows ?? {})
    .filter((table) => !FILLING.has(table))
    .map((table) => ({
      name: `rows of ${table}, a day`,
      // A row that is kept for each guest, or for each night, is one a day.
      most: table === OF_EVENTS ? 3 : 0.2,
      of: ({ rows }: DayMark) => rows[table] ?? 0,
    }));
  const slopes = [...MEASURES, ...tables].map(({ name, most, of }) => ({
    name,
    value: slopeOf(judged.map(of)),
    most,
  }));
  return [...slopes, ...filled(marks)].map(({ name, value, most }) => ({
    name,
    value,
    most,
    isFlat: value <= most,
  }));
}

/** What fills up to a bound and is then emptied. */
function filled(marks: readonly DayMark[]) {
  const most = (of: (mark: DayMark) => number): number => Math.max(...marks.map(of));
  const inADay = most(({ counts }) => counts['events delivered'] ?? 0);
  return [
    {
      name: 'rows of command, at any time',
      value: most(({ rows }) => rows['command'] ?? 0),
      most: KEPT_COMMANDS + OPEN_COMMANDS,
    },
    {
      name: 'rows of received_event, at any time',
      value: most(({ rows }) => rows['received_event'] ?? 0),
      most: PRUNED_EVERY + DAYS_OF_EVENTS * inADay,
    },
  ];
}

/** How much `values` grow from one to the next. */
export function slopeOf(values: readonly number[]): number {
  const slopes = values
    .flatMap((value, index) =>
      values.slice(index + 1).map((later, distance) => (later - value) / (distance + 1)),
    )
    .toSorted((left, right) => left - right);
  const middle = Math.floor(slopes.length / 2);
  const [below = 0, above = 0] = [slopes[middle - 1], slopes[middle]];
  return slopes.length % 2 === 1 ? above : (below + above) / 2;
}
