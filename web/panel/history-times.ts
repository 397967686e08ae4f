// Times of a history on the clocks of the lock, in words.

const MINUTE_MS = 60_000;

const CLOCK = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
const SHORT_DAY = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', timeZone: 'UTC' });

/** "8:15 AM". */
export function clockThere(at: number, offsetMinutes: number): string {
  return CLOCK.format(at + offsetMinutes * MINUTE_MS);
}

/** "Tuesday, April 14, 2026". */
export function dayThere(at: number, offsetMinutes: number): string {
  return DAY.format(at + offsetMinutes * MINUTE_MS);
}

/** "14 Tue", of a date such as "2026-04-14". */
export function shortDay(date: string): string {
  return SHORT_DAY.format(new Date(`${date}T00:00:00Z`));
}
