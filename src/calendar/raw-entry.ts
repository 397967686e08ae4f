// Reads the lines of one VEVENT: its times, its texts, and its recurrence.
import ICAL from 'ical.js';
import { oneLine, severalLines } from './bounded-text.ts';
import { type Property, readProperty } from './calendar-property.ts';
import type { CalendarZones } from './calendar-zones.ts';
import { DAY_MS, type EntryTime, movedTo, orderOf, timesOf } from './entry-time.ts';

export interface RawEntry {
  readonly uid: string;
  readonly sequence: number;
  /** Of two entries with the same sequence, the later one counts. Zero when the entry has none. */
  readonly stampedAt: number;
  readonly isCancelled: boolean;
  readonly start: EntryTime;
  readonly end: EntryTime;
  readonly summary: string;
  readonly description: string;
  /** The lines of its rules, additional times and times that are left out. */
  readonly rules: readonly Property[];
  readonly additions: readonly EntryTime[];
  readonly exceptions: readonly EntryTime[];
  /** The occurrence of the series with its uid that this entry replaces; null for an entry of its own. */
  readonly replaces: EntryTime | null;
}

/** A longer uid is not accepted: every code of the stay would carry it along. */
const LONGEST_UID = 500;
/** Ten years: a longer duration is a mistake. */
const LONGEST_STAY_DAYS = 3_660;
const MOST_SEQUENCE = 2_147_483_647;

/** Throws when the entry cannot be understood. */
export function readEntry(lines: readonly string[], zones: CalendarZones): RawEntry {
  const properties = lines.map((line) => readProperty(line));
  const all = (name: string): readonly Property[] => properties.filter((property) => property.name === name);
  const first = (name: string): Property | null => all(name)[0] ?? null;
  const times = (name: string): readonly EntryTime[] =>
    all(name).flatMap((property) => timesOf(property, zones));
  const [start] = times('dtstart');
  const uid = oneLineOf(first('uid'));
  if (start === undefined || uid === '' || uid.length > LONGEST_UID || isBeyondUs(properties)) {
    throw new RangeError('Not an entry');
  }
  return {
    uid,
    sequence: Math.min(Math.max(numberOf(first('sequence')), 0), MOST_SEQUENCE),
    stampedAt: stampedAt(times('last-modified')[0] ?? times('dtstamp')[0]),
    isCancelled: oneLineOf(first('status')).toUpperCase() === 'CANCELLED',
    start,
    end: endOf(start, times('dtend')[0], first('duration')),
    summary: oneLine(textOf(first('summary'))),
    description: severalLines(textOf(first('description'))),
    rules: all('rrule'),
    additions: times('rdate'),
    exceptions: times('exdate'),
    replaces: times('recurrence-id')[0] ?? null,
  };
}

/** Series that would be read wrongly are left out: rules of exceptions, and changes from one occurrence on. */
function isBeyondUs(properties: readonly Property[]): boolean {
  return properties.some(
    ({ name, parameter }) => name === 'exrule' || (name === 'recurrence-id' && parameter('range') !== null),
  );
}

function endOf(start: EntryTime, end: EntryTime | undefined, duration: Property | null): EntryTime {
  const found = end ?? (duration === null ? null : lastingFrom(start, textOf(duration)));
  if (found === null) {
    if (start.kind === 'day') {
      return movedTo(start, start.wallMs + DAY_MS);
    }
    throw new RangeError('An entry without an end');
  }
  if (found.kind === 'day' && start.kind === 'day' && found.wallMs === start.wallMs) {
    // Some portals write the day itself as the end of a single day.
    return movedTo(start, start.wallMs + DAY_MS);
  }
  if (found.kind !== start.kind || orderOf(found) <= orderOf(start)) {
    throw new RangeError('An end that does not follow the start');
  }
  return found;
}

/** Adds days on the clock of the zone, and hours as they pass (RFC 5545, 3.3.6). */
function lastingFrom(start: EntryTime, written: string): EntryTime {
  const { weeks, days, hours, minutes, seconds, isNegative } = ICAL.Duration.fromString(written);
  const [daysMs, restMs] = [(weeks * 7 + days) * DAY_MS, ((hours * 60 + minutes) * 60 + seconds) * 1_000];
  if (isNegative || !(daysMs + restMs <= LONGEST_STAY_DAYS * DAY_MS)) {
    throw new RangeError('Not the length of a stay');
  }
  return movedTo(
    start,
    start.wallMs + daysMs + (start.kind === 'day' ? Math.ceil(restMs / DAY_MS) * DAY_MS : restMs),
  );
}

function stampedAt(time: EntryTime | undefined): number {
  return time === undefined ? 0 : orderOf(time);
}

function textOf(property: Property | null): string {
  const [value] = property?.values ?? [];
  return typeof value === 'string' ? value : '';
}

const oneLineOf = (property: Property | null): string =>
  textOf(property)
    .replaceAll(/\p{Cc}/gu, '')
    .trim();

function numberOf(property: Property | null): number {
  const [value] = property?.values ?? [];
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : 0;
}
