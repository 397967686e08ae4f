// Names of stays for a reader: their dates in the reader's language, and the flat.

import { type NamedDay, namedDates } from '../domain/codes/named-dates.ts';
import type { Accessor } from '../domain/locks/access.ts';
import { dateFormat } from './formats.ts';
import { locale, t } from './translate.ts';

const DAYS = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;

/** In a leap year, so that every day of a name exists. */
function instantOf({ month, day }: NamedDay): Date {
  return new Date(Date.UTC(2028, month - 1, day));
}

/** "Nov 26 – 29" of "Stay 26-29 Nov"; null: the name is made of words. */
function datesOf(name: string): string | null {
  const dates = namedDates(name);
  if (dates === null) {
    return null;
  }
  const { from, until, letter } = dates;
  const [first, last] = [instantOf(from), instantOf(until)];
  // A range over the end of the year would say both years, which the name does not have.
  const range =
    first <= last
      ? dateFormat(locale() ?? 'en', DAYS).formatRange(first, last)
      : `${dateFormat(locale() ?? 'en', DAYS).format(first)} – ${dateFormat(locale() ?? 'en', DAYS).format(last)}`;
  // Terminals and searches know the plain space alone.
  const plain = range.replaceAll(/\p{Zs}/gu, ' ');
  return letter === '' ? plain : `${plain} ${letter}`;
}

/** "Nov 26 – 29, Flat 1"; a name of words stays as it is. `flat`: the name of its calendar; empty: it was removed. */
export function stayTitle(name: string, flat: string): string {
  const dates = datesOf(name);
  return dates === null
    ? name
    : flat === ''
      ? t('Stay {dates}', { dates })
      : t('{dates}, {flat}', { dates, flat });
}

/** Whoever moved a bolt, with the name of a stay for the reader. */
export function spokenBy(by: Accessor): Accessor {
  return by.name === null ? by : { ...by, name: spokenName(by.name) };
}

export function isDated(name: string): boolean {
  return namedDates(name) !== null;
}

/** "Stay Nov 26 – 29", where the flat is said beside it. */
export function spokenName(name: string): string {
  const dates = datesOf(name);
  return dates === null ? name : t('Stay {dates}', { dates });
}
