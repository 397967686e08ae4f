// The fields of a calendar that a person typed, and the members that are sent.

import { type GuestLanguage } from '../../../src/domain/codes/guest-language.ts';
import { message } from '../../../src/domain/language/message.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { CalendarChange, CalendarView, StayFault } from '../../../src/features/stays/panel/views.ts';
import { type LockHours, ownLock } from '../../../src/features/stays/policy/stay-calendar.ts';
import { seriesWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';

/** Empty: as the calendar has it. */
export interface TypedLockHours {
  readonly lock: LockId;
  readonly minutesBefore: string;
  readonly minutesAfter: string;
}

/** The text of the fields. */
export interface TypedCalendar {
  readonly name: string;
  readonly address: string;
  readonly locks: readonly LockId[];
  readonly checkIn: string;
  readonly checkOut: string;
  readonly minutesBefore: string;
  readonly minutesAfter: string;
  readonly code: string;
  readonly names: 'dates' | 'booking';
  readonly notStays: string;
  readonly daysAhead: string;
  readonly endEarly: boolean;
  readonly endWhenLeft: boolean;
  readonly lockHours: readonly TypedLockHours[];
  readonly bookingHours: boolean;
  readonly reserve: boolean;
  readonly message: string;
  readonly language: GuestLanguage | null;
}

/** The values that a new calendar has unless a person enters others. */
const USUAL: Omit<TypedCalendar, 'locks'> = {
  name: '',
  address: '',
  checkIn: '15:00',
  checkOut: '11:00',
  minutesBefore: '0',
  minutesAfter: '0',
  code: 'phone',
  names: 'dates',
  notStays: '',
  daysAhead: '7',
  endEarly: false,
  endWhenLeft: false,
  lockHours: [],
  bookingHours: false,
  reserve: false,
  message: '',
  language: null,
};

/** With a single lock there is nothing to choose. */
export function typedCalendar(calendar: CalendarView | null, locks: readonly LockId[]): TypedCalendar {
  if (calendar === null) {
    return { ...USUAL, locks: locks.length === 1 ? locks : [] };
  }
  const { name, checkIn, checkOut, code, names, endEarly, endWhenLeft, reserve, language } = calendar;
  return {
    name,
    checkIn,
    checkOut,
    code,
    names,
    endEarly,
    endWhenLeft,
    reserve,
    bookingHours: calendar.bookingHours,
    lockHours: calendar.lockHours.map(({ lock, minutesBefore, minutesAfter }) => ({
      lock,
      minutesBefore: String(minutesBefore),
      minutesAfter: String(minutesAfter),
    })),
    message: calendar.message,
    language,
    address: '',
    locks: calendar.locks,
    minutesBefore: String(calendar.minutesBefore),
    minutesAfter: String(calendar.minutesAfter),
    notStays: seriesWords(calendar.notStays),
    daysAhead: String(calendar.daysAhead),
  };
}

/** Untouched members are left out: they stay, or have their defaults. The address is sent where one was typed. */
export function changeOf(opened: TypedCalendar, typed: TypedCalendar): CalendarChange {
  const address = typed.address.trim();
  const sent: Omit<CalendarChange, 'address'> = {
    name: typed.name.trim(),
    locks: typed.locks,
    checkIn: typed.checkIn.trim(),
    checkOut: typed.checkOut.trim(),
    minutesBefore: Number(typed.minutesBefore),
    minutesAfter: Number(typed.minutesAfter),
    code: typed.code.trim(),
    names: typed.names,
    notStays: wordsOf(typed.notStays),
    daysAhead: Number(typed.daysAhead),
    endEarly: typed.endEarly,
    endWhenLeft: typed.endWhenLeft,
    bookingHours: typed.bookingHours,
    lockHours: lockHoursOf(typed),
    reserve: typed.reserve,
    message: typed.message.trim(),
    language: typed.language,
  };
  const touched = new Set(
    Object.entries(typed).flatMap(([member, value]) =>
      Object.entries(opened).some(([one, before]) => one === member && before === value) ? [] : [member],
    ),
  );
  return {
    ...Object.fromEntries(Object.entries(sent).filter(([member]) => touched.has(member))),
    ...(address === '' ? {} : { address }),
  };
}

/** Without those of locks that are not chosen, and of which nothing was entered. */
function lockHoursOf({ lockHours, locks, minutesBefore, minutesAfter }: TypedCalendar): readonly LockHours[] {
  return lockHours
    .filter(
      ({ lock, ...typed }) => locks.includes(lock) && Object.values(typed).some((one) => one.trim() !== ''),
    )
    .map((one) => ({
      lock: one.lock,
      minutesBefore: Number(one.minutesBefore.trim() || minutesBefore),
      minutesAfter: Number(one.minutesAfter.trim() || minutesAfter),
    }));
}

/** Faults that are found before anything is sent. */
export function faultsBefore(typed: TypedCalendar, isNew: boolean): readonly StayFault[] {
  const numbers = (['minutesBefore', 'minutesAfter', 'daysAhead'] as const).filter(
    (member) => !/^\d{1,4}$/u.test(typed[member].trim()),
  );
  return [
    ...(isNew && typed.address.trim() === ''
      ? [{ field: 'address', words: message('Paste the address of the calendar.') } as const]
      : []),
    ...(typed.locks.length === 0
      ? [{ field: 'locks', words: message('Choose at least one lock.') } as const]
      : []),
    ...(typed.lockHours.some(({ minutesBefore, minutesAfter }) =>
      [minutesBefore, minutesAfter].some((minutes) => !/^\d{0,4}$/u.test(minutes.trim())),
    )
      ? [{ field: 'lockHours', words: message('Enter a whole number.') } as const]
      : []),
    ...numbers.map((field) => ({ field, words: message('Enter a whole number.') })),
  ];
}

/** Longer names are refused. */
const LONGEST_NAME = 40;

/** The name of a new calendar: that of its own lock, else a plain one, which no other calendar has. */
export function suggestedName(
  locks: readonly { readonly id: LockId; readonly name: string }[],
  calendars: readonly Pick<CalendarView, 'name' | 'locks'>[],
): string {
  const own = ownLock(
    locks.map(({ id }) => id),
    calendars.map((one) => one.locks),
  );
  const after = locks.find(({ id }) => id === own)?.name ?? '';
  const taken = calendars.map(({ name }) => name);
  const name = after === '' ? t('Bookings') : after.slice(0, LONGEST_NAME - 3);
  const known = new Set(taken.map((one) => one.toLowerCase()));
  let number = 1;
  const numbered = (): string => (number === 1 ? name : `${name} ${String(number)}`);
  while (known.has(numbered().toLowerCase())) {
    number += 1;
  }
  return numbered();
}

/** "Blocked, Closed" as single words. */
export function wordsOf(list: string): readonly string[] {
  return list
    .split(/[,、]/u)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
