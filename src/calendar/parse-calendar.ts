// Reads the text of a calendar. Broken entries are left out and counted, unless all are broken.
import type { CalendarEntry } from '../domain/stays/calendar-ports.ts';
import type { CalendarProblem } from './calendar-problems.ts';
import { MOST_ENTRIES, type ScannedCalendar, scanCalendar } from './calendar-scan.ts';
import { textOf } from './calendar-text.ts';
import { CalendarZones } from './calendar-zones.ts';
import { entriesOf, type Span } from './entry-series.ts';
import type { ParserTask } from './parser-messages.ts';
import { type RawEntry, readEntry } from './raw-entry.ts';

export type ParsedCalendar =
  | { readonly kind: 'entries'; readonly entries: readonly CalendarEntry[]; readonly leftOut: number }
  | { readonly kind: 'failed'; readonly problem: CalendarProblem };

export function parseBody({ body, span }: ParserTask): ParsedCalendar {
  const text = textOf(body);
  return text === null ? { kind: 'failed', problem: 'too-large' } : parseCalendar(text, span);
}

export function parseCalendar(text: string, span: Span): ParsedCalendar {
  const scan = scanCalendar(text);
  if (scan.kind === 'failed') {
    return scan;
  }
  const read = scan.calendars.flatMap(entriesIn);
  const listed = read.filter((entry) => entry !== null);
  if (listed.length === 0 && read.length > 0) {
    return { kind: 'failed', problem: 'nothing-understood' };
  }
  const made = entriesOf(listed, span, MOST_ENTRIES);
  return typeof made === 'string'
    ? { kind: 'failed', problem: made }
    : { kind: 'entries', entries: made.entries, leftOut: made.leftOut + read.length - listed.length };
}

/** The entries; null for one that could not be understood. */
function entriesIn({ method, zones, events }: ScannedCalendar): readonly (RawEntry | null)[] {
  const known = new CalendarZones(zones);
  const isCancelled = method === 'CANCEL';
  return events.map((lines) => {
    try {
      const entry = lines === null ? null : readEntry(lines, known);
      return entry !== null && isCancelled ? { ...entry, isCancelled } : entry;
    } catch {
      return null;
    }
  });
}
