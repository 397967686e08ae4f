// Plans the stays of a calendar by its bookings: new ones, dates that follow, stays that are cancelled or over.
import type { Instant } from '../../../domain/time/instant.ts';
import { localDay } from '../../../domain/time/local-hours.ts';
import { type Booking, bookingKey, isUnderWay, type Stay, type StayWindow } from './stay.ts';
import type { CalendarSettings } from './stay-calendar.ts';
import { beginsBy, MS_PER_DAY, NO_OWN_HOURS, windowOf } from './stay-hours.ts';
import { successorSteps } from './stay-identity.ts';
import { SpanIndex } from './stay-windows.ts';
import { eachOf, type Steps } from './steps.ts';

export interface PlanFacts {
  readonly settings: CalendarSettings;
  readonly calendarId: string;
  readonly zone: string;
  readonly now: Instant;
  /** Called once for each stay that is new. */
  readonly newId: () => string;
  /** Keys of bookings that are believed although the last reading lacks them, and of those whose loss is believed. */
  readonly missing: ReadonlySet<string>;
  readonly lost: ReadonlySet<string>;
}

/** How long a stay is still shown after its code is gone (our choice). */
const SHOWN_AFTER_MS = 30 * MS_PER_DAY;

/** All stays of the calendar once its bookings are `bookings`. */
export function* planSteps(
  stays: readonly Stay[],
  bookings: readonly Booking[],
  facts: PlanFacts,
): Steps<readonly Stay[]> {
  const formers = stays.map((stay) => ({
    stay,
    booking: stay.booking,
    // A guest who has checked out is followed as long as the booking lasts: it must not become another stay.
    isOpen: !stay.isCancelled && (stay.endedAt === null || isCheckedOutEarly(stay, facts.now)),
  }));
  const next = yield* successorSteps(formers, bookings, {
    hasBegun: (booking) => beginsBy(booking, facts.now, facts),
    beginsSoon: (booking) => beginsBy(booking, facts.now + MS_PER_DAY, facts),
    windowOf: (booking) => windowOf(booking, NO_OWN_HOURS, facts.settings, facts.zone),
  });
  const followed = new Set(next.values());
  const fresh = bookings.filter((booking) => !followed.has(booking));
  const present = yield* eachOf(formers, (former) => following(former.stay, next.get(former) ?? null, facts));
  const added = yield* eachOf(fresh, (booking) => newStay(booking, facts));
  yield undefined;
  const planned = apart([...present, ...added.filter((stay) => stay !== null)], facts);
  return cut(notIntoDoubted(stays, planned, facts), facts);
}

/** Hours of a text that reach into the hours of another stay do not count: no code opens in another guest's nights. */
function apart(stays: readonly Stay[], { settings, zone, now }: PlanFacts): readonly Stay[] {
  const saysHours = ({ booking }: Stay): boolean => booking.said !== undefined;
  if (!settings.bookingHours || !stays.some(saysHours)) {
    return stays;
  }
  const isOpen = (stay: Stay): boolean => !stay.isCancelled && stay.endedAt === null;
  const index = new SpanIndex(stays.filter(isOpen).map(({ window }) => window));
  const plain = { ...settings, bookingHours: false };
  return stays.map((stay) => {
    const isFree =
      !saysHours(stay) ||
      !isOpen(stay) ||
      isUnderWay(stay, now) ||
      index.overlapping(stay.window, (one) => one === stay.window) === undefined;
    return isFree ? stay : { ...stay, window: windowOf(stay.booking, stay.hours, plain, zone) };
  });
}

/**
 * A stay whose booking is missing, or has become shorter while the guest is there, ends where the next guest's begins:
 * no code opens in another guest's nights.
 */
