// Times of a history on the clocks of the lock, in words.

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const CLOCK = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
const SHORT_DAY = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', timeZone: 'UTC' });
const MONTH_DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** "8:15 AM". */
export function clockThere(at: number, offsetMinutes: number): string {
  return CLOCK.format(at + offsetMinutes * MINUTE_MS);
}

/** "9:33–10:33 AM", "9:33 AM–1:05 PM", or "9:33 AM" within one minute. */
export function clocksThere(from: number, to: number, offsetMinutes: number): string {
  const [begin, end] = [clockThere(from, offsetMinutes), clockThere(to, offsetMinutes)];
  return begin === end ? end : `${withoutSameHalf(begin, end)}–${end}`;
}

/** "from 4:27 to 5:09 AM"; over midnight "from Apr 13, 4:27 PM to Apr 14, 5:09 AM", with years where they differ. */
export function stretchThere(from: number, to: number, offsetMinutes: number): string {
  const [begin, end] = [clockThere(from, offsetMinutes), clockThere(to, offsetMinutes)];
  const [first, last] = [from, to].map((at) => new Date(at + offsetMinutes * MINUTE_MS));
  if (first === undefined || last === undefined || dayNumber(first) === dayNumber(last)) {
    return `from ${withoutSameHalf(begin, end)} to ${end}`;
  }
  const date = first.getUTCFullYear() === last.getUTCFullYear() ? MONTH_DAY : DATE;
  return `from ${date.format(first)}, ${begin} to ${date.format(last)}, ${end}`;
}

/** "Today", "Yesterday" or "Tuesday, April 14, 2026"; `offsetNow`: how far the lock's clocks are ahead now. */
export function dayThere(at: number, offsetMinutes: number, now: number, offsetNow: number): string {
  const there = new Date(at + offsetMinutes * MINUTE_MS);
  const daysAgo = dayNumber(new Date(now + offsetNow * MINUTE_MS)) - dayNumber(there);
  return daysAgo === 0 ? 'Today' : daysAgo === 1 ? 'Yesterday' : DAY.format(there);
}

/** "Tuesday, April 14, 2026", of a date such as "2026-04-14". */
export function longDay(date: string): string {
  return DAY.format(new Date(date));
}

/** "14 Tue", of a date such as "2026-04-14". */
export function shortDay(date: string): string {
  return SHORT_DAY.format(new Date(date));
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
