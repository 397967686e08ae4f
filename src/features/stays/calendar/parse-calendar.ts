// Reads the text of a calendar. Broken entries are left out and counted, unless all are broken.
import type { CalendarEntry } from '../policy/calendar-ports.ts';
import { oneLine } from './bounded-text.ts';
import type { CalendarProblem } from './calendar-problems.ts';
import { MOST_ENTRIES, type ScannedCalendar, scanCalendar } from './calendar-scan.ts';
import { textOf } from './calendar-text.ts';
import { CalendarZones } from './calendar-zones.ts';
import { entriesOf, type Span } from './entry-series.ts';
import { stampOf } from './entry-time.ts';
import type { ParserTask, ReadFacts } from './parser-messages.ts';
import { type RawEntry, readEntry } from './raw-entry.ts';

export type ParsedCalendar =
  | ({ readonly kind: 'entries'; readonly entries: readonly CalendarEntry[] } & ReadFacts)
  | { readonly kind: 'failed'; readonly problem: CalendarProblem };

const MOST_NAMES = 5;

export function parseBody({ body, span }: ParserTask): ParsedCalendar {
  const text = textOf(body);
  return text === null ? { kind: 'failed', problem: 'too-large' } : parseCalendar(text, span);
}

export function parseCalendar(text: string, span: Span): ParsedCalendar {
  const scan = scanCalendar(text);
  if (scan.kind === 'failed') {
    return scan;
  }
  const calendars = scan.calendars.map((one) => ({ scanned: one, known: new CalendarZones(one.zones) }));
  const read = calendars.flatMap(entriesIn);
  const listed = read.filter((entry) => typeof entry !== 'string');
  if (listed.length === 0 && read.length > 0) {
    return { kind: 'failed', problem: 'nothing-understood' };
  }
  const made = entriesOf(listed, span, MOST_ENTRIES);
  if (typeof made === 'string') {
    return { kind: 'failed', problem: made };
  }
  const leftOut = [
    ...read.filter((entry) => typeof entry === 'string'),
    ...made.leftOut.map(({ summary, start }) => nameOf(summary, stampOf(start))),
  ];
  return {
    kind: 'entries',
    entries: made.entries,
    leftOut: leftOut.length,
    leftOutNames: leftOut.filter((name) => name !== '').slice(0, MOST_NAMES),
    badRules: listed
      .filter(({ hasBadRule }) => hasBadRule)
      .slice(0, MOST_NAMES)
      .map(({ summary, start }) => nameOf(summary, stampOf(start))),
    unknownZones: calendars.flatMap(({ known }) => [...known.unknown].slice(0, MOST_NAMES).map(oneLine)),
  };
}

/** The entries; the name of one that could not be understood, which may be empty. */
function entriesIn({
  scanned: { method, events },
  known,
}: {
  readonly scanned: ScannedCalendar;
  readonly known: CalendarZones;
}): readonly (RawEntry | string)[] {
  const isCancelled = method === 'CANCEL';
  return events.map((lines) => {
    try {
      const entry = lines === null ? '' : readEntry(lines, known);
      return typeof entry !== 'string' && isCancelled ? { ...entry, isCancelled } : entry;
    } catch {
      return writtenName(lines ?? []);
    }
  });
}

function writtenName(lines: readonly string[]): string {
  const valueOf = (name: RegExp): string => {
    const line = lines.find((one) => name.test(one)) ?? '';
    return line.slice(line.indexOf(':') + 1);
  };
  return nameOf(valueOf(/^SUMMARY[:;]/iu), valueOf(/^DTSTART[:;]/iu));
}

/** `Anna, 2026-12-12`. */
function nameOf(title: string, start: string): string {
  const day = /^(\d{4})-?(\d\d)-?(\d\d)/u.exec(start)?.slice(1, 4).join('-') ?? '';
  return [oneLine(title).slice(0, 60), day].filter((part) => part !== '').join(', ');
}
