// What portals do to their calendars from one reading to the next: other ids, other starts, stale copies, entries that are no stays.
import type { CalendarEntry, CalendarTime } from '../../src/features/stays/policy/calendar-ports.ts';
import { asWritten, WRITTEN_HABITS, type WrittenHabit } from './written-habits.ts';

const DAY_MS = 86_400_000;

const SHOWN_HABITS = [
  'plain',
  'renews-ids',
  'other-id-and-start-each-day',
  'cuts-off-what-has-begun',
  'midnights',
  'ids-by-start',
  'sequence-is-random',
  'inquiries',
  'marks',
  'numbers-of-others',
  'stale-every-other-time',
] as const;

export const HABITS = [...SHOWN_HABITS, ...WRITTEN_HABITS] as const;

export type Habit = (typeof HABITS)[number];

const isWritten = (habit: Habit): habit is WrittenHabit => WRITTEN_HABITS.some((one) => one === habit);

/** Of portals that call each booking "CLOSED - Not available". */
export const NAMELESS_HABITS: readonly Habit[] = [
  'plain',
  'renews-ids',
  'other-id-and-start-each-day',
  'cuts-off-what-has-begun',
  'no-ids',
  'sequence-falls',
  'stale-every-other-time',
];

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
  if (isWritten(habit)) {
    return asWritten(habit, entries, reading.number);
  }
  switch (habit) {
    case 'plain':
      return entries;
    case 'renews-ids':
      return entries.map((one) => withId(one, `${one.uid}-${String(reading.number)}`));
    case 'other-id-and-start-each-day':
      return entries
        .filter(({ end }) => dayOf(end) >= today)
        .map((one) => withId(startedToday(one, today), `${one.uid}-${today}`));
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
    case 'numbers-of-others':
      return entries.map(withOthers);
    case 'stale-every-other-time':
      return reading.number % 2 === 0 ? entries : reading.former;
  }
}

/** The ends of these numbers are easy to guess, so that digits at random are never these. */
export const PINS_OF_OTHERS: readonly string[] = ['1234', '3210', '4444'];

/** Numbers of a host, of a portal and of a card, in every booking. */
const OTHERS = [
  'Host: Maria, +44 7700 901234',
  'Questions? Call our support: +1 415 550 3210 (4 guests)',
  'Card: Visa ending in 4444',
].join('\n');

const withOthers = (one: CalendarEntry): CalendarEntry => ({
  ...one,
  description: `${one.description}\n${OTHERS}`,
});

function startedToday(entry: CalendarEntry, day: string): CalendarEntry {
  const isThere = dayOf(entry.start) < day && dayOf(entry.end) > day;
  return isThere ? { ...entry, start: { kind: 'day', day } } : entry;
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
