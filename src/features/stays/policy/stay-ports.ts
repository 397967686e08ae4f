// Interfaces that stays need from the storage and from how calendars are set up.
import type { UnreadRow } from '../../../domain/codes/ports.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { Belief } from './belief-policy.ts';
import type { CalendarValidators } from './calendar-ports.ts';
import type { Booking, Stay } from './stay.ts';
import type { StayCalendar } from './stay-calendar.ts';

/** The entries of a reading: stays, those that are none by their words, not confirmed ones, and those left out. */
export interface EntryCounts {
  readonly stays: number;
  readonly notStays: number;
  readonly leftOut: number;
  readonly unconfirmed?: number;
  /** Entries that mark the arrival or the departure of a stay. */
  readonly marks?: number;
}

/** Entries that count as blocked nights: some of their titles, and the words of these that say so. */
export interface BlockedWords {
  readonly titles: readonly string[];
  readonly marks: readonly string[];
}

/** The stored state of a calendar. It is a secret: it holds digits of phones. */
export interface CalendarRecord extends Belief {
  readonly calendarId: string;
  readonly validators: CalendarValidators | null;
  /** Identifies the address that was read: the validators belong to this address alone. */
  readonly addressMark: string;
  /** When the calendar was last read completely, and last understood and believed. */
  readonly wholeAt: Instant | null;
  readonly lastGoodAt: Instant | null;
  readonly counts: EntryCounts;
  readonly blocked?: BlockedWords;
  /** What the host has said of such words. */
  readonly bookingMarks?: readonly string[];
  readonly blockedMarks?: readonly string[];
  /** Names that every booking had, so that they are no guest's. */
  readonly commonNames?: readonly string[];
  /** Entries that were left out, by their titles and days. */
  readonly leftOut?: readonly string[];
  readonly unknownZones?: readonly string[];
  readonly badRules?: readonly string[];
  /** Bookings that a person entered; absent: none. */
  readonly byHand?: readonly Booking[];
  /** Digits of stays that are no longer stored. */
  readonly spentPins?: readonly string[];
  /** The number of bookings whose own hours look wrong. */
  readonly oddArrivals?: number;
}

/** Stays and calendars across restarts. Every call throws retry (`storage-failed`). */
export interface StayStore {
  stays(): readonly Stay[];
  /** On the disk when it returns. */
  saveStay(stay: Stay): void;
  eraseStay(id: string): void;
  /** Rows that cannot be read, and stay as they are on the disk. */
  unreadStays(): readonly UnreadRow[];
  unreadCalendars(): readonly UnreadRow[];
  eraseUnread(): void;
  /** Whether a person is ending the account. */
  isEnding(): boolean;
  saveEnding(isEnding: boolean): void;
  calendars(): readonly CalendarRecord[];
  saveCalendar(record: CalendarRecord): void;
  eraseCalendar(id: string): void;
}

export interface CalendarAddress {
  /** A secret. Never logged. */
  readonly address: string;
  /** A digest that changes with the address, and does not reveal it. */
  readonly mark: string;
}

export interface CalendarSetup {
  calendars(): readonly StayCalendar[];
  /** The ids of calendars whose settings cannot be read: they are not removed. */
  unread(): readonly string[];
  /** Null: no address was entered yet. */
  addressOf(id: string): CalendarAddress | null;
}
