// Times of an entry: a day, a time on the clocks of the lock, or an instant.
import type { CalendarTime } from '../policy/calendar-ports.ts';
import type { Property } from './calendar-property.ts';
import { CalendarZones, UTC, type Zone } from './calendar-zones.ts';

/** `wallMs` is what the clock of the zone shows, read as if it were UTC. */
export interface EntryTime {
  readonly kind: CalendarTime['kind'];
  readonly wallMs: number;
  readonly zone: Zone;
  /** Its zone is not known: only its day counts. */
  readonly isUnplaced?: boolean;
}

export const DAY_MS = 86_400_000;

/** A time outside of these years is a mistake, and would make rules run for a long time. */
const FIRST_YEAR = 1970;
const LAST_YEAR = 2199;

/** `20261212`, `20261212T150000Z`, and the ways in which programs vary that. */
const WRITTEN =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]?(?:(\d\d):?(\d\d):?(\d\d)?(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;

/** All times of a property that can be read. */
export function timesOf(property: Property, zones: CalendarZones): readonly EntryTime[] {
  const isDay = property.parameter('value')?.toUpperCase() === 'DATE';
  return property.values.flatMap((value) => {
    try {
      return [timeOf(value, { zoneName: property.parameter('tzid') || null, isDay }, zones)];
    } catch {
      return [];
    }
  });
}

interface TimeFacts {
  /** Null where the property names no zone. */
  readonly zoneName: string | null;
  /** The property says that it is a day: what stands behind it does not count. */
  readonly isDay: boolean;
}

/** One time; throws when it is malformed. */
function timeOf(value: unknown, { zoneName, isDay }: TimeFacts, zones: CalendarZones): EntryTime {
  // Of a period, the start.
  const [written = ''] = typeof value === 'string' ? value.trim().split('/') : [];
  const [, year = '', month = '', day = '', hour, minute = '00', second = '00', shift] =
    WRITTEN.exec(written) ?? [];
  const midnight = midnightOf(`${year}-${month}-${day}`);
  if (hour === undefined || isDay) {
    return { kind: 'day', wallMs: midnight, zone: UTC };
  }
  const wallMs = midnight + clockMs(Number(hour), Number(minute), Number(second));
  if (shift !== undefined) {
    return { kind: 'instant', wallMs: wallMs - shiftMs(shift), zone: UTC };
  }
  return zoneName === null ? { kind: 'local', wallMs, zone: UTC } : placed(wallMs, zoneName, zones);
}

const NO_ZONES = new CalendarZones([]);

/** The end of a rule, which names no zone of its own. */
export function untilOf(value: unknown): EntryTime {
  return timeOf(value, { zoneName: null, isDay: false }, NO_ZONES);
}

/** A day that does not exist would become one of another month. */
function midnightOf(day: string): number {
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day) || !isNear(midnight)) {
    throw new RangeError('Not a day');
  }
  return midnight;
}

/** A leap second reads as the second before it; 24:00 is the midnight at the end of the day. */
function clockMs(hour: number, minute: number, second: number): number {
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && minute + second > 0)) {
    throw new RangeError('Not an hour');
  }
  return ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1_000;
}

function shiftMs(shift: string): number {
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d\d):?(\d\d)$/.exec(shift) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
}

/** Hours in a zone that is not known are read on no other clock: the day remains. */
function placed(wallMs: number, zoneName: string, zones: CalendarZones): EntryTime {
  const zone = zones.of(zoneName);
  try {
    zone?.instantOf(wallMs);
    if (zone !== null) {
      return { kind: 'instant', wallMs, zone };
    }
  } catch {
    zones.unknown.add(zoneName);
  }
  return { kind: 'local', wallMs, zone: UTC, isUnplaced: true };
}

function isNear(wallMs: number): boolean {
  const year = new Date(wallMs).getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

export function movedTo(time: EntryTime, wallMs: number): EntryTime {
  return { ...time, wallMs };
}

export function asDay(time: EntryTime): EntryTime {
  return { kind: 'day', wallMs: Math.floor(time.wallMs / DAY_MS) * DAY_MS, zone: UTC };
}

/** A number that orders two times of one kind, and names an occurrence. */
export function orderOf({ zone, wallMs }: EntryTime): number {
  return zone.instantOf(wallMs);
}

export function calendarTimeOf(time: EntryTime): CalendarTime {
  const iso = new Date(time.wallMs).toISOString();
  switch (time.kind) {
    case 'day':
      return { kind: 'day', day: iso.slice(0, 10) };
    case 'local':
      return { kind: 'local', local: iso.slice(0, 16) };
    case 'instant':
      return { kind: 'instant', at: orderOf(time) };
  }
}

/** `20261212` of a day, `20261212T150000` of a local time, the same with a Z of an instant. */
export function stampOf(time: EntryTime): string {
  const wallMs = time.kind === 'instant' ? orderOf(time) : time.wallMs;
  const iso = new Date(wallMs).toISOString().replaceAll(/[-:]|\.\d{3}Z$/g, '');
  return time.kind === 'day' ? iso.slice(0, 8) : `${iso}${time.kind === 'instant' ? 'Z' : ''}`;
}
