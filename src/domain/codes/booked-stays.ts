// Stays that were booked, as those see them who show who comes to a flat: no digits, no phone and no words of the booking.
import type { LockId } from '../locks/lock.ts';
import type { Instant } from '../time/instant.ts';

/** `planned`: the code is put on the locks later. `preparing`: it is not on all of them yet. */
export type StayPhase =
  | 'planned'
  | 'preparing'
  | 'ready'
  | 'arrived'
  /** The stay is over or cancelled, and its code may still be on a lock. */
  | 'leaving'
  | 'gone'
  | 'skipped';

export interface BookedStay {
  readonly calendarId: string;
  /** The name of the code on the locks: `Stay 12-15 Dec`. */
  readonly name: string;
  readonly phase: StayPhase;
  /** Check-in and check-out. */
  readonly arrivalAt: Instant;
  readonly departureAt: Instant;
  readonly arrivedAt: Instant | null;
  /** The code is on all locks of the calendar. */
  readonly isCodeReady: boolean;
  /** It is not, and the host was told so a day before the check-in. */
  readonly isCodeLate: boolean;
}

/** The flat of a booking calendar. */
export interface BookedFlat {
  readonly id: string;
  readonly name: string;
  readonly locks: readonly LockId[];
}

export interface BookedStays {
  calendars(): readonly BookedFlat[];
  list(): readonly BookedStay[];
  subscribe(listener: () => void): () => void;
}

/** The name of a stay in an event. */
export interface StayMark {
  readonly id: string;
  /** The name of its calendar. */
  readonly calendar: string;
  readonly name: string;
  readonly locks: readonly LockId[];
  /** Check-in and check-out, without the minutes before and after. */
  readonly arrivalAt: Instant;
  readonly departureAt: Instant;
}
