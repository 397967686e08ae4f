// What poor programs write into a calendar: its entries as text in their forms, read again by the plugin's own reader.
import { parseCalendar } from '../../src/features/stays/calendar/parse-calendar.ts';
import type { CalendarEntry, CalendarTime } from '../../src/features/stays/policy/calendar-ports.ts';
import { calendar, event } from './calendar-text.ts';

export const WRITTEN_HABITS = [
  'one-id-for-all',
  'no-ids',
  'sequence-falls',
  'hours-with-zones',
  'midnights-of-all-kinds',
  'tentative',
] as const;

export type WrittenHabit = (typeof WRITTEN_HABITS)[number];

const DAY_MS = 86_400_000;
const LONG_AGO = Date.UTC(2000, 0, 1);
const FAR_AHEAD = Date.UTC(2100, 0, 1);

/** The entries as they are read out of such a text. `number` counts the readings. */
export function asWritten(
  habit: WrittenHabit,
  entries: readonly CalendarEntry[],
  number: number,
): readonly CalendarEntry[] {
  const text = calendar(ZONES, ...entries.flatMap((one, index) => written(habit, one, { number, index })));
  const known = readBefore.get(text);
  if (known !== undefined) {
    return known;
  }
  const read = parseCalendar(text, { from: LONG_AGO, until: FAR_AHEAD });
  if (read.kind === 'failed') {
    throw new Error(`A calendar ${habit} could not be read: ${read.problem}`);
  }
  if (readBefore.size >= MOST_TEXTS) {
    readBefore.clear();
  }
  readBefore.set(text, read.entries);
  return read.entries;
}

/** Years read the same texts over and over. The form whose `SEQUENCE` falls is another text each time. */
const readBefore = new Map<string, readonly CalendarEntry[]>();
const MOST_TEXTS = 100;

function written(
  habit: WrittenHabit,
  { uid, start, end, summary, description }: CalendarEntry,
  { number, index }: { readonly number: number; readonly index: number },
): readonly string[] {
  const [from, until] = [dayOf(start), dayOf(end)];
  const title = `SUMMARY:${summary}`;
  const text = description === '' ? [] : [`DESCRIPTION:${description.replaceAll('\n', '\\n')}`];
  const days = [`DTSTART;VALUE=DATE:${from}`, `DTEND;VALUE=DATE:${until}`];
  switch (habit) {
    case 'one-id-for-all':
      return [event('UID:calendar@portal', ...days, title, ...text)];
    case 'no-ids':
      return [event('UID:', ...days, title, ...text)];
    case 'sequence-falls':
      return [event(`UID:${uid}`, `SEQUENCE:${String(2_000_000_000 - number)}`, ...days, title, ...text)];
    case 'hours-with-zones': {
      const [zone, ahead] = HOURS[index % HOURS.length] ?? ['Europe/Paris', 0];
      const [checkIn, checkOut] = [15 + ahead, 11 + ahead].map((hour) => `T${String(hour)}0000`);
      const hours = [
        `DTSTART;TZID=${zone}:${from}${checkIn ?? ''}`,
        `DTEND;TZID=${zone}:${until}${checkOut ?? ''}`,
      ];
      return [event(`UID:${uid}`, ...hours, title, ...text)];
    }
    case 'midnights-of-all-kinds':
      return [event(`UID:${uid}`, ...(midnights(from, until)[index % 4] ?? []), title, ...text)];
    case 'tentative':
      return [
        event(`UID:${uid}`, 'STATUS:CONFIRMED', ...days, title, ...text),
        event(`UID:asked-${uid}`, 'STATUS:TENTATIVE', ...days, 'SUMMARY:Reserved - Somebody Else'),
      ];
  }
}

/** Zones that give the hours of Paris, and by how many hours their clocks differ. The rules in the text are wrong for the first. */
const HOURS: readonly (readonly [zone: string, ahead: number])[] = [
  ['Europe/Paris', 0],
  ['Romance Standard Time', 0],
  ['Europe/London', -1],
  ['Europe/Helsinki', 1],
];

/** Rules without an `RRULE`, as old programs write them: the name of the zone counts. */
const ZONES = [
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Paris',
  'BEGIN:STANDARD',
  'DTSTART:19701025T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
  '',
].join('\r\n');

/** In UTC, on the clocks of the lock, to a minute before midnight, and a date beside a time. */
function midnights(from: string, until: string): readonly (readonly string[])[] {
  const last = stampOf(Date.parse(dashed(until)) - DAY_MS);
  return [
    [`DTSTART:${from}T000000Z`, `DTEND:${until}T000000Z`],
    [`DTSTART:${from}T000000`, `DTEND:${until}T000000`],
    [`DTSTART:${from}T000000`, `DTEND:${last}T235900`],
    [`DTSTART;VALUE=DATE:${from}T000000`, `DTEND;VALUE=DATE:${until}T000000`],
  ];
}

const stampOf = (at: number): string => new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
const dashed = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;

function dayOf(time: CalendarTime): string {
  if (time.kind !== 'day') {
    throw new Error('The entries of these homes are days.');
  }
  return time.day.replaceAll('-', '');
}
