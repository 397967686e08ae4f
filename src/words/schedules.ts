// Schedules of access codes: as a person writes them, and as they are shown. Times are those of the lock's time zone.
import { type CodeSchedule, WEEKDAYS, type Weekday, type WeeklyWindow } from '../domain/codes/access-code.ts';
import { message } from '../domain/language/message.ts';
import {
  instantsOf,
  isLocalDateTime,
  type LocalDateTime,
  localTimeAt,
  offsetMinutesAt,
  sameClocks,
  zoneName,
} from '../domain/time/schedule-time.ts';
import { dateFormat } from './formats.ts';
import { machineZone } from './machine-zone.ts';
import { seriesWords } from './sentence.ts';
import { hourWords } from './times.ts';
import { languageCode, locale, t } from './translate.ts';

/** The accepted forms, for messages. */
export const SCHEDULE_FORMS = message('{always}, {weekly} (a second window after a semicolon), or {dates}', {
  always: '"always"',
  weekly: '"Mon,Wed 08:00-11:00"',
  dates: '"2026-12-01 15:00 to 2026-12-05 11:00"',
});

/** The schedule; null when the words have no such form. Its times are judged by the rules of a code. */
export function readSchedule(words: string, zone: string): CodeSchedule | null {
  const text = words.trim();
  if (/^always$/i.test(text)) {
    return { kind: 'always' };
  }
  const [from, until, more] = text.split(/\s+to\s+/i).map((part) => readLocalTime(part));
  if (from !== undefined && until !== undefined) {
    return from === null || until === null || more !== undefined
      ? null
      : { kind: 'temporary', from: instantsOf(zone, from).at, until: lastOf(zone, until) };
  }
  const windows = text.split(';').map(readWindow);
  return windows.includes(null)
    ? null
    : { kind: 'recurring', windows: windows.filter((window) => window !== null) };
}

/** A code ends with the later of two instants that a clock shows twice, so that no guest is locked out an hour early. */
function lastOf(zone: string, local: LocalDateTime): number {
  const instants = instantsOf(zone, local);
  return instants.kind === 'twice' ? instants.later : instants.at;
}

function readLocalTime(text: string): LocalDateTime | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)$/.exec(text.trim());
  if (match === null) {
    return null;
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  const local = { year, month, day, hour, minute };
  return isLocalDateTime(local) ? local : null;
}

function readWindow(text: string): WeeklyWindow | null {
  const match = /^(.+?)\s+(\d\d:\d\d)\s*-\s*(\d\d:\d\d)$/.exec(text.trim());
  const days = new Set((match?.[1] ?? '').split(/[\s,+]+/).map(readDay));
  const [, , from, until] = match ?? [];
  return from === undefined || until === undefined || days.has(null)
    ? null
    : { days: WEEKDAYS.filter((day) => days.has(day)), from, until };
}

/** The name of a day, or at least three letters of it. */
function readDay(text: string): Weekday | null {
  const word = text.toLowerCase();
  return word.length < 3 ? null : (WEEKDAYS.find((day) => day.toLowerCase().startsWith(word)) ?? null);
}

const UNKNOWN = 'a schedule that this version cannot show';

/** The schedule in the form that `readSchedule` reads. */
export function scheduleWords(schedule: CodeSchedule, zone: string): string {
  switch (schedule.kind) {
    case 'always':
      return 'always';
    case 'unrecognised':
      return UNKNOWN;
    case 'temporary':
      return `${localWords(schedule.from, zone)} to ${localWords(schedule.until, zone)}`;
    case 'recurring':
      return schedule.windows.map(windowWords).join('; ');
  }
}

/** The same form for a person: with the zone's name where the reader's own clocks show other times. */
export function shownSchedule(schedule: CodeSchedule, zone: string, own = machineZone()): string {
  return `${scheduleWords(schedule, zone)}${zoneMark(schedule, zone, own)}`;
}

/** ` (Europe/Paris)` where the times of a schedule are others on the reader's own clocks; else nothing. */
function zoneMark(schedule: CodeSchedule, zone: string, own: string): string {
  const differs =
    schedule.kind === 'temporary'
      ? [schedule.from, schedule.until].some((at) => offsetMinutesAt(zone, at) !== offsetMinutesAt(own, at))
      : schedule.kind === 'recurring' && !sameClocks(zone, own);
  return differs ? ` (${zoneName(zone)})` : '';
}

function windowWords({ days, from, until }: WeeklyWindow): string {
  return `${days.map((day) => day.slice(0, 3)).join(',')} ${from}-${until}`;
}

function localWords(at: number, zone: string): string {
  const { year, month, day, hour, minute } = localTimeAt(zone, at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(year)}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
}

/** The same for a page: with days and months as the reader writes them. `own`: the zone whose times need no name. */
export function scheduleSentence(schedule: CodeSchedule, zone: string, own = machineZone()): string {
  switch (schedule.kind) {
    case 'always':
      return t('Always');
    case 'unrecognised':
      return t('A schedule that this version cannot show');
    case 'temporary': {
      const [from = '', until = ''] = [schedule.from, schedule.until].map((at) =>
        shownTime(at + offsetMinutesAt(zone, at) * 60_000),
      );
      return `${t('{from} to {until}', { from, until })}${zoneMark(schedule, zone, own)}`;
    }
    case 'recurring':
      return `${schedule.windows.map(windowSentence).join('; ')}${zoneMark(schedule, zone, own)}`;
  }
}

/** Of an instant that was moved by the offset of its zone, because browsers do not all know fixed offsets as zones. */
function shownTime(at: number): string {
  return dateFormat(locale(), { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

function windowSentence({ days, from, until }: WeeklyWindow): string {
  const names = days.length === 7 ? t('Every day') : seriesWords(days.map(shortDay));
  return `${names} ${hourWords(from)}–${hourWords(until)}`;
}

/** "Mon". */
function shortDay(day: Weekday): string {
  return dateFormat(languageCode(), { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, 1 + WEEKDAYS.indexOf(day)),
  );
}
