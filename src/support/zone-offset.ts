// How far the clocks of a time zone are ahead of UTC.
import type { Instant } from '../domain/time/instant.ts';

const MINUTES_PER_HOUR = 60;

/** Zones change their offset at most once within this, and at multiples of it, in milliseconds. */
const SAME_OFFSET_MS = 15 * 60_000;

/** The offset in minutes, daylight saving included. Earlier results are cached, because a history asks for days. */
export function offsetsIn(timeZone: string): (at: Instant) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const known = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / SAME_OFFSET_MS);
    const offset = known.get(quarter) ?? offsetAt(format, at);
    known.set(quarter, offset);
    return offset;
  };
}

function offsetAt(format: Intl.DateTimeFormat, at: Instant): number {
  // "GMT+05:45", "GMT-04:00", or "GMT" alone where there is no difference.
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  const total = Number(hours ?? 0) * MINUTES_PER_HOUR + Number(minutes ?? 0);
  return sign === '-' ? -total : total;
}

/** The same for the zone of this machine. */
export function machineOffset(at: Instant): number {
  return -new Date(at).getTimezoneOffset();
}

/** An entry, and how far the clocks were ahead of UTC then; null where the service did not report it. */
export interface KnownOffset {
  readonly at: Instant;
  readonly offsetMinutes: number | null;
}

/** The offset of the entry that is nearest in time, of two the newer one's; null without any. */
export function nearestOffsets(entries: readonly KnownOffset[]): (at: Instant) => number | null {
  const known = entries
    .filter(({ offsetMinutes }) => offsetMinutes !== null)
    .toSorted((one, other) => one.at - other.at);
  return (at) => {
    let [first, end] = [0, known.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      [first, end] = (known[middle]?.at ?? 0) < at ? [middle + 1, end] : [first, middle];
    }
    const [older, newer] = [known[first - 1], known[first]];
    const isOlderNearer = newer === undefined || (older !== undefined && at - older.at < newer.at - at);
    return (isOlderNearer ? older : newer)?.offsetMinutes ?? null;
  };
}
