// The hours of a stay: check-in and check-out on the clocks of the lock, and from when to when its code opens.
import { message } from '../../../domain/language/message.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import { foundAt, localDay, localHour, localOf } from '../../../domain/time/local-hours.ts';
import { instantsOf } from '../../../domain/time/schedule-time.ts';
import type { CalendarTime } from './calendar-ports.ts';
import type { Booking, OwnHours, StayWindow } from './stay.ts';
import type { CalendarSettings } from './stay-calendar.ts';

const MS_PER_MINUTE = 60_000;
export const MS_PER_DAY = 86_400_000;

/** No hours of its own: those of the calendar count. */
export const NO_OWN_HOURS = { checkIn: null, checkOut: null } as const;

export type HourSettings = Pick<CalendarSettings, 'checkIn' | 'checkOut' | 'minutesBefore' | 'minutesAfter'> &
  Partial<Pick<CalendarSettings, 'lockHours' | 'bookingHours'>>;

type Times = Pick<Booking, 'start' | 'end' | 'said'>;

/** The minutes of the lock that opens first, and of the one that opens last. */
function longestMinutes({
  minutesBefore,
  minutesAfter,
  lockHours = [],
}: Pick<HourSettings, 'minutesBefore' | 'minutesAfter' | 'lockHours'>): {
  readonly before: number;
  readonly after: number;
} {
  return {
    before: Math.max(minutesBefore, ...lockHours.map((one) => one.minutesBefore)),
    after: Math.max(minutesAfter, ...lockHours.map((one) => one.minutesAfter)),
  };
}

export function windowOf(
  { start, end, said }: Times,
  own: OwnHours,
  settings: HourSettings,
  zone: string,
): StayWindow {
  const told = settings.bookingHours === true ? said : undefined;
  const hours = {
    checkIn: own.checkIn ?? told?.checkIn ?? null,
    checkOut: own.checkOut ?? told?.checkOut ?? null,
  };
  const minutes = longestMinutes(settings);
  const nights = nightsOf({ start, end }, zone) ?? halfNightsOf({ start, end }, zone);
  const begin = placed(nights.start, hours.checkIn, settings.checkIn, zone);
  const finish = placed(nights.end, hours.checkOut, settings.checkOut, zone);
  // Where the clocks show a time twice, the longer span counts, so that no guest is locked out for an hour.
  const arrivalAt = begin.first;
  const departureAt = finish.last;
  return {
    arrivalAt,
    departureAt,
    opensAt: arrivalAt - minutes.before * MS_PER_MINUTE,
    closesAt: departureAt + minutes.after * MS_PER_MINUTE,
  };
}

/** Whole days that are written as times from midnight to midnight, in UTC or on the clocks of the lock; null: they are hours. */
function nightsOf(
  { start, end }: Pick<Booking, 'start' | 'end'>,
  zone: string,
): Pick<Booking, 'start' | 'end'> | null {
  for (const clock of start.kind === 'instant' && end.kind === 'instant' ? [zone, NO_OFFSET] : [zone]) {
    const [first, last] = [midnight(start, clock, 0), midnight(end, clock, 1)];
    if (first !== null && last !== null && first < last) {
      return { start: { kind: 'day', day: first }, end: { kind: 'day', day: last } };
    }
  }
  return null;
}

/** Nobody arrives or leaves at midnight sharp: where one end has an hour, the other one was written without. */
function halfNightsOf(
  { start, end }: Pick<Booking, 'start' | 'end'>,
  zone: string,
): Pick<Booking, 'start' | 'end'> {
  const asDay = (time: CalendarTime): CalendarTime => {
    const day = midnight(time, zone, 0);
    return day === null ? time : { kind: 'day', day };
  };
  const [first] = dayAndTime(start, zone);
  const [last] = dayAndTime(end, zone);
  return first < last ? { start: asDay(start), end: asDay(end) } : { start, end };
}

