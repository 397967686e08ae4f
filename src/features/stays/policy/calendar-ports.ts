// Interfaces that stays need from the reader of booking calendars.
import type { Message } from '../../../domain/language/message.ts';
import type { Instant } from '../../../domain/time/instant.ts';

/** `day` and `local` are on the clocks of the lock: `2026-12-12`, `2026-12-12T15:00`. */
export type CalendarTime =
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'local'; readonly local: string }
  | { readonly kind: 'instant'; readonly at: Instant };

/** One entry of a calendar, or one occurrence of a series. */
export interface CalendarEntry {
  /** Unique within a reading: the id of an occurrence carries its original start as well. */
  readonly uid: string;
  readonly sequence: number;
  readonly isCancelled: boolean;
  /** The calendar calls it not confirmed; absent: it is confirmed. */
  readonly isTentative?: boolean;
  readonly start: CalendarTime;
  /** Exclusive: for all-day entries, the day of the check-out. */
  readonly end: CalendarTime;
  /** One line, at most 200 characters; empty when there is none. */
  readonly summary: string;
  /** At most 2,000 characters; empty when there is none. */
  readonly description: string;
}

/** The validators that make the next reading of an unchanged calendar short. */
export interface CalendarValidators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type CalendarFailure =
  | 'unreachable'
  | 'timed-out'
  | 'bad-certificate'
  | 'address-refused'
  | 'redirect-refused'
  | 'not-found'
  | 'refused'
  | 'failing'
  | 'not-a-calendar'
  | 'empty'
  | 'incomplete'
  | 'too-large'
  | 'too-many-entries';

export type CalendarReading =
  | {
      readonly kind: 'entries';
      readonly entries: readonly CalendarEntry[];
      /** Entries that could not be understood, and were left out. */
      readonly leftOut: number;
      /** Some of them by title and day, such as `Anna, 2026-12-12`. Foreign text. */
      readonly leftOutNames?: readonly string[];
      /** Zones that nothing explains: of their times, only the days count. Foreign text. */
      readonly unknownZones?: readonly string[];
      /** Entries that repeat by a rule that is none: only their first time was read. Foreign text. */
      readonly badRules?: readonly string[];
      readonly validators: CalendarValidators;
    }
  | { readonly kind: 'unchanged' }
  /** `words`: what is wrong and what to do, without the address or a part of the answer. */
  | {
      readonly kind: 'failed';
      readonly failure: CalendarFailure;
      readonly words: Message /** The portal asks not to be called before this has passed. */;
      readonly retryAfterMs?: number;
    };

export interface CalendarQuestion {
  /** The secret address of the calendar. Never logged. */
  readonly address: string;
  readonly validators: CalendarValidators | null;
  /** Entries that end before, or begin after, are left out; occurrences are made within this span alone. */
  readonly from: Instant;
  readonly until: Instant;
}

/** Reads one booking calendar. Never rejects: a failure is a reading. */
export interface CalendarGateway {
  read(question: CalendarQuestion): Promise<CalendarReading>;
}
