// Splits the text of a calendar into its entries and time zones, without interpreting their lines.
import { LONGEST_LINE_CHARACTERS, unfoldedLines } from './calendar-lines.ts';

/** One calendar object. Its lines are unfolded; `null` stands for an entry whose lines are not well-formed. */
export interface ScannedCalendar {
  readonly method: string;
  readonly zones: readonly (readonly string[])[];
  readonly events: readonly (readonly string[] | null)[];
}

export type Scan =
  | { readonly kind: 'calendars'; readonly calendars: readonly ScannedCalendar[] }
  | {
      readonly kind: 'failed';
      readonly problem: 'empty' | 'web-page' | 'not-a-calendar' | 'incomplete' | 'too-many-entries';
    };

type Refusal = 'web-page' | 'not-a-calendar' | 'too-many-entries';

export const MOST_ENTRIES = 10_000;
/** Programs nest three levels: a calendar, a time zone and a part of that. Deeper text than this limit is no calendar. */
const DEEPEST = 8;
/** More zones or lines than any program writes; zones and lines beyond the limit are dropped. */
const MOST_ZONES = 100;
const MOST_LINES = 2_000;

const ENTRY_PROPERTIES: ReadonlySet<string> = new Set(
  'UID SEQUENCE STATUS X-MICROSOFT-CDO-BUSYSTATUS SUMMARY DESCRIPTION DTSTAMP LAST-MODIFIED DTSTART DTEND DURATION RRULE RDATE EXDATE EXRULE RECURRENCE-ID'.split(
    ' ',
  ),
);
/** Properties of which the beginning suffices; a cut line of any other property would change its meaning. */
const TEXTS: ReadonlySet<string> = new Set(['SUMMARY', 'DESCRIPTION']);

export function scanCalendar(text: string): Scan {
  const scanner = new Scanner();
  for (const line of unfoldedLines(text)) {
    const problem = scanner.take(line);
    if (problem !== null) {
      return { kind: 'failed', problem };
    }
  }
  return scanner.end();
}

class Scanner {
  readonly #calendars: { method: string; zones: string[][]; events: (string[] | null)[] }[] = [];
  readonly #open: string[] = [];
  #lines: string[] | null = null;
  #entries = 0;

  take(line: string): Refusal | null {
    const name = /^[A-Za-z0-9-]+/.exec(line)?.[0].toUpperCase() ?? '';
    const isMarker = (name === 'BEGIN' || name === 'END') && line[name.length] === ':';
    const component = isMarker
      ? line
          .slice(name.length + 1)
          .trim()
          .toUpperCase()
      : '';
    if (this.#open.length === 0) {
      return this.#takeOutside(component, line);
    }
    if (!isMarker) {
      this.#property(name, line);
      return null;
    }
    if (name === 'END') {
      this.#close(component, line);
      return null;
    }
    return this.#begin(component, line);
  }

  end(): Scan {
    if (this.#open.length > 0) {
      return { kind: 'failed', problem: 'incomplete' };
    }
    return this.#calendars.length === 0
      ? { kind: 'failed', problem: 'empty' }
      : { kind: 'calendars', calendars: this.#calendars };
  }

  /** Text after a complete calendar does not count, unless it is another calendar (RFC 5545, 3.4). */
  #takeOutside(component: string, line: string): Refusal | null {
    if (component === 'VCALENDAR' && /^BEGIN/i.test(line)) {
      this.#calendars.push({ method: '', zones: [], events: [] });
      this.#open.push(component);
      return null;
    }
    if (this.#calendars.length > 0) {
      return null;
    }
    return line.trimStart().startsWith('<') ? 'web-page' : 'not-a-calendar';
  }

  #begin(component: string, line: string): Refusal | null {
    if (component === 'VEVENT' && this.#open[1] === 'VEVENT') {
      // The previous entry has no end, so it is not known which lines are its own.
      this.#open.length = 1;
      this.#addEvent(null);
    }
    this.#open.push(component);
    if (this.#open.length > DEEPEST) {
      return 'not-a-calendar';
    }
    if (this.#open.length > 2) {
      this.#zoneLine(line);
    } else if (component === 'VEVENT' || component === 'VTIMEZONE') {
      this.#lines = component === 'VTIMEZONE' ? [line] : [];
      this.#entries += component === 'VEVENT' ? 1 : 0;
    }
    return this.#entries > MOST_ENTRIES ? 'too-many-entries' : null;
  }

  #close(component: string, line: string): void {
    const at = this.#open.lastIndexOf(component);
    if (at === -1) {
      return;
    }
    const [, outer] = this.#open;
    if (at === 0 && outer === 'VEVENT') {
      this.#addEvent(null);
    } else if (at <= 1 && outer === 'VEVENT') {
      this.#addEvent(this.#lines);
    } else if (outer === 'VTIMEZONE') {
      this.#zoneLine(line);
      this.#endZone(at);
    }
    this.#open.length = at;
  }

  #endZone(at: number): void {
    const calendar = this.#calendars.at(-1);
    const lines = this.#lines;
    if (
      at === 1 &&
      lines !== null &&
      lines.length <= MOST_LINES &&
      (calendar?.zones.length ?? 0) < MOST_ZONES
    ) {
      calendar?.zones.push(lines);
    }
    if (at <= 1) {
      this.#lines = null;
    }
  }

  #addEvent(lines: string[] | null): void {
    this.#calendars.at(-1)?.events.push(lines !== null && lines.length <= MOST_LINES ? lines : null);
    this.#lines = null;
  }

  #zoneLine(line: string): void {
    if (this.#open[1] === 'VTIMEZONE' && this.#lines !== null && this.#lines.length <= MOST_LINES) {
      this.#lines.push(line);
    }
  }

  #property(name: string, line: string): void {
    const calendar = this.#calendars.at(-1);
    if (this.#open.length === 1 && name === 'METHOD' && calendar !== undefined) {
      calendar.method = line
        .slice(line.indexOf(':') + 1)
        .trim()
        .toUpperCase();
    } else if (this.#open.length === 2 && this.#open[1] === 'VEVENT') {
      this.#entryLine(name, line);
    } else {
      this.#zoneLine(line);
    }
  }

  #entryLine(name: string, line: string): void {
    if (!ENTRY_PROPERTIES.has(name) || this.#lines === null || this.#lines.length > MOST_LINES) {
      return;
    }
    if (line.length >= LONGEST_LINE_CHARACTERS && !TEXTS.has(name)) {
      // This line exceeds the limit: the entry is left out.
      this.#lines.length = MOST_LINES + 1;
      return;
    }
    this.#lines.push(line);
  }
}
