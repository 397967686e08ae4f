// Local times of a time zone, named or a fixed offset, and instants, both ways, daylight saving included.
import type { Instant } from './instant.ts';

/** A wall-clock time to the minute. */
export interface LocalDateTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/**
 * The instants of a local time. `gap`: the clocks skip it, and the instant is the first one after the gap. `twice`: the clocks show it
 * twice, and the instants are the earlier and the later one.
 */
export type LocalInstants =
  | { readonly kind: 'once'; readonly at: Instant }
  | { readonly kind: 'gap'; readonly at: Instant }
  | { readonly kind: 'twice'; readonly at: Instant; readonly later: Instant };

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
const DAYS_PER_ERA = 146_097;

/** Formatters are slow to make and cheap to keep; a plugin has a handful of zones. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) {
    return known;
  }
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, made);
  return made;
}

/** The fixed offset as a zone: `-05:00`. Browsers do not all know such zones, so none is handed to `Intl`. */
export function offsetZone(offsetMinutes: number): string {
  const away = Math.abs(offsetMinutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`;
}

/** How a zone is called: `Europe/Paris`, `UTC-05:00`. */
export function zoneName(zone: string): string {
  return FIXED.test(zone) ? `UTC${zone}` : zone;
}

const FIXED = /^([+-])(\d\d):(\d\d)$/;

/** The UTC offset of a zone at an instant, in minutes, east positive. Throws a RangeError for an unknown zone. */
export function offsetMinutesAt(zone: string, at: Instant): number {
  const [, sign, hours, minutes] = FIXED.exec(zone) ?? [];
  if (sign !== undefined) {
    return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  }
  const quarter = Math.floor(at / MS_PER_QUARTER);
  const known = knownOffsets.get(zone) ?? new Map<number, number>();
  const offset = known.get(quarter) ?? readOffset(zone, at);
  // Before, zones were minutes and seconds apart, and changed at any time.
  if (at >= QUARTERS_SINCE && !known.has(quarter)) {
    knownOffsets.set(
      zone,
      known.size < MOST_QUARTERS ? known.set(quarter, offset) : new Map([[quarter, offset]]),
    );
  }
  return offset;
}

/** Clocks are set on a quarter of an hour in every zone. A list asks for hundreds of instants, and a format takes long. */
const MS_PER_QUARTER = 15 * MS_PER_MINUTE;
const QUARTERS_SINCE = asIfUtc({ year: 2000, month: 1, day: 1, hour: 0, minute: 0 });
const knownOffsets = new Map<string, Map<number, number>>();
/** Of each zone (our choice). */
const MOST_QUARTERS = 200;

function readOffset(zone: string, at: Instant): number {
  const minute = Math.floor(at / MS_PER_MINUTE) * MS_PER_MINUTE;
  const parts = new Map(
    formatterOf(zone)
      .formatToParts(minute)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const local: LocalDateTime = {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  };
  return Math.round((asIfUtc(local) + part('second') * 1_000 - minute) / MS_PER_MINUTE);
}

/** Rules of zones rarely change: two zones are compared by those of this year, on a day of each month. */
const COMPARED_YEAR = 2026;

/** Whether the clocks of two zones show the same time all year, whatever the zones are called. */
export function sameClocks(one: string, other: string): boolean {
  return (
    one === other ||
    Array.from({ length: 12 }, (_, month) =>
      asIfUtc({ year: COMPARED_YEAR, month: month + 1, day: 15, hour: 0, minute: 0 }),
    ).every((at) => offsetMinutesAt(one, at) === offsetMinutesAt(other, at))
  );
}

/** The local time of a zone at an instant, seconds cut off. */
export function localTimeAt(zone: string, at: Instant): LocalDateTime {
  return civilOf(at + offsetMinutesAt(zone, at) * MS_PER_MINUTE);
}

/** The instants at which a zone's clocks show this time. */
export function instantsOf(zone: string, local: LocalDateTime): LocalInstants {
  const wall = asIfUtc(local);
  const offsets = new Set([wall - MS_PER_DAY, wall + MS_PER_DAY].map((near) => offsetMinutesAt(zone, near)));
  const candidates = [...offsets].map((offset) => wall - offset * MS_PER_MINUTE).sort((a, b) => a - b);
  const [first, second] = candidates.filter((at) => at + offsetMinutesAt(zone, at) * MS_PER_MINUTE === wall);
  if (first === undefined) {
    return { kind: 'gap', at: endOfGap(zone, candidates) };
  }
  return second === undefined ? { kind: 'once', at: first } : { kind: 'twice', at: first, later: second };
}

/** The instant of the change between two candidates that a gap lies between, to the minute. */
function endOfGap(zone: string, candidates: readonly Instant[]): Instant {
  let [before = 0, after = 0] = [candidates[0], candidates.at(-1)];
  const old = offsetMinutesAt(zone, before);
  while (after - before > MS_PER_MINUTE) {
    const middle = Math.floor((before + after) / 2 / MS_PER_MINUTE) * MS_PER_MINUTE;
    if (offsetMinutesAt(zone, middle) === old) {
      before = middle;
    } else {
      after = middle;
    }
  }
  return after;
}

/** Whether these numbers are a date and time of the calendar, in years of four digits. */
export function isLocalDateTime({ year, month, day, hour, minute }: LocalDateTime): boolean {
  const inRange =
    [year, month, day, hour, minute].every(Number.isInteger) &&
    year >= 1_000 &&
    year <= 9_999 &&
    hour >= 0 &&
    hour <= 23 &&
    minute >= 0 &&
    minute <= 59;
  if (!inRange) {
    return false;
  }
  const back = civilOf(asIfUtc({ year, month, day, hour, minute }));
  // A day or month that does not exist is one of another month.
  return back.month === month && back.day === day;
}

/** Epoch milliseconds of a civil time as if it were UTC (proleptic Gregorian, by days from 0000-03-01). */
export function asIfUtc({ year, month, day, hour, minute }: LocalDateTime): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  const days = era * DAYS_PER_ERA + dayOfEra - 719_468;
  return days * MS_PER_DAY + (hour * 60 + minute) * MS_PER_MINUTE;
}

/** The civil time of epoch milliseconds read as UTC: the reverse of `asIfUtc`. */
export function civilOf(epochMs: number): LocalDateTime {
  const days = Math.floor(epochMs / MS_PER_DAY) + 719_468;
  const minutes = Math.floor((epochMs - Math.floor(epochMs / MS_PER_DAY) * MS_PER_DAY) / MS_PER_MINUTE);
  const era = Math.floor(days / DAYS_PER_ERA);
  const dayOfEra = days - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    hour: Math.floor(minutes / 60),
    minute: minutes % 60,
  };
}

/** The service learns of a change of daylight saving up to a day late (our choice). */
const CHANGE_READ_MS = 86_400_000;

/** Whether a clock in that zone can be at this offset now. */
export function mayBeAt(zone: string, offsetMinutes: number, now: Instant): boolean {
  return [now, now - CHANGE_READ_MS, now + CHANGE_READ_MS].some(
    (at) => offsetMinutesAt(zone, at) === offsetMinutes,
  );
}
