// A booked stay: the entry of its calendar, the decisions of a person, and the progress of its code.

import type { GuestLanguage } from '../../../domain/codes/guest-language.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { CalendarTime } from './calendar-ports.ts';

/** The stored members of a calendar's entry. Foreign text; the phone number itself is not stored. */
export interface Booking {
  readonly uid: string;
  readonly start: CalendarTime;
  readonly end: CalendarTime;
  /** The title of the booking, at most 60 characters. */
  readonly summary: string;
  /** The last four digits of the guest's phone; null where the booking lacks them. */
  readonly phone4: string | null;
  /** A person entered it: no calendar has it. */
  readonly isByHand?: true;
  /** The text holds a number that other bookings have as well: it is nobody's. */
  readonly isPhoneShared?: boolean;
  /** Numbers of the reservation, by which it is known again; absent in records of earlier versions. */
  readonly references?: readonly string[];
  /** Hours that its text says; absent: none. */
  readonly said?: OwnHours;
  /** The folded words of the guest's name; null where the booking names nobody. */
  readonly guest?: string | null;
}

/** Check-in and check-out, and from when to when the code opens. */
export interface StayWindow {
  readonly arrivalAt: Instant;
  readonly departureAt: Instant;
  readonly opensAt: Instant;
  readonly closesAt: Instant;
}

/** Hours of one stay, `HH:mm`; null: those of its calendar, or of its entry. */
export interface OwnHours {
  readonly checkIn: string | null;
  readonly checkOut: string | null;
}

/** A stay is stored among the secrets, because it holds digits. */
export interface Stay {
  readonly id: string;
  readonly calendarId: string;
  readonly booking: Booking;
  /** The hours in force: those of a stay under way may differ from the present booking. */
  readonly window: StayWindow;
  readonly hours: OwnHours;
  /** The booking is no longer in the calendar. */
  readonly isCancelled: boolean;
  /** A person wants no code for it. */
  readonly isSkipped: boolean;
  /** Name and digits of its code; null: not chosen yet. Once chosen, the stay keeps both. */
  readonly name: string | null;
  readonly pin: string | null;
  /** A guest of the account keeps its code on the locks. */
  readonly isGiven: boolean;
  /** When the code was on all locks; when it was used first; when the stay ended; when the code was gone from all. */
  readonly readyAt: Instant | null;
  readonly arrivedAt: Instant | null;
  readonly endedAt: Instant | null;
  readonly goneAt: Instant | null;
  /** The guest has left before the end, by a person's word or by the doors; absent: not so. */
  readonly checkedOutAt?: Instant;
  /** A person said then that the guest is there: earlier moves of the doors prove nothing. Absent: nobody did. */
  readonly stillHereAt?: Instant;
  /** So many hours before the check-in the host was told last that the code is not ready; absent: never. */
  readonly warnedHours?: number;
  /** The guest of the account whose code was in reserve and is this stay's; absent: none. */
  readonly reserveId?: string;
  /** The language of the message to the guest; absent: that of the calendar. */
  readonly language?: GuestLanguage;
  /** Full locks on which it gave its place to a stay that begins earlier; absent: none. */
  readonly gaveWay?: readonly LockId[];
}

export function isUnderWay({ window }: Pick<Stay, 'window'>, now: Instant): boolean {
  return window.opensAt <= now && now < window.closesAt;
}

export function sameTime(a: CalendarTime, b: CalendarTime): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Identifies a booking among those of a calendar: one id may be given to another guest. */
export function bookingKey({ uid, guest, phone4 }: Booking): string {
  return [uid, guest ?? '', phone4 ?? ''].join('\n');
}
