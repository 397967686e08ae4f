// Local times of a zone and instants, both ways, daylight saving included.
import { z } from 'zod';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Every zone changes its offset on a quarter of an hour of UTC. */
const OFFSET_SLOT_MS = 15 * MINUTE_MS;

interface ZoneMemory {
  readonly format: Intl.DateTimeFormat;
  slot: number;
  offsetMinutes: number;
}

/** Intl is slow and neighbours share a zone: remember the formatter and the last quarter of an hour of each zone. */
const memories = new Map<string, ZoneMemory>();

function memoryOf(timeZone: string): ZoneMemory {
  const known = memories.get(timeZone);
  if (known !== undefined) {
    return known;
  }
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const memory = { format, slot: Number.NaN, offsetMinutes: 0 };
  memories.set(timeZone, memory);
  return memory;
}

/** Minutes east of UTC at an instant. Throws a RangeError for a zone that does not exist. */
export function offsetMinutesAt(timeZone: string, at: number): number {
  const memory = memoryOf(timeZone);
  const slot = Math.floor(at / OFFSET_SLOT_MS);
  if (memory.slot !== slot) {
    memory.slot = slot;
    memory.offsetMinutes = parseOffset(memory.format.format(at));
  }
  return memory.offsetMinutes;
}

/** Reads the offset at the end of `4/14/2026, GMT-04:00`; UTC itself is plain `GMT`. */
function parseOffset(text: string): number {
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(text);
  if (match === null) {
    return 0;
  }
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `-04:00`. */
export function formatOffset(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** The zone's wall clock at an instant, as a Date with the local time in its UTC members. */
export function wallClock(timeZone: string, at: number): Date {
  return new Date(at + offsetMinutesAt(timeZone, at) * MINUTE_MS);
}

/** `2026-04-14T08:15:30.250-04:00`. */
export function formatLocal(timeZone: string, at: number): string {
  const offset = formatOffset(offsetMinutesAt(timeZone, at));
  return `${wallClock(timeZone, at).toISOString().slice(0, -1)}${offset}`;
}

/**
 * The instant at which a zone's wall clock shows a time, given as if it were UTC. A time that daylight saving repeats
 * is its first occurrence; one that it skips is moved on by as much as the clocks are.
 */
export function instantOfWall(timeZone: string, wallMs: number): number {
  const before = offsetMinutesAt(timeZone, wallMs - DAY_MS);
  const after = offsetMinutesAt(timeZone, wallMs + DAY_MS);
  const candidates = [before, after]
    .filter((offset) => offsetMinutesAt(timeZone, wallMs - offset * MINUTE_MS) === offset)
    .map((offset) => wallMs - offset * MINUTE_MS);
  return candidates.length > 0 ? Math.min(...candidates) : wallMs - before * MINUTE_MS;
}

/** The first instant after `after` at which the wall clock shows `HH:mm`. */
export function nextWallTime(timeZone: string, time: string, after: number): number {
  const today = wallClock(timeZone, after);
  const midnight = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate());
  const minutes = minutesOfDay(time);
  for (let day = 0; ; day += 1) {
    const instant = instantOfWall(timeZone, midnight + day * DAY_MS + minutes * MINUTE_MS);
    if (instant > after) {
      return instant;
    }
  }
}

/** A time of day, `00:00` to `23:59`. */
export const localTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u, 'A local time such as "22:30"');

export const timeZoneSchema = z
  .string()
  .refine(
    (zone) => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC',
    'An IANA time zone such as "America/New_York"',
  );

export function isTimeOfDay(text: unknown): text is string {
  return localTimeSchema.safeParse(text).success;
}

/** Minutes since midnight of a time of day `HH:mm`. */
export function minutesOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}