function cut(stays: readonly Stay[], facts: PlanFacts): readonly Stay[] {
  const { missing, now } = facts;
  const isOpen = (stay: Stay): boolean => !stay.isCancelled && stay.endedAt === null;
  const isMissing = ({ booking }: Stay): boolean => missing.has(bookingKey(booking));
  const ends = new Map(
    stays
      .filter((stay) => isOpen(stay) && (isMissing(stay) || isUnderWay(stay, now)))
      .map((stay) => [stay, isMissing(stay) ? { ...stay.window, closesAt: 0 } : targetOf(stay, facts)]),
  );
  if (ends.size === 0) {
    return stays;
  }
  const isThere = (stay: Stay): boolean => isOpen(stay) && !isMissing(stay) && stay.window.closesAt > now;
  const index = new SpanIndex(stays.filter(isThere).map(({ window }) => window));
  return stays.map((stay) => {
    const end = ends.get(stay);
    const next =
      end !== undefined && end.closesAt < stay.window.closesAt
        ? index.overlapping(stay.window, ({ opensAt }) => opensAt <= stay.window.opensAt)
        : undefined;
    if (end === undefined || next === undefined) {
      return stay;
    }
    const closesAt = Math.max(end.closesAt, next.opensAt);
    return { ...stay, window: { ...stay.window, departureAt: end.departureAt, closesAt } };
  });
}

/** Two servers that answer in turn do not give a guest who is there the nights of one who is doubted, and take them back. */
function notIntoDoubted(
  before: readonly Stay[],
  stays: readonly Stay[],
  { missing, now }: PlanFacts,
): readonly Stay[] {
  const held = new Map(
    before.filter((stay) => missing.size > 0 && isUnderWay(stay, now)).map((stay) => [stay.id, stay.window]),
  );
  const doubted = stays.filter(
    ({ booking, isCancelled, endedAt }) =>
      missing.has(bookingKey(booking)) && !isCancelled && endedAt === null,
  );
  return stays.map((stay) => {
    const former = held.get(stay.id);
    const isLonger = former !== undefined && former.closesAt < stay.window.closesAt;
    const isDoubted = ({ window }: Stay): boolean =>
      isLonger && window.opensAt >= former.closesAt && window.opensAt < stay.window.closesAt;
    return isLonger && doubted.some(isDoubted) ? { ...stay, window: former } : stay;
  });
}

const targetOf = ({ booking, hours }: Stay, { settings, zone }: PlanFacts): StayWindow =>
  windowOf(booking, hours, settings, zone);

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
  if (stay.checkedOutAt === undefined) {
    return followingOpen(stay, booking, facts);
  }
  return booking === null ? stay : afterCheckOut(stay, booking, facts);
}

