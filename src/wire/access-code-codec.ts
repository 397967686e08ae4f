// Access codes on the wire: records of the list and of events to ours, and drafts to the bodies of commands (wire contract 4).
import {
  type AccessCode,
  accessCodeId,
  type CodeSchedule,
  unnamedCodeId,
  WEEKDAYS,
  type Weekday,
  type WeeklyWindow,
} from '../domain/codes/access-code.ts';
import type { CodeChanges } from '../domain/codes/operation.ts';
import type { Instant } from '../domain/time/instant.ts';
import {
  asIfUtc,
  instantsOf,
  isLocalDateTime,
  type LocalDateTime,
  localTimeAt,
  offsetMinutesAt,
  offsetZone,
} from '../domain/time/schedule-time.ts';
import { idOf, isObject, membersOf, textOf, understoodOf } from './lenient.ts';

const MS_PER_MINUTE = 60_000;

/** `20260415T15:00-04:00`; an event of version 1.0 leaves the offset out (wire contract 7). ISO 8601 is read, too. */
const SCHEDULE_TIME =
  /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):(\d\d)(?::[0-5]\d(?:\.\d{1,9})?)?(?:(Z)|([+-]\d\d):?(\d\d))?$/;

function memberOf(value: unknown, name: string): unknown {
  return membersOf(value)[name];
}

/** A record of the list or of an event. `zone` dates times without an offset. Null without a usable id. */
export function decodeAccessCode(record: unknown, zone: string): AccessCode | null {
  const id = idOf(memberOf(record, 'accessCodeId'));
  return id === null ? null : { id: accessCodeId(id), ...valuesOf(record, zone) };
}

function valuesOf(record: unknown, zone: string): Omit<AccessCode, 'id'> {
  return {
    name: textOf(memberOf(record, 'name')),
    pin: decodePin(memberOf(record, 'code'), memberOf(record, 'accessCodeLength')),
    // Some libraries write it as "True".
    readOnly: String(memberOf(record, 'readOnly')).toLowerCase() === 'true',
    schedule: decodeSchedule(record, zone),
  };
}

/** The list, bare or as its member. Null for anything else, and when no record has an id: that lock is not without codes. */
export function decodeAccessCodes(body: unknown, zone: string): readonly AccessCode[] | null {
  const list: unknown = Array.isArray(body) ? body : memberOf(body, 'accessCodes');
  const isList = Array.isArray(list) && list.every(isObject);
  if (!isList || understoodOf(list, (record) => decodeAccessCode(record, zone)) === null) {
    return null;
  }
  const codes = new Map<string, AccessCode>();
  for (const [index, record] of list.entries()) {
    const code = decodeAccessCode(record, zone) ?? withoutId(record, index, zone);
    const twin = codes.get(code.id);
    if (twin === undefined) {
      codes.set(code.id, code);
    } else if (JSON.stringify(twin) !== JSON.stringify(code)) {
      // Two codes, of which one has the id of the other.
      const other = withoutId(record, index, zone);
      codes.set(other.id, other);
    }
  }
  return [...codes.values()];
}

/** Left out, the code would count as gone while it opens the door. No command can name it. */
function withoutId(record: object, index: number, zone: string): AccessCode {
  return { ...valuesOf(record, zone), id: unnamedCodeId(index + 1), readOnly: true };
}

/** A number has lost its leading zeros: the length gives them back (specification, Access code). */
function decodePin(code: unknown, length: unknown): string {
  if (typeof code === 'string') {
    return code;
  }
  const digits = Number(length);
  const isCount = Number.isSafeInteger(code) && Number(code) >= 0;
  return isCount ? String(code).padStart(Number.isInteger(digits) && digits <= 8 ? digits : 0, '0') : '';
}

function decodeSchedule(record: unknown, zone: string): CodeSchedule {
  const details = memberOf(record, 'scheduleDetails');
  switch (textOf(memberOf(record, 'scheduleType')).toLowerCase()) {
    case 'always':
      return { kind: 'always' };
    case 'temporary': {
      const from = decodeTime(memberOf(details, 'startDateTime'), zone);
      const until = decodeTime(memberOf(details, 'endDateTime'), zone);
      return from === null || until === null ? { kind: 'unrecognised' } : { kind: 'temporary', from, until };
    }
    case 'recurring':
      return decodeWindows(memberOf(details, 'schedules'));
    default:
      return { kind: 'unrecognised' };
  }
}

