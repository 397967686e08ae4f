// A booking calendar as it is set up: whose locks it opens, at which hours, and how codes and names are made.

import type { GuestLanguage } from '../../../domain/codes/guest-language.ts';
import type { LockId } from '../../../domain/locks/lock.ts';

/** How the names of stays are made: from their dates, or from the words of the booking. */
export type StayNames = 'dates' | 'booking';

/** Minutes before the check-in and after the check-out, on one lock. */
export interface LockHours {
  readonly lock: LockId;
  readonly minutesBefore: number;
  readonly minutesAfter: number;
}

export interface CalendarSettings {
  readonly name: string;
  readonly locks: readonly LockId[];
  /** `HH:mm` on the clocks of the first of these locks. */
  readonly checkIn: string;
  readonly checkOut: string;
  /** How long before the check-in and after the check-out the code is valid. */
  readonly minutesBefore: number;
  readonly minutesAfter: number;
  /** Locks that open earlier and later than the others, such as the door of a house with several flats. */
  readonly lockHours: readonly LockHours[];
  /** Hours that stand in the text of a booking count before those of the entry and of the calendar. */
  readonly bookingHours: boolean;
  /** `phone`, `random`, or a template such as `{random2}{phone4}`. */
  readonly code: string;
  readonly names: StayNames;
  /** Entries that begin or end with one of these words are no stays. */
  readonly notStays: readonly string[];
  /** How long before the check-in the code is put on the locks. */
  readonly daysAhead: number;
  /** A calendar may end a stay that is under way. */
  readonly endEarly: boolean;
  /** The code ends on the last day once the guest seems to have left, without a person. */
  readonly endWhenLeft: boolean;
  /** The message to its guests, with places such as `{code}`; empty: the usual one. */
  readonly message: string;
  /** The language of that message, such as `de`; null: that of whoever copies it. */
  readonly language: GuestLanguage | null;
  /** One more code is kept on its locks, for a guest whose own is not there at the check-in. */
  readonly reserve: boolean;
}

export interface StayCalendar extends CalendarSettings {
  /** Stays the same for as long as the calendar exists. */
  readonly id: string;
}

/** What the ids of calendars of locks without a booking portal begin with: their stays are entered by hand, and nothing is read. */
export const BY_HAND = 'hand:';

export function isByHand({ id }: Pick<StayCalendar, 'id'>): boolean {
  return id.startsWith(BY_HAND);
}

/** The one lock that no other calendar opens, after which a calendar is called; undefined: there are several, or none. */
export function ownLock(
  locks: readonly LockId[],
  ofOthers: readonly (readonly LockId[])[],
): LockId | undefined {
  const own =
    locks.length === 1 ? locks : locks.filter((id) => !ofOthers.some((other) => other.includes(id)));
  return own.length === 1 ? own[0] : undefined;
}

/** Its locks that other homes open as well. Two calendars of the same locks are of one home. */
export function sharedLocks(
  { id, locks }: Pick<StayCalendar, 'id' | 'locks'>,
  all: readonly Pick<StayCalendar, 'id' | 'locks'>[],
): ReadonlySet<LockId> {
  const others = all.filter(
    (one) =>
      one.id !== id &&
      !(one.locks.length === locks.length && one.locks.every((lock) => locks.includes(lock))),
  );
  return new Set(locks.filter((lock) => others.some((one) => one.locks.includes(lock))));
}
