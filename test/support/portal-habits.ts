// What portals do to their calendars from one reading to the next: other ids, other starts, stale copies, entries that are no stays.
import type { CalendarEntry, CalendarTime } from '../../src/domain/stays/calendar-ports.ts';

const DAY_MS = 86_400_000;

export const HABITS = [
  'plain',
  'renews-ids',
  'other-id-and-start-each-day',
  'cuts-off-what-has-begun',
  'midnights',
  'ids-by-start',
  'sequence-is-random',
  'inquiries',
  'marks',
  'stale-every-other-time',
] as const;

export type Habit = (typeof HABITS)[number];

/** These show what is no longer true, or hide what is. */
export const WAVERING: ReadonlySet<Habit> = new Set(['stale-every-other-time']);

interface Reading {
  readonly now: number;
  /** Counts the readings. */
  readonly number: number;
  /** The calendar as it was some hours ago. */
  readonly former: readonly CalendarEntry[];
  readonly random: () => number;
}

export function asShown(
  habit: Habit,
  entries: readonly CalendarEntry[],
  reading: Reading,
): readonly CalendarEntry[] {
  const today = new Date(reading.now).toISOString().slice(0, 10);
  switch (habit) {
    case 'plain':
      return entries;
    case 'renews-ids':
      return entries.map((one) => withId(one, `${one.uid}-${String(reading.number)}`));
    case 'other-id-and-start-each-day':
      return entries.map((one) => {
        const start = dayOf(one.start) < today ? { kind: 'day', day: today } : one.start;
        return { ...withId(one, `${one.uid}-${today}`), start } as CalendarEntry;
      });
    case 'cuts-off-what-has-begun':
      return entries.filter(({ start }) => dayOf(start) >= today);
    case 'midnights':
      return entries.map((one) =>
        Object.assign({}, one, { start: midnightOf(one.start), end: midnightOf(one.end) }),
      );
    case 'ids-by-start':
      return entries.map((one) => withId(one, `portal/${dayOf(one.start)}`));
    case 'sequence-is-random':
      return entries.map((one) =>
        Object.assign({}, one, { sequence: Math.floor(reading.random() * 2_000_000_000) }),
      );
    case 'inquiries':
      return entries.flatMap((one) => [one, inquiryOf(one)]);
    case 'marks':
      return entries.flatMap((one) => [
        one,
        markOf(one, 'Check-in', one.start),
        markOf(one, 'Check-out', one.end),
      ]);
    case 'stale-every-other-time':
      return reading.number % 2 === 0 ? entries : reading.former;
  }
}

const withId = (entry: CalendarEntry, uid: string): CalendarEntry => ({ ...entry, uid });

const dayOf = (time: CalendarTime): string => (time.kind === 'day' ? time.day : '');

const midnightOf = (time: CalendarTime): CalendarTime => ({ kind: 'local', local: `${dayOf(time)}T00:00` });

const inquiryOf = (entry: CalendarEntry): CalendarEntry => ({
  ...entry,
  uid: `inquiry-${entry.uid}`,
  summary: 'Pending: Somebody Else',
  description: '',
});

function markOf(entry: CalendarEntry, word: string, start: CalendarTime): CalendarEntry {
  const end = new Date(Date.parse(dayOf(start)) + DAY_MS).toISOString().slice(0, 10);
  const [, name = ''] = entry.summary.split(' - ');
  return {
    ...entry,
    uid: `${word}-${entry.uid}`,
    start,
    end: { kind: 'day', day: end },
    summary: `${word}: ${name}`,
    description: '',
  };
}