function decodeWindows(schedules: unknown): CodeSchedule {
  const windows = Array.isArray(schedules) ? schedules.map(decodeWindow) : [];
  return windows.length === 0 || windows.includes(null)
    ? { kind: 'unrecognised' }
    : { kind: 'recurring', windows: windows.filter((window) => window !== null) };
}

function decodeWindow(schedule: unknown): WeeklyWindow | null {
  const listed = memberOf(schedule, 'activeWeekDays');
  const names: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const days = WEEKDAYS.filter((day) => names.some((name) => isDay(name, day)));
  const from = clockOf(memberOf(schedule, 'startTime'));
  const until = clockOf(memberOf(schedule, 'endTime'));
  return from === null || until === null || days.length === 0 || days.length !== new Set(names).size
    ? null
    : { days, from, until };
}

/** A day by its name or its first three letters. */
function isDay(name: unknown, day: Weekday): boolean {
  const said = typeof name === 'string' ? name.toLowerCase() : '';
  return said === day.toLowerCase() || said === day.slice(0, 3).toLowerCase();
}

/** `HH:mm`, also with seconds, without the colon or without the leading zero. */
function clockOf(time: unknown): string | null {
  const match = /^([01]?\d|2[0-3]):?([0-5]\d)(?::[0-5]\d)?$/.exec(textOf(time));
  const [, hour = '', minute = ''] = match ?? [];
  return match === null ? null : `${hour.padStart(2, '0')}:${minute}`;
}

/** The instant of a schedule's time; null when it is malformed. */
export function decodeTime(time: unknown, zone: string): Instant | null {
  const match = SCHEDULE_TIME.exec(textOf(time));
  if (match === null) {
    return null;
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1, 6).map(Number);
  const local: LocalDateTime = { year, month, day, hour, minute };
  if (!isLocalDateTime(local)) {
    return null;
  }
  const [, , , , , , utc, hours, minutes] = match;
  if (utc !== undefined) {
    return asIfUtc(local);
  }
  return hours === undefined
    ? instantsOf(zone, local).at
    : asIfUtc(local) - offsetMinutesAt(`${hours}:${String(minutes)}`, 0) * MS_PER_MINUTE;
}

/** The compact form of an instant in a zone, with the offset that holds at that date. Seconds are cut off. */
export function encodeTime(at: Instant, zone: string): string {
  const { year, month, day, hour, minute } = localTimeAt(zone, at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${String(year)}${two(month)}${two(day)}T${two(hour)}:${two(minute)}`;
  return `${date}${offsetZone(offsetMinutesAt(zone, at))}`;
}

/** The members of AddAccessCode, or of UpdateAccessCode: absent ones stay as they are. */
export function encodeChanges({ name, pin, schedule }: CodeChanges, zone: string): Record<string, unknown> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(pin === undefined ? {} : { code: pin }),
    ...(schedule === undefined ? {} : encodeSchedule(schedule, zone)),
  };
}

function encodeSchedule(schedule: CodeSchedule, zone: string): Record<string, unknown> {
  switch (schedule.kind) {
    case 'always':
      return { scheduleType: 'Always' };
    case 'temporary':
      return {
        scheduleType: 'Temporary',
        scheduleDetails: {
          startDateTime: encodeTime(schedule.from, zone),
          endDateTime: encodeTime(schedule.until, zone),
        },
      };
    case 'recurring':
      return {
        scheduleType: 'Recurring',
        scheduleDetails: {
          schedules: schedule.windows.map(({ days, from, until }) => ({
            startTime: from,
            endTime: until,
            activeWeekDays: WEEKDAYS.filter((day) => days.includes(day)),
          })),
        },
      };
    // The schedule stays unchanged: an update without a schedule changes none.
    case 'unrecognised':
      return {};
  }
}
