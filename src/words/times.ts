// How long something takes, or has been, in whole units, spelled out; and hours of the day.
import { dateFormat } from './formats.ts';
import { languageCode, locale, t } from './translate.ts';

type Unit = 'second' | 'minute' | 'hour' | 'day';

/** "just now", "40 seconds ago", "5 minutes ago", "3 hours ago", "2 days ago". */
export function agoWords(ms: number): string {
  const length = lengthOf(ms);
  return length === null
    ? t('just now')
    : new Intl.RelativeTimeFormat(languageCode()).format(-length.count, length.unit);
}

/** "40 seconds", "5 minutes", "1 hour", "2 days"; empty below 5 seconds. */
export function lengthWords(ms: number): string {
  const length = lengthOf(ms);
  return length === null ? '' : inUnits(length.count, length.unit);
}

/** "9 seconds": rounded up and never empty, for what is waited for. */
export function waitWords(ms: number): string {
  return lengthWords(ms) || inUnits(Math.max(1, Math.ceil(ms / 1_000)), 'second');
}

/** Null below 5 seconds. */
function lengthOf(ms: number): { readonly count: number; readonly unit: Unit } | null {
  const seconds = Math.floor(Math.max(0, ms) / 1_000);
  if (seconds < 5) {
    return null;
  }
  if (seconds < 60) {
    return { count: seconds, unit: 'second' };
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) {
    return { count: minutes, unit: 'minute' };
  }
  const hours = Math.round(minutes / 60);
  return hours < 48 ? { count: hours, unit: 'hour' } : { count: Math.round(hours / 24), unit: 'day' };
}

function inUnits(count: number, unit: Unit): string {
  return new Intl.NumberFormat(languageCode(), { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** "15:00", or "3:00 PM", of an hour of the day such as "15:00": as the reader writes it. */
export function hourWords(hour: string): string {
  const at = Date.parse(`1970-01-01T${hour}Z`);
  // What is no hour was written by hand: it is shown as it stands.
  return Number.isNaN(at)
    ? hour
    : dateFormat(locale() ?? 'en-GB', { timeStyle: 'short', timeZone: 'UTC' }).format(at);
}

const DAY = { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;

/** "Sat, Dec 12", of a date such as "2026-12-12". */
export function dayWords(day: string): string {
  return dateFormat(locale() ?? 'en', DAY).format(new Date(day));
}
