// A stay that a person enters: checked, and made a booking as a calendar would give it.
import { type Message, message } from '../../../domain/language/message.ts';
import { localOf } from '../../../domain/time/local-hours.ts';
import { instantsOf, isLocalDateTime } from '../../../domain/time/schedule-time.ts';
import { nameWords } from './booking-terms.ts';
import type { Booking } from './stay.ts';
import { MS_PER_DAY, NO_OFFSET } from './stay-hours.ts';

export interface HandBooking {
  readonly name: string;
  /** Days such as `2026-12-12`; `until` is that of the check-out. */
  readonly from: string;
  readonly until: string;
  /** The guest's phone or its last four digits; empty: none. Of it, the last four digits are kept. */
  readonly phone: string;
}

export type HandField = 'name' | 'from' | 'until' | 'phone';

const DAY = /^\d{4}-\d{2}-\d{2}$/u;
const MIDNIGHT = '00:00';
const LONGEST_NAME = 60;
/** A longer stay is a mistake of typing more often than a guest (our choice). */
const MOST_NIGHTS = 730;

/** The first fault; null: it can be a booking. */
export function faultOfHandBooking({
  name,
  from,
  until,
  phone,
}: HandBooking): readonly [HandField, Message] | null {
  if (name.trim() === '' || name.trim().length > LONGEST_NAME) {
    return ['name', message('Enter a name of at most {most} characters.', { most: LONGEST_NAME })];
  }
  if (!isDay(from)) {
    return ['from', message('Enter the day of the check-in.')];
  }
  if (!isDay(until)) {
    return ['until', message('Enter the day of the check-out.')];
  }
  if (until <= from) {
    return ['until', message('The check-out must be after the check-in.')];
  }
  if (midnightOf(until) - midnightOf(from) > MOST_NIGHTS * MS_PER_DAY) {
    return ['until', message('This stay is too long. Give the guest a code on the Codes page instead.')];
  }
  const digits = phone.replaceAll(/\D/gu, '');
  return phone.trim() !== '' && (digits.length < 4 || digits.length > 15)
    ? ['phone', message('Enter the phone number, or its last four digits.')]
    : null;
}

export function handBooking({ name, from, until, phone }: HandBooking, id: string): Booking {
  const digits = phone.replaceAll(/\D/gu, '');
  return {
    uid: `by hand ${id}`,
    start: { kind: 'day', day: from },
    end: { kind: 'day', day: until },
    summary: name.trim(),
    phone4: digits === '' ? null : digits.slice(-4),
    references: [],
    guest: nameWords(name),
    isByHand: true,
  };
}

function isDay(text: string): boolean {
  return DAY.test(text) && isLocalDateTime(localOf(text, MIDNIGHT));
}

function midnightOf(day: string): number {
  return instantsOf(NO_OFFSET, localOf(day, MIDNIGHT)).at;
}
