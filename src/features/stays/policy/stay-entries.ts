// Which entries of a calendar are stays, and which members of them are stored.
import { hoursIn } from './booking-hours.ts';
import { guestIn, referencesIn, stateIn } from './booking-marks.ts';
import { blockedMarksOf, endNamedBy, isCancelledTitle, isUnconfirmed } from './booking-terms.ts';
import type { CalendarEntry } from './calendar-ports.ts';
import { guestDigits } from './guest-phone.ts';
import { type Booking, sameTime } from './stay.ts';
import { dayOf, withoutMarkSteps } from './stay-ends.ts';
import { dayAfter } from './stay-hours.ts';
import { guestVerdict } from './stay-identity.ts';
import type { BlockedWords } from './stay-ports.ts';
import { each, eachOf, finished, type Steps } from './steps.ts';

export { NOT_STAYS } from './booking-terms.ts';

export interface FoundStays {
  readonly bookings: readonly Booking[];
  /** The entries that the calendar itself cancels, or calls not confirmed. */
  readonly cancelled: ReadonlySet<string>;
  /** The number of entries that their words mark as no stays. */
  readonly notStays: number;
  /** Inquiries, holds and options: they get no code before they are confirmed. */
  readonly unconfirmed: number;
  /** Entries without a night. */
  readonly nightless: number;
  /** Entries that mark the arrival or the departure of another. */
  readonly marks: number;
  /** Titles of entries that are no stays, and the words of them that say so: the host is asked where there is no stay at all. */
  readonly blocked: BlockedWords;
  /** Names that are no guest's, because every booking has them: those of a home, or of a program. */
  readonly commonNames: readonly string[];
}

/** Characters of a summary that are stored (our choice). */
const LONGEST_SUMMARY = 60;
const MOST_TITLES = 3;
/** So many bookings that all have one name are of more than one guest (our choice). */
const COMMON_FROM = 3;
const MOST_COMMON = 20;
const MOST_LOOKED_AT = 100;

interface Told {
  readonly booking: Booking;
  /** All digits of the number. */
  readonly digits: string | null;
}

export function staysIn(
  entries: readonly CalendarEntry[],
  words: readonly string[],
  known: KnownWords = {},
): FoundStays {
  return finished(foundSteps(entries, words, known));
}

/** What is known of a calendar's words from before. */
export interface KnownWords {
  /** Words of blocked nights that the host has called bookings. */
  readonly bookingMarks?: readonly string[];
  readonly commonNames?: readonly string[];
}

export function* foundSteps(
  entries: readonly CalendarEntry[],
  words: readonly string[],
  { bookingMarks = [], commonNames: known = [] }: KnownWords = {},
): Steps<FoundStays> {
  const all = newestOf(entries);
  yield undefined;
  const marks = new Map<CalendarEntry, readonly string[]>();
  const [confirmed, refused, off]: [CalendarEntry[], CalendarEntry[], CalendarEntry[]] = [[], [], []];
  const nights = all.filter(({ start, end }) => !sameTime(start, end));
  const isBlockedBy = blockedMarksOf(words);
  yield* each(nights, (entry) => {
    const blocked = isBlockedBy(entry.summary).filter((mark) => !bookingMarks.includes(mark));
    const state = stateIn(entry.description);
    if (isOff(entry) || isCancelledTitle(state)) {
      off.push(entry);
    } else if (blocked.length > 0) {
      marks.set(entry, blocked);
    } else if (entry.isTentative === true || isUnconfirmed(entry.summary) || isUnconfirmed(state)) {
      refused.push(entry);
    } else {
      confirmed.push(entry);
    }
  });
  const told = yield* eachOf(confirmed, toldBy);
  const commonNames = commonIn(told, known);
  const own = ownMarks(told, new Set(commonNames));
  yield undefined;
  const { bookings, marks: ends } = yield* withoutMarkSteps(own);
  return {
    bookings: yield* joinedSteps(bookings),
    marks: ends,
    commonNames,
    cancelled: new Set([...off, ...refused].map(({ uid }) => uid)),
    notStays: marks.size,
    unconfirmed: refused.length,
    nightless: all.length - nights.length,
    blocked: {
      titles: [...new Set([...marks.keys()].map(({ summary }) => summary.slice(0, LONGEST_SUMMARY)))].slice(
        0,
        MOST_TITLES,
      ),
      marks: [...new Set([...marks.values()].flat())],
    },
  };
}

/** Of two versions of an entry in one reading, the later one (RFC 5545, 3.8.7.4). */
function newestOf(entries: readonly CalendarEntry[]): readonly CalendarEntry[] {
  const newest = new Map<string, CalendarEntry>();
  for (const entry of entries) {
    const known = newest.get(entry.uid);
    if (known === undefined || known.sequence <= entry.sequence) {
      newest.set(entry.uid, entry);
    }
  }
  return [...newest.values()];
}

function isOff({ isCancelled, summary }: CalendarEntry): boolean {
  return isCancelled || isCancelledTitle(summary);
}

