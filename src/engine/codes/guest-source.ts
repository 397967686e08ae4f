// What gives guests codes beside a person: booking calendars, as the rest of the account sees them.
import type { CodeSchedule } from '../../domain/codes/access-code.ts';
import type { BookedStays } from '../../domain/codes/booked-stays.ts';
import type { GuestLanguage } from '../../domain/codes/guest-language.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { GuestDoor } from './standings.ts';

/** What a message to the guest of a stay says. */
export interface BookedGuest {
  /** Null: the booking names nobody. */
  readonly guest: string | null;
  readonly flat: string;
  readonly doors: readonly GuestDoor[];
  /** From the check-in to the check-out. */
  readonly when: CodeSchedule;
  readonly timeZone: string;
  /** Empty: the usual message. */
  readonly template: string;
  readonly language: GuestLanguage | null;
  readonly pin: string;
}

export interface GuestSource {
  readonly booked: BookedStays;
  /** Throws final for a stay that is unknown, over or skipped. */
  guestOf(stay: string): BookedGuest;
  /** The calendars, for a person who ends the account. */
  calendars(): readonly { readonly name: string; readonly from: 'config' | 'page' }[];
  /** No stay has a code any more, and none gets one. */
  skipAll(): void;
  /** Those of config.json stay. */
  removeCalendars(): void;
  /** A new lock has the place of an old one. Returns how many calendars and stays it concerns. Throws storage errors. */
  replaceLock(old: LockId, by: LockId): { readonly calendars: number; readonly stays: number };
  setUpAnew(): void;
}
