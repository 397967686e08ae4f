// Entries that mark the arrival or the departure of a stay: beside it, or in its place.

import { localDay } from '../../../domain/time/local-hours.ts';
import { endNamedBy } from './booking-terms.ts';
import type { CalendarTime } from './calendar-ports.ts';
import type { Booking, StayWindow } from './stay.ts';
import { MS_PER_DAY, NO_OFFSET, NO_OWN_HOURS, windowOf } from './stay-hours.ts';
import { guestVerdict } from './stay-identity.ts';
import { each, type Steps } from './steps.ts';

export interface WithoutMarks {
  readonly bookings: readonly Booking[];
  /** Entries that are no stays of their own. */
  readonly marks: number;
}

/** A mark lasts no longer than a day, on the clocks of any zone: one of these days has 25 hours. */
const LONGEST_MARK_HOURS = 25;
/** More bookings of one day than a home has are not all compared. */
const MOST_TRIED = 50;
const MIDNIGHTS = { checkIn: '00:00', checkOut: '00:00', minutesBefore: 0, minutesAfter: 0 } as const;
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
  const joined: Booking[] = [];
  for (const [index, mark] of inOrder.entries()) {
    const last =
      ends.get(mark) === 'arrival'
        ? inOrder
            .slice(index + 1, index + 1 + MOST_TRIED)
            .find((other) => ends.get(other) === 'departure' && !taken.has(other) && isOfStay(mark, other))
        : undefined;
    if (last !== undefined) {
      taken.add(last);
    }
    joined.push(last === undefined ? mark : { ...mark, end: last.start });
  }
  return joined.filter((booking) => !taken.has(booking));
}

function isOfStay(arrival: Booking, departure: Booking): boolean {
  const lengthMs = spanOf(departure).arrivalAt - spanOf(arrival).arrivalAt;
  return (
    dayOf(arrival.start) < dayOf(departure.start) &&
    lengthMs <= MOST_NIGHTS * MS_PER_DAY &&
    arrival.start.kind === departure.start.kind &&
    guestVerdict(arrival, departure, false) === 'same'
  );
}

function isShort(booking: Booking): boolean {
  const { arrivalAt, departureAt } = spanOf(booking);
  return departureAt - arrivalAt <= (LONGEST_MARK_HOURS * MS_PER_DAY) / 24;
}

/** Which zone it is in does not matter for a length. */
const spanOf = (booking: Booking): StayWindow => windowOf(booking, NO_OWN_HOURS, MIDNIGHTS, NO_OFFSET);

/** The day, on whatever clock the entry has: two entries of one calendar are compared alone. */
export function dayOf(time: CalendarTime): string {
  return time.kind === 'day'
    ? time.day
    : time.kind === 'local'
      ? time.local.slice(0, 10)
      : localDay(time.at, NO_OFFSET);
}
