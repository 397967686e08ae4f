// When an access code opens the door: Always, Temporary or Recurring, in the zone of the device (wire contract 4).
import { isObject } from '../../../src/support/text/foreign-json.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { SCHEDULE_TYPES, WEEK_DAYS } from '../contract/names.ts';
import { formatOffset, isTimeOfDay, minutesOfDay, offsetMinutesAt, wallClock } from '../time/zone.ts';
import type { AccessCodeRecord, ScheduleType, WeekDay, WeeklyWindow } from './records.ts';

/** A schedule as a lock keeps it: instants for Temporary, local times for Recurring. */
export type Schedule =
  | { readonly type: 'Always' }
  | { readonly type: 'Temporary'; readonly startAt: number; readonly endAt: number }
  | { readonly type: 'Recurring'; readonly windows: readonly WeeklyWindow[] };

/** Wire contract 4: "Recurring: 1 or 2 windows". */
const MOST_WINDOWS = 2;

const SCHEDULE_INVALID = 34 satisfies ErrorCode;
const TOO_MANY_WINDOWS = 35 satisfies ErrorCode;

export const isScheduleType = (value: unknown): value is ScheduleType =>
  SCHEDULE_TYPES.some((type) => type === value);

/** Reads `scheduleDetails` for a type; the number of the error when it is not valid. `Always` ignores all of it. */
export function parseSchedule(type: ScheduleType, details: unknown): Schedule | 34 | 35 {
  if (type === 'Always') {
    return { type };
  }
  if (!isObject(details)) {
    return SCHEDULE_INVALID;
  }
  return type === 'Temporary'
    ? parseTemporary(details['startDateTime'], details['endDateTime'])
    : parseRecurring(details['schedules']);
}

function parseTemporary(start: unknown, end: unknown): Schedule | 34 {
  const startAt = parseCompactTime(start);
  const endAt = parseCompactTime(end);
  return startAt === null || endAt === null || endAt <= startAt
    ? SCHEDULE_INVALID
    : { type: 'Temporary', startAt, endAt };
}

function parseRecurring(schedules: unknown): Schedule | 34 | 35 {
  if (!Array.isArray(schedules) || schedules.length === 0) {
    return SCHEDULE_INVALID;
  }
  if (schedules.length > MOST_WINDOWS) {
    return TOO_MANY_WINDOWS;
  }
  const windows: WeeklyWindow[] = [];
  for (const item of schedules) {
    const window = parseWindow(item);
    if (window === null) {
      return SCHEDULE_INVALID;
    }
    windows.push(window);
  }
  return { type: 'Recurring', windows };
}

const isWeekDay = (value: unknown): value is WeekDay => WEEK_DAYS.some((day) => day === value);

function parseWindow(item: unknown): WeeklyWindow | null {
  if (!isObject(item)) {
    return null;
  }
  const { startTime, endTime, activeWeekDays } = item;
  if (!isTimeOfDay(startTime) || !isTimeOfDay(endTime) || endTime <= startTime) {
    return null;
  }
  const daysAreGood =
    Array.isArray(activeWeekDays) &&
    activeWeekDays.length > 0 &&
    activeWeekDays.every((day) => isWeekDay(day));
  return daysAreGood ? { startTime, endTime, activeWeekDays } : null;
}

const COMPACT_TIME = /^(\d{4})(\d{2})(\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)([+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** The instant of `<yyyymmdd>T<hh:mm><+/-hh:mm>`; null for anything else, a 30th of February included. */
export function parseCompactTime(text: unknown): number | null {
  const match = typeof text === 'string' ? COMPACT_TIME.exec(text) : null;
  if (match === null) {
    return null;
  }
  const [, year, month, day, time, offset] = match;
  const date = `${year}-${month}-${day}`;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  return exists ? Date.parse(`${date}T${time}:00${offset}`) : null;
}

/** `<yyyymmdd>T<hh:mm><+/-hh:mm>` with the zone's offset at that instant. */
export function formatCompactTime(timeZone: string, at: number): string {
  const local = wallClock(timeZone, at).toISOString();
  const offset = formatOffset(offsetMinutesAt(timeZone, at));
  return `${local.slice(0, 10).replaceAll('-', '')}T${local.slice(11, 16)}${offset}`;
}

/** The two schedule members of an access code as they stand on the wire. */
export function scheduleRecord(
  schedule: Schedule,
  timeZone: string,
): Pick<AccessCodeRecord, 'scheduleType' | 'scheduleDetails'> {
  const isTemporary = schedule.type === 'Temporary';
  return {
    scheduleType: schedule.type,
    scheduleDetails: {
      startDateTime: isTemporary ? formatCompactTime(timeZone, schedule.startAt) : null,
      endDateTime: isTemporary ? formatCompactTime(timeZone, schedule.endAt) : null,
      schedules: schedule.type === 'Recurring' ? schedule.windows : [],
    },
  };
}

/** Whether a code with this schedule opens the door at an instant. The first moment is inside, the last outside. */
export function isActive(schedule: Schedule, at: number, timeZone: string): boolean {
  switch (schedule.type) {
    case 'Always':
      return true;
    case 'Temporary':
      return schedule.startAt <= at && at < schedule.endAt;
    case 'Recurring': {
      const local = wallClock(timeZone, at);
      const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
      return schedule.windows.some(
        (window) =>
          window.activeWeekDays.some((day) => day === WEEK_DAYS[local.getUTCDay()]) &&
          minutesOfDay(window.startTime) <= minute &&
          minute < minutesOfDay(window.endTime),
      );
    }
  }
}
