// Entries that mark the arrival or the departure of a stay: beside it, or in its place.
import { endNamedBy } from './booking-terms.ts';
import type { CalendarTime } from './calendar-ports.ts';
import type { Booking } from './stay.ts';
import { localDay, MS_PER_DAY, NO_OFFSET } from './stay-hours.ts';
import { guestVerdict } from './stay-identity.ts';
import { each, type Steps } from './steps.ts';

export interface WithoutMarks {
  readonly bookings: readonly Booking[];
  /** Entries that are no stays of their own. */
  readonly marks: number;
}

/** A mark lasts no longer than a day, on the clocks of any zone. */
const LONGEST_MARK_MS = 25 * 3_600_000;
/** More bookings of one day than a home has are not all compared. */
const MOST_TRIED = 50;
/** A stay that is only marked is no longer than this (our choice). */
const MOST_NIGHTS = 60;

export function* withoutMarkSteps(bookings: readonly Booking[]): Steps<WithoutMarks> {
  const ends = new Map<Booking, 'arrival' | 'departure'>();
  yield* each(bookings, (booking) => {
    const end = isShort(booking) ? endNamedBy(booking.summary) : null;
    if (end !== null) {
      ends.set(booking, end);
    }
  });
  if (ends.size === 0) {
    return { bookings, marks: 0 };
  }
  const whole = bookings.filter((booking) => !ends.has(booking));
  const byStart = Map.groupBy(whole, ({ start }) => dayOf(start));
  const byEnd = Map.groupBy(whole, ({ end }) => dayOf(end));
  yield undefined;
  const alone: Booking[] = [];
  yield* each(ends, ([mark, end]) => {
    const beside = (end === 'arrival' ? byStart : byEnd).get(dayOf(mark.start)) ?? [];
    if (!beside.slice(0, MOST_TRIED).some((stay) => guestVerdict(stay, mark, false) !== 'differs')) {
      alone.push(mark);
    }
  });
  const joined = paired(alone, ends);
  return {
    bookings: [...whole, ...joined],
    marks: bookings.length - whole.length - joined.length,
  };
}

/** An arrival and the next departure of the same guest are one stay; what is left alone stays as it is. */
function paired(
  alone: readonly Booking[],
  ends: ReadonlyMap<Booking, 'arrival' | 'departure'>,
): readonly Booking[] {
  const inOrder = alone.toSorted((a, b) => (dayOf(a.start) < dayOf(b.start) ? -1 : 1));
  const taken = new Set<Booking>();
  return inOrder
    .map((mark, index) => {
      const last =
        ends.get(mark) === 'arrival'
          ? inOrder
              .slice(index + 1, index + 1 + MOST_TRIED)
              .find((other) => ends.get(other) === 'departure' && !taken.has(other) && isOfStay(mark, other))
          : undefined;
      if (last === undefined) {
        return mark;
      }
      taken.add(last);
      return { ...mark, end: last.start };
    })
    .filter((booking) => !taken.has(booking));
}

function isOfStay(arrival: Booking, departure: Booking): boolean {
  const nights = (Date.parse(dayOf(departure.start)) - Date.parse(dayOf(arrival.start))) / MS_PER_DAY;
  return (
    nights >= 1 &&
    nights <= MOST_NIGHTS &&
    arrival.start.kind === departure.start.kind &&
    guestVerdict(arrival, departure, false) === 'same'
  );
}

function isShort({ start, end }: Booking): boolean {
  return instantOf(end) - instantOf(start) <= LONGEST_MARK_MS;
}

const instantOf = (time: CalendarTime): number =>
  time.kind === 'instant' ? time.at : Date.parse(time.kind === 'day' ? time.day : `${time.local}Z`);

export function dayOf(time: CalendarTime): string {
  return time.kind === 'day'
    ? time.day
    : time.kind === 'local'
      ? time.local.slice(0, 10)
      : localDay(time.at, NO_OFFSET);
}
