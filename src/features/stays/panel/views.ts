// Stays as people see and change them on pages and on the command line.

import type { GuestLanguage } from '../../../domain/codes/guest-language.ts';
import type { Message } from '../../../domain/language/message.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { Cleaners } from '../keeping/cleaners.ts';
import type { CalendarCheck, StaysView } from '../keeping/stay-views.ts';
import type { HandBooking, HandField } from '../policy/hand-booking.ts';
import type { CalendarSettings } from '../policy/stay-calendar.ts';

export type {
  CalendarCheck,
  CalendarView,
  StaysView,
  StayView,
} from '../keeping/stay-views.ts';
export type { CalendarSettings } from '../policy/stay-calendar.ts';

/** A rule that an input breaks: the member, and the sentence for a person. It never repeats an address. */
export interface StayFault {
  readonly field: keyof CalendarSettings | 'address' | 'pin' | 'hours' | 'stay' | HandField;
  readonly words: Message;
}

/** `invalid`: nothing was changed. */
export type StayAnswer =
  | { readonly kind: 'saved'; readonly stays: StaysView }
  | { readonly kind: 'invalid'; readonly faults: readonly StayFault[] };

/** Hours of one stay, `HH:mm`; null: those of its calendar. */
export interface StayHours {
  readonly checkIn: string | null;
  readonly checkOut: string | null;
}

/** Members that are absent stay. The address is write-only: no answer has it. */
export interface CalendarChange extends Partial<CalendarSettings> {
  readonly address?: string;
}

/** Operations on stays. Rejects with the errors of `support/errors.ts`. */
export interface StaysApi {
  list(): StaysView;
  /** The digits, for a person who asks for them. */
  reveal(stay: string): string;
  skip(stay: string, isSkipped: boolean): StayAnswer;
  setHours(stay: string, hours: StayHours): StayAnswer;
  /** The language of the message to the guest; null: that of the calendar. */
  setLanguage(stay: string, language: GuestLanguage | null): StayAnswer;
  /** `isOut`: the guest has left before the end. Else the guest is still there, and has the code again. */
  checkOut(stay: string, isOut: boolean): StayAnswer;
  /** Null: random ones. */
  newCode(stay: string, pin: string | null): Promise<StayAnswer>;
  /** Gives the guest the code that is in reserve. */
  useReserve(stay: string): StayAnswer;
  /** Adds a stay by hand: to the calendar of just these locks, which is made where there is none. */
  add(typed: HandBooking, locks: readonly LockId[]): Promise<StayAnswer>;
  /** Removes a stay that was added by hand. */
  remove(stay: string): Promise<StayAnswer>;
  /** Reads one calendar or all now, and stores the believed part. */
  read(calendar: string | null): Promise<StaysView>;
  /** Reads one calendar or all now, and changes nothing. */
  check(calendar: string | null): Promise<readonly CalendarCheck[]>;
  /** What entries in the words of blocked nights are; reads the calendar again. */
  answer(calendar: string, are: 'bookings' | 'blocked'): Promise<StaysView>;
  addCalendar(change: CalendarChange): StayAnswer;
  changeCalendar(calendar: string, change: CalendarChange): StayAnswer;
  /** Its coming stays lose their codes; one that is under way keeps its code until its end. */
  removeCalendar(calendar: string): StayAnswer;
  /** The secret of a new address for others; the former one ends. Nothing but its digest is kept. */
  makeFeed(calendar: string): string;
  withdrawFeed(calendar: string): void;
  /** Null: no calendar has this secret. */
  readFeed(secret: string): string | null;
}

/** The open feature, as its operations use it. */
export interface StaysFeature {
  readonly api: StaysApi;
  /** Throws `not-owner` unless this process owns the account. */
  readonly cleaners: Pick<Cleaners, 'add' | 'change'>;
}