/** The day that begins then; null: it is no midnight. `addedDays`: 1 where a minute before midnight ends a day, 0 where one after begins it. */
function midnight(time: CalendarTime, zone: string, addedDays: 0 | 1): string | null {
  if (time.kind === 'day') {
    return time.day;
  }
  // The offset of a zone is in whole quarters of an hour, so that most times are ruled out without asking for it.
  if (
    time.kind === 'instant' &&
    Math.floor(time.at / MS_PER_MINUTE) % 15 !== 0 &&
    Math.floor(time.at / MS_PER_MINUTE + (addedDays === 1 ? 1 : -1)) % 15 !== 0
  ) {
    return null;
  }
  const [day, clock] =
    time.kind === 'local'
      ? [time.local.slice(0, 10), time.local.slice(11, 16)]
      : [localDay(time.at, zone), localHour(time.at, zone)];
  if (clock === '00:00' || (clock === '00:01' && addedDays === 0)) {
    return day;
  }
  return clock === '23:59' && addedDays === 1 ? dayAfter(day) : null;
}

/** Such as `2026-04-15`. */
export function dayAfter(day: string): string {
  return localDay(instantsOf(NO_OFFSET, localOf(day, '00:00')).at + MS_PER_DAY, NO_OFFSET);
}

/** An arrival before this hour is a mistake of the calendar more often than a guest (specified). */
const EARLIEST_ARRIVAL = '06:00';

/** Whether the calendar itself gives an hour of arrival that looks wrong. */
export function hasOddArrival(booking: Times, settings: HourSettings, zone: string): boolean {
  if (booking.start.kind === 'day' || nightsOf(booking, zone) !== null) {
    return false;
  }
  return localHour(windowOf(booking, NO_OWN_HOURS, settings, zone).arrivalAt, zone) < EARLIEST_ARRIVAL;
}

/** `own`: hours that a person set; `usual`: hours for an entry without a time of its own. */
function placed(
  time: CalendarTime,
  own: string | null,
  usual: string,
  zone: string,
): { readonly first: Instant; readonly last: Instant } {
  if (time.kind === 'instant' && own === null) {
    const at = Math.floor(time.at / MS_PER_MINUTE) * MS_PER_MINUTE;
    return { first: at, last: at };
  }
  const [day, said] = dayAndTime(time, zone);
  const found = foundAt(zone, day, own ?? said ?? usual);
  return { first: found.at, last: found.kind === 'twice' ? found.later : found.at };
}

function dayAndTime(time: CalendarTime, zone: string): readonly [day: string, said: string | null] {
  switch (time.kind) {
    case 'day':
      return [time.day, null];
    case 'local':
      return [time.local.slice(0, 10), time.local.slice(11, 16)];
    case 'instant':
      return [localDay(time.at, zone), null];
  }
}

/** UTC, for which no formatter is asked. */
export const NO_OFFSET = '+00:00';

/** Whether the day of the arrival has come, on the clocks of the lock. */
export function beginsBy(
  booking: Times,
  now: Instant,
  { settings, zone }: { readonly settings: HourSettings; readonly zone: string },
): boolean {
  const { arrivalAt, opensAt } = windowOf(booking, NO_OWN_HOURS, settings, zone);
  return (
    opensAt <= now || (arrivalAt - now < 2 * MS_PER_DAY && localDay(arrivalAt, zone) <= localDay(now, zone))
  );
}

/** From when to when the code opens on one lock: within the hours of the stay, which may have been cut. */
export function hoursOnLock(
  { arrivalAt, departureAt, opensAt, closesAt }: StayWindow,
  lock: LockId,
  { minutesBefore, minutesAfter, lockHours = [] }: HourSettings,
): { readonly from: Instant; readonly until: Instant } {
  const own = lockHours.find((one) => one.lock === lock) ?? { minutesBefore, minutesAfter };
  return {
    from: Math.max(opensAt, arrivalAt - own.minutesBefore * MS_PER_MINUTE),
    until: Math.min(closesAt, departureAt + own.minutesAfter * MS_PER_MINUTE),
  };
}

/** `HH:mm`. */
export const HOUR_FORM = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

export const NO_HOUR = message('Enter times as hours and minutes, for example 15:00.');

/** Whether the code of the next stay would open before that of the last one on the same day ends. */
export function hoursOverlap(settings: HourSettings): boolean {
  const { before, after } = longestMinutes(settings);
  return minutesOf(settings.checkOut) + after > minutesOf(settings.checkIn) - before;
}

function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}