function toldBy(entry: CalendarEntry): Told {
  const { uid, start, end, summary, description } = entry;
  const digits = guestDigits(description) ?? guestDigits(summary);
  const said = hoursIn(`${summary}\n${description}`);
  return {
    digits,
    booking: {
      uid,
      start,
      end,
      summary: summary.slice(0, LONGEST_SUMMARY),
      phone4: digits?.slice(-4) ?? null,
      references: referencesIn(summary, description),
      guest: guestIn(summary, description),
      ...(said.checkIn === null && said.checkOut === null ? {} : { said }),
    },
  };
}

/** A number that two bookings have is nobody's, unless both name the same guest. The same holds for numbers of reservations. */
function ownMarks(all: readonly Told[], common: ReadonlySet<string>): readonly Booking[] {
  const told = all.map((one) =>
    common.has(one.booking.guest ?? '') ? { ...one, booking: { ...one.booking, guest: null } } : one,
  );
  const phones = Map.groupBy(told, ({ digits }) => digits ?? '');
  const ids = new Map<string, Booking[]>();
  for (const { booking } of told) {
    for (const id of booking.references ?? []) {
      ids.set(id, [...(ids.get(id) ?? []).slice(0, 2), booking]);
    }
  }
  const shared = new Set(
    [...phones].filter(([digits, those]) => digits !== '' && !isOfOne(those)).map(([digits]) => digits),
  );
  const own = ({ booking, digits }: Told): Booking => ({
    ...booking,
    ...(digits !== null && shared.has(digits) ? { phone4: null, isPhoneShared: true } : {}),
    references: (booking.references ?? []).filter((id) => isOfOneBooking(ids.get(id) ?? [])),
  });
  return told.map(own);
}

/** With the names that were common before: the bookings that are left may be two alone. */
function commonIn(told: readonly Told[], known: readonly string[]): readonly string[] {
  const named = told.map(({ booking }) => booking).filter(({ guest = null }) => guest !== null);
  const name = named[0]?.guest ?? '';
  if (known.includes(name) || !named.every(({ guest }) => guest === name)) {
    return known;
  }
  const whole = named.slice(0, MOST_LOOKED_AT).filter(({ summary }) => endNamedBy(summary) === null);
  const isCommon = whole.length >= COMMON_FROM && !isNightByNight(whole);
  return isCommon ? [...known, name].slice(-MOST_COMMON) : known;
}

/** Some programs write an entry for each night of one guest. */
function isNightByNight(bookings: readonly Booking[]): boolean {
  const starts = new Set(bookings.map(({ start }) => dayOf(start)));
  return (
    bookings.every(({ start, end }) => dayAfter(dayOf(start)) === dayOf(end)) &&
    bookings.filter(({ end }) => !starts.has(dayOf(end))).length === 1
  );
}

function isOfOne(told: readonly Told[]): boolean {
  const guest = told[0]?.booking.guest ?? null;
  return told.length < 2 || (guest !== null && told.every(({ booking }) => booking.guest === guest));
}

function isOfOneBooking(bookings: readonly Booking[]): boolean {
  return (
    bookings.length < 3 &&
    bookings.every(({ guest, phone4 }) => guest === bookings[0]?.guest && phone4 === bookings[0]?.phone4)
  );
}

/** Two bookings in a row of one guest are one stay with one code. */
function* joinedSteps(bookings: readonly Booking[]): Steps<readonly Booking[]> {
  const byStart = Map.groupBy(bookings, ({ start }) => dayOf(start));
  const taken = new Set<Booking>();
  const whole: Booking[] = [];
  yield undefined;
  const inOrder = [...byStart].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, those]) => those);
  yield* each(inOrder, (booking) => {
    if (taken.has(booking)) {
      return;
    }
    let last = booking;
    for (let hops = 0; hops < MOST_IN_A_ROW; hops += 1) {
      const next = (byStart.get(dayOf(last.end)) ?? [])
        .slice(0, MOST_IN_A_ROW)
        .find((one) => one !== last && !taken.has(one) && isSurelySame(last, one));
      if (next === undefined) {
        break;
      }
      taken.add(next);
      last = next;
    }
    whole.push(last === booking ? booking : { ...booking, end: last.end, ...saidOf(booking, last) });
  });
  return whole;
}

function saidOf({ said: first }: Booking, { said: last }: Booking): Pick<Booking, 'said'> {
  return first === undefined && last === undefined
    ? {}
    : { said: { checkIn: first?.checkIn ?? null, checkOut: last?.checkOut ?? null } };
}

const MOST_IN_A_ROW = 20;

/** The same phone and no other name, or the same name of at least two words; never on dates alone. */
function isSurelySame(a: Booking, b: Booking): boolean {
  const isNamed = (a.guest?.includes(' ') ?? false) && a.guest === b.guest;
  const hasPhone = a.phone4 !== null && a.phone4 === b.phone4;
  const others = { references: [] };
  return (isNamed || hasPhone) && guestVerdict({ ...a, ...others }, { ...b, ...others }, false) === 'same';
}

/** The last four digits of the guest's phone number. */
export function phoneLastFour(text: string): string | null {
  return guestDigits(text)?.slice(-4) ?? null;
}
