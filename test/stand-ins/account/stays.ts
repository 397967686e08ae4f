// Booking calendars and stays as the pages are given them: one home, whose guests come and go around today.
import { message, verbatim } from '../../../src/domain/language/message.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { localDay } from '../../../src/domain/time/local-hours.ts';
import { instantsOf } from '../../../src/domain/time/schedule-time.ts';
import type { CalendarView, StaysView, StayView } from '../../../src/features/stays/panel/views.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { systemClock } from '../../../src/support/clock.ts';

const ZONE = 'Europe/Paris';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export function aCalendar(options: Partial<CalendarView> = {}): CalendarView {
  const now = systemClock.now();
  return {
    id: 'page:1',
    name: 'Garden flat',
    locks: [lockId('id-of-Front door')],
    checkIn: '15:00',
    checkOut: '11:00',
    minutesBefore: 0,
    minutesAfter: 0,
    lockHours: [],
    bookingHours: false,
    code: 'phone',
    names: 'dates',
    notStays: ['Blocked', 'Closed'],
    daysAhead: 7,
    endEarly: false,
    endWhenLeft: false,
    message: '',
    language: null,
    reserve: false,
    from: 'page',
    addressFrom: 'page',
    host: 'calendar.portal.example',
    hasFeed: false,
    lockNames: ['Front door'],
    timeZone: ZONE,
    lastGoodAt: now - 10 * MINUTE_MS,
    nextReadingAt: now + 20 * MINUTE_MS,
    trouble: null,
    doubt: null,
    notices: [],
    question: null,
    counts: { stays: 4, notStays: 1, marks: 0, unconfirmed: 0, leftOut: 0 },
    ...options,
  };
}

/** The day this many days from today, at the lock. */
export function dayThere(days: number): string {
  return localDay(systemClock.now() + days * DAY_MS, ZONE);
}

function at(day: string, hour: number): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return instantsOf(ZONE, { year, month, day: date, hour, minute: 0 }).at;
}

/** A stay from this many days from today until so many; negative ones are past. */
export function aStay(from: number, until: number, options: Partial<StayView> = {}): StayView {
  const [arrivalDay, departureDay] = [dayThere(from), dayThere(until)];
  const [arrivalAt, departureAt] = [at(arrivalDay, 15), at(departureDay, 11)];
  return {
    id: `s${String(from)}`,
    calendarId: 'page:1',
    calendarName: 'Garden flat',
    name: `Stay ${arrivalDay.slice(5)}`,
    booking: '',
    arrivalAt,
    departureAt,
    arrivalDay,
    departureDay,
    checkIn: '15:00',
    checkOut: '11:00',
    timeZone: ZONE,
    isByHand: false,
    hasOwnHours: false,
    hasBookingHours: false,
    opensAt: arrivalAt,
    closesAt: departureAt,
    phase: 'planned',
    isSkipped: false,
    isCancelled: false,
    code: 'none',
    codeFromAt: arrivalAt - 7 * DAY_MS,
    guestId: null,
    onLocks: [],
    readyAt: null,
    arrivedAt: null,
    endedAt: null,
    goneAt: null,
    checkedOutAt: null,
    seemsLeftAt: null,
    obstacles: [],
    isCodeReady: true,
    isCodeLate: false,
    alarms: [],
    reserve: 'none',
    language: null,
    ...options,
  };
}

const FRONT = { lockId: lockId('id-of-Front door'), lockName: 'Front door', codeId: null } as const;
const on = { ...FRONT, isLeaving: false, mayRetry: false, revision: 1 } as const;
const UP_TO_DATE = { ...on, standing: { kind: 'up-to-date' } } as const;
const WAITING = {
  ...on,
  standing: {
    kind: 'waiting',
    words: message('The lock is offline. This is done when it is back.'),
    retryAt: null,
  },
} as const;
const ready = { code: 'hidden', guestId: 'g1', onLocks: [UP_TO_DATE] } as const;

/** Somebody is staying, the next code waits for a lock, and one stay has ended. */
export function someStays(): StaysView {
  const now = systemClock.now();
  return {
    calendars: [
      aCalendar(),
      aCalendar({
        id: 'page:2',
        name: 'Cottage',
        lockNames: ['Back door'],
        host: 'rooms.example',
        lastGoodAt: now - 5 * 60 * MINUTE_MS,
        trouble: message(
          "The portal doesn't know this calendar (HTTP {status}). Copy the calendar's iCal address from the portal again.",
          { status: '404' },
        ),
      }),
    ],
    stays: [
      aStay(-9, -6, {
        name: 'Stay of the Lunds',
        booking: 'Reserved: Lund',
        phase: 'gone',
        code: 'hidden',
        endedAt: at(dayThere(-6), 11),
        goneAt: at(dayThere(-6), 11) + 3 * MINUTE_MS,
      }),
      aStay(-1, 2, {
        ...ready,
        name: 'Stay of Anna',
        booking: 'Reserved: Anna K (HM123)',
        phase: 'arrived',
        arrivedAt: at(dayThere(-1), 16),
        readyAt: now - DAY_MS * 5,
      }),
      aStay(2, 5, {
        ...ready,
        name: 'Stay of Bob',
        guestId: 'g2',
        onLocks: [WAITING],
        phase: 'preparing',
        obstacles: [verbatim('Front door: The lock is offline. This is done when it is back.')],
      }),
      aStay(8, 11, {
        name: 'Stay of Carol',
        booking: 'Reserved',
        calendarId: 'page:2',
        calendarName: 'Cottage',
      }),
      aStay(12, 14, { name: 'Stay of Dora', phase: 'skipped', isSkipped: true }),
    ],
  };
}

/** The same, with reasons to look at the locks before the guests come. */
export function lateStays(): StaysView {
  const { calendars } = someStays();
  const words = [message('The code is not on every lock.'), verbatim('Front door: The lock is offline.')];
  const battery = message('{lock}: the battery is low. Replace it before the guest arrives.', {
    lock: 'Front door',
  });
  return {
    calendars,
    stays: [
      aStay(0, 2, { ...ready, name: 'Stay of Anna', phase: 'ready', alarms: [battery] }),
      aStay(1, 4, {
        name: 'Stay of Bob',
        onLocks: [WAITING],
        phase: 'preparing',
        alarms: words,
        reserve: 'offered',
      }),
    ],
  };
}

/** The guests that keep the codes of `someStays`. */
export function stayGuests(revision = 3): readonly GuestView[] {
  const guest = {
    pinLength: 4,
    locks: [FRONT.lockId],
    isLeaving: false,
    isProposed: false,
    revision,
    timeZone: ZONE,
  } as const;
  const stayOf = (from: number, until: number): Pick<GuestView, 'stay' | 'schedule'> => ({
    stay: { id: `s${String(from)}`, calendar: 'Garden flat' },
    schedule: {
      kind: 'temporary',
      from: at(dayThere(from), 15),
      until: at(dayThere(until), 11),
    },
  });
  return [
    {
      ...guest,
      ...stayOf(-1, 2),
      id: 'g1',
      name: 'Stay of Anna',
      nameOnLock: 'Stay of Anna',
      onLocks: [UP_TO_DATE],
    },
    {
      ...guest,
      ...stayOf(2, 5),
      id: 'g2',
      name: 'Stay of Bob',
      nameOnLock: 'Stay of Bob',
      onLocks: [WAITING],
    },
  ];
}
