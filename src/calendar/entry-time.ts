// Times of an entry: a day, a time on the clocks of the lock, or an instant.
import type { CalendarTime } from '../domain/stays/calendar-ports.ts';
import type { Property } from './calendar-property.ts';
import { type CalendarZones, UTC, type Zone } from './calendar-zones.ts';

/** `wallMs` is what the clock of the zone shows, read as if it were UTC. */
export interface EntryTime {
  readonly kind: CalendarTime['kind'];
  readonly wallMs: number;
  readonly zone: Zone;
}

export const DAY_MS = 86_400_000;

/** A time outside of these years is a mistake, and would make rules run for a long time. */
const FIRST_YEAR = 1970;
const LAST_YEAR = 2199;

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(Z)?)?$/;

export function timesOf(property: Property, zones: CalendarZones): readonly EntryTime[] {
  return property.values.map((value) => timeOf(value, property.parameter('tzid'), zones));
}

/** One time; throws when it is malformed. `zoneName`: null where the property names no zone. */
export function timeOf(value: unknown, zoneName: string | null, zones: CalendarZones): EntryTime {
  const [, date = '', clock, utc] = (typeof value === 'string' ? WRITTEN.exec(value) : null) ?? [];
  // A leap second reads as the second before it.
  const iso = `${date}T${(clock ?? '00:00:00').replace(/:60$/, ':59')}.000Z`;
  const wallMs = Date.parse(iso);
  // A day that does not exist would become one of another month.
  if (Number.isNaN(wallMs) || new Date(wallMs).toISOString() !== iso || !isNear(wallMs)) {
    throw new RangeError('Not a time');
  }
  if (clock === undefined) {
    return { kind: 'day', wallMs, zone: UTC };
  }
  const zone = utc === 'Z' ? UTC : zoneName === null ? null : zones.of(zoneName);
  // An unknown zone name most often means the zone of the house (decision 0062).
  return zone === null ? { kind: 'local', wallMs, zone: UTC } : { kind: 'instant', wallMs, zone };
}

function isNear(wallMs: number): boolean {
  const year = new Date(wallMs).getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

export function movedTo(time: EntryTime, wallMs: number): EntryTime {
  return { ...time, wallMs };
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
