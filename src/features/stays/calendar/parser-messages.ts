// The messages between this process and its thread that reads calendars.
import type { CalendarEntry } from '../policy/calendar-ports.ts';
import type { CalendarProblem } from './calendar-problems.ts';
import type { CalendarBody } from './calendar-text.ts';
import type { Span } from './entry-series.ts';

export interface ParserTask {
  readonly body: CalendarBody;
  readonly span: Span;
}

/** Entries come in portions on request, so that receiving them does not block this process. */
export type ParserAnswer =
  | { readonly kind: 'some'; readonly entries: readonly CalendarEntry[] }
  | ({ readonly kind: 'end' } & ReadFacts)
  | { readonly kind: 'failed'; readonly problem: CalendarProblem };

/** What is said of a calendar beside its entries. */
export interface ReadFacts {
  readonly leftOut: number;
  /** Some of those that were left out, by title and day. */
  readonly leftOutNames: readonly string[];
  /** Zones that nothing explains: of their times, only the days count. */
  readonly unknownZones: readonly string[];
  /** Entries whose rule of repetition is none, by title and day: only their first time was read. */
  readonly badRules: readonly string[];
}

/** Asks for the next portion. The first one comes unasked. */
export const NEXT = 'next';
