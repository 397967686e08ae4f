// The changes that a reading of a calendar would make, for a person who asks before it is stored.
import { type Belief, type BeliefFacts, readingSteps } from '../policy/belief-policy.ts';
import type { CalendarReading } from '../policy/calendar-ports.ts';
import { type Booking, sameTime } from '../policy/stay.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import type { FoundStays } from '../policy/stay-entries.ts';
import { successorSteps } from '../policy/stay-identity.ts';
import type { EntryCounts } from '../policy/stay-ports.ts';
import { eachOf, type Steps } from '../policy/steps.ts';
import type { CalendarCheck } from './stay-views.ts';

const NO_COUNTS: EntryCounts = { stays: 0, notStays: 0, leftOut: 0 };
const NO_CHANGES: CalendarCheck['changes'] = { added: 0, moved: 0, cancelled: 0, doubted: 0 };

export function nothingRead(
  { id: calendarId, name: calendarName }: StayCalendar,
  said: Exclude<CalendarReading, { readonly kind: 'entries' }>,
): CalendarCheck {
  const words = said.kind === 'failed' ? said.words : null;
  return { calendarId, calendarName, kind: said.kind, words, counts: NO_COUNTS, changes: NO_CHANGES };
}

/** Every entry is a stay, or is counted as what it is. */
export function* countSteps(
  { bookings, notStays, unconfirmed, nightless, marks }: FoundStays,
  { leftOut }: CalendarReading & { readonly kind: 'entries' },
  { windowOf }: BeliefFacts,
): Steps<EntryCounts> {
  const isEmpty = yield* eachOf(bookings, (booking) => {
    const { opensAt, closesAt } = windowOf(booking);
    return closesAt <= opensAt;
  });
  const empty = isEmpty.filter(Boolean).length;
  const stays = bookings.length - empty;
  return { stays, notStays, unconfirmed, marks, leftOut: leftOut + nightless + empty };
}

export function* checkSteps(
  { id: calendarId, name: calendarName }: StayCalendar,
  { bookings }: FoundStays,
  counts: EntryCounts,
  before: Belief,
  facts: BeliefFacts,
): Steps<CalendarCheck> {
  const belief = yield* readingSteps(before, bookings, facts);
  return {
    calendarId,
    calendarName,
    kind: 'read',
    words: null,
    counts,
    changes: { ...(yield* changeSteps(before, belief, facts)), doubted: belief.doubt?.lost ?? 0 },
  };
}

function* changeSteps(
  { bookings: before }: Belief,
  { bookings: after }: Belief,
  facts: BeliefFacts,
): Steps<Omit<CalendarCheck['changes'], 'doubted'>> {
  const { now, windowOf } = facts;
  const formers = before.map((booking) => ({ booking, isOpen: windowOf(booking).closesAt > now }));
  const next = yield* successorSteps(formers, after, facts);
  const followed = new Set(next.values());
  return {
    added: after.filter((booking) => !followed.has(booking) && windowOf(booking).closesAt > now).length,
    moved: [...next].filter(([{ booking }, other]) => isMoved(booking, other)).length,
    cancelled: formers.filter((former) => !next.has(former) && windowOf(former.booking).opensAt > now).length,
  };
}

function isMoved(before: Booking, after: Booking): boolean {
  return !(sameTime(before.start, after.start) && sameTime(before.end, after.end));
}
