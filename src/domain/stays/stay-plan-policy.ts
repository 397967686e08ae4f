// Plans the stays of a calendar by its bookings: new ones, dates that follow, stays that are cancelled or over.
import type { Instant } from '../time/instant.ts';
import { type Booking, isUnderWay, renamedBookings, type Stay, type StayWindow } from './stay.ts';
import type { CalendarSettings } from './stay-calendar.ts';
import { MS_PER_DAY, NO_OWN_HOURS, windowOf } from './stay-hours.ts';

export interface PlanFacts {
  readonly settings: CalendarSettings;
  readonly calendarId: string;
  readonly zone: string;
  readonly now: Instant;
  /** Called once for each stay that is new. */
  readonly newId: () => string;
}

/** How long a stay is still shown after its code is gone (our choice). */
const SHOWN_AFTER_MS = 30 * MS_PER_DAY;

/** All stays of the calendar once its bookings are `bookings`. */
export function plannedStays(
  stays: readonly Stay[],
  bookings: readonly Booking[],
  facts: PlanFacts,
): readonly Stay[] {
  const byUid = new Map(bookings.map((booking) => [booking.uid, booking]));
  const known = new Set(stays.map(({ booking }) => booking.uid));
  const gone = stays
    .filter((stay) => !byUid.has(stay.booking.uid) && stay.endedAt === null)
    .map(({ booking }) => booking);
  const renamed = renamedBookings(
    gone,
    bookings.filter(({ uid }) => !known.has(uid)),
  );
  const twins = new Set(renamed.values());
  const followed = stays.map((stay) => {
    const { uid } = stay.booking;
    return following(stay, byUid.get(uid) ?? renamed.get(uid) ?? null, facts);
  });
  const added = bookings
    .filter((booking) => !known.has(booking.uid) && !twins.has(booking))
    .map((booking) => newStay(booking, facts))
    .filter((stay) => stay !== null);
  return [...followed, ...added];
}

function newStay(booking: Booking, facts: PlanFacts): Stay | null {
  const window = windowOf(booking, NO_OWN_HOURS, facts.settings, facts.zone);
  if (window.closesAt <= facts.now || window.closesAt <= window.opensAt) {
    return null;
  }
  return {
    id: facts.newId(),
    calendarId: facts.calendarId,
    booking,
    window,
    hours: NO_OWN_HOURS,
    isCancelled: false,
    isSkipped: false,
    name: null,
    pin: null,
    isGiven: false,
    readyAt: null,
    arrivedAt: null,
    endedAt: null,
    goneAt: null,
  };
}

/** `booking`: null when it is no longer in the calendar. */
function following(stay: Stay, booking: Booking | null, facts: PlanFacts): Stay {
  const { settings, zone, now } = facts;
  const isHeld = isUnderWay(stay, now) && !stay.isCancelled && !settings.endEarly;
  if (booking === null) {
    // Calendars drop bookings that have begun: that proves nothing about the guest who is there.
    const isOver = stay.endedAt !== null || stay.window.closesAt <= now;
    return isHeld || isOver ? stay : { ...stay, isCancelled: true };
  }
  const target = windowOf(booking, stay.hours, settings, zone);
  if (isHeld) {
    return { ...stay, booking, window: notCut(stay.window, target) };
  }
  const isOver = stay.endedAt !== null || stay.window.closesAt <= now;
  const isAgain = isOver && target.closesAt > now;
  if (isOver && !isAgain) {
    return { ...stay, booking };
  }
  return { ...stay, booking, window: target, isCancelled: false, ...(isAgain ? FROM_ANEW : {}) };
}

const FROM_ANEW = { readyAt: null, arrivedAt: null, endedAt: null, goneAt: null } as const;

/** A stay that is under way may become longer. One whose booking moves away goes on to its end, and begins anew afterwards. */
function notCut(held: StayWindow, target: StayWindow): StayWindow {
  const isLonger = target.opensAt < held.closesAt && target.closesAt > held.closesAt;
  return isLonger ? { ...held, departureAt: target.departureAt, closesAt: target.closesAt } : held;
}

/** Hours that a person set count at once, also while the stay is under way. */
export function withHours(stay: Stay, hours: Stay['hours'], facts: Omit<PlanFacts, 'newId'>): Stay {
  return { ...stay, hours, window: windowOf(stay.booking, hours, facts.settings, facts.zone) };
}

export function codeFromAt({ window }: Pick<Stay, 'window'>, daysAhead: number): Instant {
  return window.opensAt - daysAhead * MS_PER_DAY;
}

export function isCodeWanted(stay: Stay, daysAhead: number, now: Instant): boolean {
  const isOff = stay.isCancelled || stay.isSkipped || stay.endedAt !== null;
  return !isOff && codeFromAt(stay, daysAhead) <= now && now < stay.window.closesAt;
}

/** Whether the stay is over by now, or will not take place. */
export function hasEnded(stay: Stay, now: Instant): boolean {
  return stay.endedAt !== null || stay.isCancelled || stay.window.closesAt <= now;
}

/** The next instant at which a stay changes by itself; null: none. */
export function nextInstant(stay: Stay, daysAhead: number, now: Instant): Instant | null {
  const instants = [codeFromAt(stay, daysAhead), stay.window.opensAt, stay.window.closesAt];
  const coming = stay.endedAt === null ? instants.filter((at) => at > now) : [];
  return coming.length === 0 ? null : Math.min(...coming);
}

/** Whether nothing is left to show or do for the stay. */
export function isForgettable(stay: Stay, now: Instant): boolean {
  const isGone = stay.goneAt !== null && stay.goneAt + SHOWN_AFTER_MS <= now;
  return isGone && stay.window.closesAt <= now;
}
