// Which entries of a calendar are stays, and which members of them are stored.
import type { CalendarEntry } from './calendar-ports.ts';
import { type Booking, sameTime } from './stay.ts';

/** Words with which portals and owners mark nights that are not booked. */
export const NOT_STAYS: readonly string[] = [
  'Not available',
  'Unavailable',
  'Blocked',
  'Closed',
  'Owner',
  'Owner stay',
  'Maintenance',
];

export interface FoundStays {
  readonly bookings: readonly Booking[];
  /** The entries that the calendar itself cancels. */
  readonly cancelled: ReadonlySet<string>;
  /** The number of entries that their words mark as no stays. */
  readonly notStays: number;
}

/** Characters of a summary that are stored (our choice). */
const LONGEST_SUMMARY = 60;

export function staysIn(entries: readonly CalendarEntry[], words: readonly string[]): FoundStays {
  const newest = new Map<string, CalendarEntry>();
  for (const entry of entries) {
    const known = newest.get(entry.uid);
    if (known === undefined || known.sequence <= entry.sequence) {
      newest.set(entry.uid, entry);
    }
  }
  const all = [...newest.values()].filter(({ start, end }) => !sameTime(start, end));
  const open = all.filter(({ isCancelled }) => !isCancelled);
  const marks = words.map(folded).filter((word) => word !== '');
  const stays = open.filter(({ summary }) => !isMarked(folded(summary), marks));
  return {
    bookings: stays.map(bookingOf),
    cancelled: new Set(all.filter(({ isCancelled }) => isCancelled).map(({ uid }) => uid)),
    notStays: open.length - stays.length,
  };
}

function bookingOf({ uid, sequence, start, end, summary, description }: CalendarEntry): Booking {
  const phone4 = phoneLastFour(description) ?? phoneLastFour(summary);
  return { uid, sequence, start, end, summary: summary.slice(0, LONGEST_SUMMARY), phone4 };
}

/** Letters and digits alone, each word after one space. */
function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The words must stand at the beginning or at the end, because a guest may have the same name. */
function isMarked(summary: string, marks: readonly string[]): boolean {
  return marks.some(
    (mark) => summary === mark || summary.startsWith(`${mark} `) || summary.endsWith(` ${mark}`),
  );
}

const LAST_FOUR = /last\s*(?:4|four)\s*digits[^\d\n]{0,20}(\d{4})(?!\d)/iu;
const NAMED_PHONE = /\b(?:phone|telephone|tel|mobile|cell)\b[^\d+\n]{0,20}(\+?\d[\d ().\-/]{4,22}\d)/iu;
const FOREIGN_PHONE = /(\+\d[\d ().\-/]{6,22}\d)/u;

/** The last four digits of a phone number: one that the text names as such, or that begins with a plus. */
export function phoneLastFour(text: string): string | null {
  const said = LAST_FOUR.exec(text)?.[1];
  if (said !== undefined) {
    return said;
  }
  const number = (NAMED_PHONE.exec(text) ?? FOREIGN_PHONE.exec(text))?.[1] ?? '';
  const digits = number.replaceAll(/\D/gu, '');
  return digits.length < 6 ? null : digits.slice(-4);
}
