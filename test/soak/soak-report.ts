// The output of a soak: a table of days, the counts of all of them, the growth, and the complaints.
import type { DayMark } from './day-mark.ts';
import type { Growth } from './growth.ts';

const COLUMNS: readonly (readonly [heading: string, value: (mark: DayMark) => string])[] = [
  ['day', ({ day }) => String(day)],
  ['heap MB', ({ heapBytes }) => (heapBytes / 1e6).toFixed(2)],
  ['code MB', ({ codeBytes }) => (codeBytes / 1e6).toFixed(2)],
  ['RSS MB', ({ rssBytes }) => (rssBytes / 1e6).toFixed(0)],
  ['handles', ({ handles }) => String(Object.values(handles).reduce((sum, count) => sum + count, 0))],
  ['timers', ({ timers }) => String(timers)],
  ['files', ({ openFiles }) => String(openFiles ?? '-')],
  ['rows', ({ rows }) => String(Object.values(rows).reduce((sum, count) => sum + count, 0))],
  ['history', ({ rows }) => String(rows['history_entry'] ?? 0)],
  ['events', ({ rows }) => String(rows['received_event'] ?? 0)],
  ['commands', ({ rows }) => String(rows['command'] ?? 0)],
  ['db kB', ({ databaseBytes }) => (databaseBytes / 1e3).toFixed(0)],
  ['wal kB', ({ walBytes }) => (walBytes / 1e3).toFixed(0)],
  ['log lines', ({ logLines }) => String(logLines)],
  ['complaints', ({ complaints }) => String(complaints)],
];

const DIGITS_AND_NAMES = /\d+|\[[^\]]*\]/g;
const MOST_COMPLAINTS = 12;

/** The first day, every tenth and the last. */
export function marksOf(marks: readonly DayMark[]): readonly DayMark[] {
  return marks.filter(({ day }, index) => day === 1 || day % 10 === 0 || index === marks.length - 1);
}

export function tableOf(marks: readonly DayMark[]): string {
  const rows = [
    COLUMNS.map(([heading]) => heading),
    ...marks.map((mark) => COLUMNS.map(([, of]) => of(mark))),
  ];
  return rows.map((row) => row.map((cell) => cell.padStart(11)).join('')).join('\n');
}

export function countsOf(marks: readonly DayMark[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { counts } of marks) {
    for (const [name, count] of Object.entries(counts)) {
      sums[name] = (sums[name] ?? 0) + count;
    }
  }
  return sums;
}

export function growthText(growths: readonly Growth[]): string {
  if (growths.length === 0) {
    return 'Too few days to say what grows.';
  }
  return growths
    .map(
      ({ name, value, most, isFlat }) =>
        `${isFlat ? 'flat ' : 'GROWS'}  ${name}: ${value.toFixed(2)}, at most ${String(most)}`,
    )
    .join('\n');
}

/** The most frequent complaints, without the numbers in which they differ. */
export function complaintsText(complaints: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const complaint of complaints) {
    const words = complaint.replaceAll(DIGITS_AND_NAMES, '#');
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, MOST_COMPLAINTS)
    .map(([words, count]) => `${String(count).padStart(6)}  ${words}`)
    .join('\n');
}
