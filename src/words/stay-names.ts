// Names of stays for a reader: their dates in the reader's language, and the flat.
import type { Accessor } from '../domain/locks/access.ts';
import { type NamedDay, namedDates } from '../domain/stays/stay-name.ts';
import { languageCode, locale, t } from './translate.ts';

/** By locale: a message for a guest may be in another language than the page. */
const formats = new Map<string, Intl.DateTimeFormat>();

function daysFormat(): Intl.DateTimeFormat {
  const tag = locale() ?? languageCode();
  const format =
    formats.get(tag) ?? new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  formats.set(tag, format);
  return format;
}

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
      ? daysFormat().formatRange(first, last)
      : `${daysFormat().format(first)} – ${daysFormat().format(last)}`;
  return letter === '' ? range : `${range} ${letter}`;
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
