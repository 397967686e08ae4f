// The changes that a reading of a calendar would make, for a person who asks before it is stored.
import { afterReading, type Belief, type BeliefFacts } from '../../domain/stays/belief-policy.ts';
import type { CalendarReading } from '../../domain/stays/calendar-ports.ts';
import { type Booking, renamedBookings, sameTime } from '../../domain/stays/stay.ts';
import type { StayCalendar } from '../../domain/stays/stay-calendar.ts';
import type { FoundStays } from '../../domain/stays/stay-entries.ts';
import type { CalendarCheck } from './stay-views.ts';

const NO_COUNTS = { stays: 0, notStays: 0, leftOut: 0 } as const;
const NO_CHANGES: CalendarCheck['changes'] = { added: 0, moved: 0, cancelled: 0, doubted: 0 };

export function nothingRead(
  { id: calendarId, name: calendarName }: StayCalendar,
  said: Exclude<CalendarReading, { readonly kind: 'entries' }>,
): CalendarCheck {
  const words = said.kind === 'failed' ? said.words : null;
  return { calendarId, calendarName, kind: said.kind, words, counts: NO_COUNTS, changes: NO_CHANGES };
}

export interface CheckFacts extends BeliefFacts {
  /** Whether its code would still open. */
  readonly isOpen: (booking: Booking) => boolean;
}

export function checkOf(
  { id: calendarId, name: calendarName }: StayCalendar,
  { bookings, notStays }: FoundStays,
  leftOut: number,
  before: Belief,
  facts: CheckFacts,
): CalendarCheck {
  const belief = afterReading(before, bookings, facts);
  return {
    calendarId,
    calendarName,
    kind: 'read',
    words: null,
    counts: { stays: bookings.length, notStays, leftOut },
    changes: { ...changesOf(before, belief, facts), doubted: belief.doubt?.lost ?? 0 },
  };
}

function changesOf(
  { bookings: before }: Belief,
  { bookings: after }: Belief,
  { isComing, isOpen }: CheckFacts,
): Omit<CalendarCheck['changes'], 'doubted'> {
  const idsBefore = new Set(before.map(({ uid }) => uid));
  const next = new Map(after.map((booking) => [booking.uid, booking]));
  const gone = before.filter(({ uid }) => !next.has(uid));
  const fresh = after.filter(({ uid }) => !idsBefore.has(uid));
  const renamed = renamedBookings(gone, fresh);
  const twins = new Set(renamed.values());
  return {
    added: fresh.filter((booking) => !twins.has(booking) && isOpen(booking)).length,
    moved: before.filter((booking) => isMoved(booking, next.get(booking.uid))).length,
    cancelled: gone.filter((booking) => !renamed.has(booking.uid) && isComing(booking)).length,
  };
}

function isMoved(before: Booking, after: Booking | undefined): boolean {
  return after !== undefined && !(sameTime(before.start, after.start) && sameTime(before.end, after.end));
}
