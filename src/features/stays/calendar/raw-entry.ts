// Reads the lines of one VEVENT: its times, its texts, and its recurrence.
import ICAL from 'ical.js';
import { isObject } from '../../../support/text/foreign-json.ts';
import { oneLine, severalLines } from './bounded-text.ts';
import { type Property, readProperty } from './calendar-property.ts';
import type { CalendarZones } from './calendar-zones.ts';
import { asDay, DAY_MS, type EntryTime, movedTo, orderOf, timesOf, untilOf } from './entry-time.ts';

export interface RawEntry {
  /** Empty where the entry has none. */
  readonly uid: string;
  readonly sequence: number;
  /** Of two entries with the same sequence, the later one counts. Zero when the entry has none. */
  readonly stampedAt: number;
  readonly isCancelled: boolean;
  readonly isTentative: boolean;
  readonly start: EntryTime;
  readonly end: EntryTime;
  readonly summary: string;
  readonly description: string;
  /** The lines of its rules, additional times and times that are left out. */
  readonly rules: readonly Property[];
  /** It repeats by a rule that is none: only its first time is known. */
  readonly hasBadRule: boolean;
  readonly additions: readonly EntryTime[];
  readonly exceptions: readonly EntryTime[];
  /** The occurrence of the series with its uid that this entry replaces; null for an entry of its own. */
  readonly replaces: EntryTime | null;
}

/** Longer ones are cut: every code of the stay would carry them along. */
const LONGEST_UID = 500;
/** Ten years: a longer duration is a mistake. */
const LONGEST_STAY_DAYS = 3_660;
const MOST_SEQUENCE = 2_147_483_647;

/** The standard knows `CANCELLED` and `TENTATIVE` alone; programs write the states of their bookings. */
const OFF = /^(?:CANCELL?ED|DECLINED|REJECTED|DENIED|EXPIRED|WITHDRAWN|VOID(?:ED)?|DELETED)(?:-|$)/u;
const UNCONFIRMED =
  /^(?:TENTATIVE|PENDING|NEEDS-ACTION|UNCONFIRMED|PROVISIONAL|REQUEST(?:ED)?|(?:ON-)?HOLD|OPTION|INQUIRY|ENQUIRY|AWAITING|WAIT-?LIST(?:ED)?|DRAFT|QUOTED?|PRE-?APPROVED|PROPOSED)(?:-|$)/u;

/** Throws when the entry cannot be understood. */
export function readEntry(lines: readonly string[], zones: CalendarZones): RawEntry {
  const properties = lines.map((line) => readProperty(line)).filter((property) => property !== null);
  const all = (name: string): readonly Property[] => properties.filter((property) => property.name === name);
  const first = (name: string): Property | null => all(name)[0] ?? null;
  const times = (name: string): readonly EntryTime[] =>
    all(name).flatMap((property) => timesOf(property, zones));
  const [start] = times('dtstart');
  if (start === undefined || isBeyondUs(properties)) {
    throw new RangeError('Not an entry');
  }
  const rules = all('rrule').filter(isRule);
  const status = (oneLineOf(first('status')) || oneLineOf(first('x-microsoft-cdo-busystatus')))
    .toUpperCase()
    .replaceAll(/[\s_-]+/gu, '-');
  return {
    ...spanOf(start, times('dtend')[0], first('duration')),
    uid: oneLineOf(first('uid')).slice(0, LONGEST_UID),
    sequence: Math.min(Math.max(numberOf(first('sequence')), 0), MOST_SEQUENCE),
    stampedAt: stampedAt(times('last-modified')[0] ?? times('dtstamp')[0]),
    isCancelled: OFF.test(status),
    isTentative: UNCONFIRMED.test(status),
    summary: oneLine(textOf(first('summary'))),
    description: severalLines(textOf(first('description'))),
    rules,
    hasBadRule: lines.filter((line) => /^RRULE[:;]/iu.test(line)).length > rules.length,
    additions: times('rdate'),
    exceptions: times('exdate'),
    replaces: times('recurrence-id')[0] ?? null,
  };
}

/** Rules of other calendars than the Gregorian (RFC 7529) would give other days. */
const isRule = ({ values: [rule] }: Property): boolean =>
  isObject(rule) &&
  typeof rule['freq'] === 'string' &&
  (rule['rscale'] === undefined || rule['rscale'] === 'GREGORIAN') &&
  // Some programs write -1 beside the end of a rule.
  (rule['count'] === undefined || rule['until'] !== undefined || Number(rule['count']) > 0) &&
  (rule['until'] === undefined || isUntil(rule['until']));

function isUntil(value: unknown): boolean {
  try {
    untilOf(value);
    return true;
  } catch {
    return false;
  }
}

/** Series that would be read wrongly are left out: rules of exceptions, and changes from one occurrence on. */
function isBeyondUs(properties: readonly Property[]): boolean {
  return properties.some(
    ({ name, parameter }) => name === 'exrule' || (name === 'recurrence-id' && parameter('range') !== null),
  );
}

function spanOf(
  start: EntryTime,
  end: EntryTime | undefined,
  duration: Property | null,
): Pick<RawEntry, 'start' | 'end'> {
  const found = end ?? (duration === null ? null : lastingFrom(start, textOf(duration)));
  if (found === null) {
    if (start.kind === 'day') {
      return { start, end: movedTo(start, start.wallMs + DAY_MS) };
    }
    throw new RangeError('An entry without an end');
  }
  if (found.kind === 'day' && start.kind === 'day' && found.wallMs === start.wallMs) {
    // Some portals write the day itself as the end of a single day.
    return { start, end: movedTo(start, start.wallMs + DAY_MS) };
  }
  const span = nightsOf(start, found) ?? { start, end: found };
  if (orderOf(span.end) <= orderOf(span.start)) {
    throw new RangeError('An end that does not follow the start');
  }
  return span;
}

/** Whole days that are written as midnights, and days whose hours cannot be placed; null: these are hours. */
function nightsOf(start: EntryTime, end: EntryTime): Pick<RawEntry, 'start' | 'end'> | null {
  const isUnplaced = start.isUnplaced === true || end.isUnplaced === true;
  if (!isUnplaced && start.kind === end.kind && !(isMidnight(start) && isMidnight(lastMinute(end)))) {
    return null;
  }
  if (!isUnplaced && start.kind !== end.kind && ![start, lastMinute(end)].every(isMidnight)) {
    return null;
  }
  const [first, last] = [asDay(start), asDay(isUnplaced ? end : lastMinute(end))];
  return last.wallMs > first.wallMs
    ? { start: first, end: last }
    : isUnplaced
      ? { start: first, end: first }
      : null;
}

const isMidnight = ({ wallMs }: EntryTime): boolean => wallMs % DAY_MS === 0;

const MINUTE_MS = 60_000;

/** The minute before midnight stands for the midnight. */
function lastMinute(end: EntryTime): EntryTime {
  const isLast = end.kind !== 'day' && DAY_MS - (end.wallMs % DAY_MS) <= MINUTE_MS;
  return isLast ? movedTo(end, (Math.floor(end.wallMs / DAY_MS) + 1) * DAY_MS) : end;
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

/** Programs that write the time into it, or a text, lose nothing but an order. */
function numberOf(property: Property | null): number {
  const [value] = property?.values ?? [];
  const number = typeof value === 'string' ? Number.parseInt(value, 10) : value;
  return typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : 0;
}
