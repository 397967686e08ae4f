// Times of a history on the clocks of the lock, in words.
import { dateFormat } from '../../../src/words/formats.ts';
import { locale, t } from '../../../src/words/translate.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const STYLES = {
  clock: { timeStyle: 'short' },
  hour: { hour: 'numeric' },
  day: { dateStyle: 'full' },
  shortDay: { weekday: 'short', day: 'numeric' },
  monthDay: { month: 'short', day: 'numeric' },
  date: { dateStyle: 'medium' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

function formatOf(style: keyof typeof STYLES): Intl.DateTimeFormat {
  return dateFormat(locale() ?? 'en', { ...STYLES[style], timeZone: 'UTC' });
}

/** "8:15 AM". */
export function clockThere(at: number, offsetMinutes: number): string {
  return formatOf('clock').format(at + offsetMinutes * MINUTE_MS);
}

/** "08:00", or "8 AM": for listeners, who hear what others see. */
export function spokenHour(hour: number): string {
  const [short, clock] = [shortHour(hour), clockThere(hour * HOUR_MS, 0)];
  return clock.includes(short) ? clock : short;
}

/** "08", or "8 AM": an hour of the day without a word for hours. */
export function shortHour(hour: number): string {
  return formatOf('hour')
    .formatToParts(hour * HOUR_MS)
    .filter(({ type }) => type === 'hour' || type === 'dayPeriod')
    .map(({ value }) => value)
    .join(' ');
}

/** "9:33–10:33 AM", "9:33 AM–1:05 PM", or "9:33 AM" within one minute. */
export function clocksThere(from: number, to: number, offsetMinutes: number): string {
  const [begin, end] = [clockThere(from, offsetMinutes), clockThere(to, offsetMinutes)];
  return begin === end ? end : `${withoutSameHalf(begin, end)}–${end}`;
}

/** "No record from 4:27 to 5:09 AM"; over midnight "from Apr 13, 4:27 PM to Apr 14, 5:09 AM", with years where they differ. */
export function gapThere(from: number, to: number, offsetMinutes: number): string {
  const [begin, end] = [clockThere(from, offsetMinutes), clockThere(to, offsetMinutes)];
  const [first, last] = [from, to].map((at) => new Date(at + offsetMinutes * MINUTE_MS));
  if (first === undefined || last === undefined || dayNumber(first) === dayNumber(last)) {
    return t('No record from {begin} to {end}', { begin: withoutSameHalf(begin, end), end });
  }
  const style = first.getUTCFullYear() === last.getUTCFullYear() ? 'monthDay' : 'date';
  return t('No record from {firstDay}, {begin} to {lastDay}, {end}', {
    firstDay: formatOf(style).format(first),
    begin,
    lastDay: formatOf(style).format(last),
    end,
  });
}

/** "Today", "Yesterday" or "Tuesday, April 14, 2026"; `offsetNow`: how far the lock's clocks are ahead now. */
export function dayThere(at: number, offsetMinutes: number, now: number, offsetNow: number): string {
  const there = new Date(at + offsetMinutes * MINUTE_MS);
  const daysAgo = dayNumber(new Date(now + offsetNow * MINUTE_MS)) - dayNumber(there);
  return daysAgo === 0 ? t('Today') : daysAgo === 1 ? t('Yesterday') : formatOf('day').format(there);
}

/** "Tuesday, April 14, 2026", of a date such as "2026-04-14". */
export function longDay(date: string): string {
  return formatOf('day').format(new Date(date));
}

/** "14 Tue", of a date such as "2026-04-14". */
export function shortDay(date: string): string {
  return formatOf('shortDay').format(new Date(date));
}

/** "2026-04-14" on the lock's clocks. */
export function dateThere(at: number, offsetMinutes: number): string {
  return new Date(at + offsetMinutes * MINUTE_MS).toISOString().slice(0, 10);
}

/** "Apr 14, 2026". */
export function shortDate(at: number): string {
  return formatOf('date').format(at);
}

/** How many weeks before today the week lies that holds this date; none for a day to come. */
export function weeksBefore(date: string, today: string): number {
  return Math.max(0, Math.floor((Date.parse(today) - Date.parse(date)) / (7 * DAY_MS)));
}

function dayNumber(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS);
}

/** "4:27" of "4:27 AM" before "5:09 AM". */
function withoutSameHalf(begin: string, end: string): string {
  const half = / ?\s?[AP]M$/u;
  return half.exec(begin)?.[0] === half.exec(end)?.[0] ? begin.replace(half, '') : begin;
}