function followingOpen(stay: Stay, booking: Booking | null, facts: PlanFacts): Stay {
  const { settings, zone, now } = facts;
  const isHeld = isUnderWay(stay, now) && !stay.isCancelled && !settings.endEarly;
  if (booking === null) {
    // Calendars drop bookings that have begun: that proves nothing about the guest who is there.
    const isOver = stay.endedAt !== null || stay.window.closesAt <= now;
    const isGone = facts.lost.has(bookingKey(stay.booking)) || !isHeld;
    return isGone && !isOver ? { ...stay, isCancelled: true } : stay;
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
  return {
    ...unwarnedOf(stay, target),
    booking,
    window: target,
    isCancelled: false,
    ...(isAgain ? FROM_ANEW : {}),
  };
}

/** Whoever has left has a code again where the booking gets later nights: nobody may stand outside in a night that is booked. */
function afterCheckOut(stay: Stay, booking: Booking, { settings, zone }: PlanFacts): Stay {
  const target = windowOf(booking, stay.hours, settings, zone);
  if (localDay(target.departureAt, zone) <= localDay(stay.window.departureAt, zone)) {
    return { ...stay, booking };
  }
  const { checkedOutAt: _left, stillHereAt: _here, ...before } = stay;
  return { ...unwarnedOf(before, target), booking, window: target, isCancelled: false, ...FROM_ANEW };
}

function isCheckedOutEarly({ checkedOutAt, window }: Stay, now: Instant): boolean {
  return checkedOutAt !== undefined && now < window.closesAt;
}

/** The hours before another check-in are told anew. */
function unwarnedOf(stay: Stay, { opensAt }: StayWindow): Stay {
  const { warnedHours: _warnedHours, ...unwarned } = stay;
  return opensAt === stay.window.opensAt ? stay : unwarned;
}

const FROM_ANEW = { readyAt: null, arrivedAt: null, endedAt: null, goneAt: null } as const;

/** A stay that is under way may become longer. One whose booking moves away goes on to its end, and begins anew afterwards. */
function notCut(held: StayWindow, target: StayWindow): StayWindow {
  const isLonger = target.opensAt < held.closesAt && target.closesAt > held.closesAt;
  return isLonger ? { ...held, departureAt: target.departureAt, closesAt: target.closesAt } : held;
}

/** Hours that a person set count at once, also while the stay is under way. */
export function withHours(
  stay: Stay,
  hours: Stay['hours'],
  facts: Pick<PlanFacts, 'settings' | 'zone'>,
): Stay {
  return { ...stay, hours, window: windowOf(stay.booking, hours, facts.settings, facts.zone) };
}

export function codeFromAt({ window }: Pick<Stay, 'window'>, daysAhead: number): Instant {
  return window.opensAt - daysAhead * MS_PER_DAY;
}

export function isCodeWanted(stay: Stay, daysAhead: number, now: Instant): boolean {
  const isOff = stay.isSkipped || hasEnded(stay, now);
  return !isOff && codeFromAt(stay, daysAhead) <= now;
}

/** Whether the stay is over by now, or will not take place. */
export function hasEnded(stay: Stay, now: Instant): boolean {
  const isOut = stay.endedAt !== null || stay.checkedOutAt !== undefined;
  return isOut || stay.isCancelled || stay.window.closesAt <= now;
}

/** The next instant at which a stay changes by itself; null: none. */
export function nextInstant(stay: Stay, daysAhead: number, now: Instant): Instant | null {
  const { arrivalAt, opensAt, closesAt } = stay.window;
  const warnings = WARNED_HOURS.map((hours) => opensAt - hours * MS_PER_HOUR);
  const instants = [codeFromAt(stay, daysAhead), ...warnings, opensAt, arrivalAt, closesAt];
  const coming = stay.endedAt === null ? instants.filter((at) => at > now) : [];
  return coming.length === 0 ? null : Math.min(...coming);
}

/** The host is told so many hours before the code should open (specified). */
const WARNED_HOURS = [24, 2] as const;
const MS_PER_HOUR = MS_PER_DAY / 24;

/** A code in reserve takes the place of a stay that begins later than this many days from now (our choice). */
const RESERVE_DAYS = 2;

export function reserveFrom(now: Instant): Instant {
  return now + RESERVE_DAYS * MS_PER_DAY;
}

/** Whether the guest may stand before the door, or soon will. */
export function isArriving(stay: Pick<Stay, 'window'>, now: Instant): boolean {
  return isWithin(WARNED_HOURS[1], stay, now);
}

/** Whether the code should open within the longest of these times, or is open. */
export function isNear(stay: Pick<Stay, 'window'>, now: Instant): boolean {
  return isWithin(WARNED_HOURS[0], stay, now);
}

function isWithin(hours: number, { window }: Pick<Stay, 'window'>, now: Instant): boolean {
  return window.opensAt - hours * MS_PER_HOUR <= now && now < window.closesAt;
}

/** The hours of which the host is to be told now, if the code is not ready; null: none. */
export function warningDue({ window, warnedHours }: Stay, now: Instant): number | null {
  const due = WARNED_HOURS.findLast((hours) => window.opensAt - hours * MS_PER_HOUR <= now);
  return due === undefined || now >= window.closesAt || (warnedHours ?? Infinity) <= due ? null : due;
}

/** Whether nothing is left to show or do for the stay. */
export function isForgettable(stay: Stay, now: Instant): boolean {
  const isGone = stay.goneAt !== null && stay.goneAt + SHOWN_AFTER_MS <= now;
  return isGone && stay.window.closesAt <= now;
}
