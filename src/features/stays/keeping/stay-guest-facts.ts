// What a message to the guest of a stay says: who, where, when, and on which locks the code is.
import type { CodeSchedule } from '../../../domain/codes/access-code.ts';
import { hasCode } from '../../../domain/codes/guest-step.ts';
import { message } from '../../../domain/language/message.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import { FinalError } from '../../../support/errors.ts';
import type { GuestView } from '../../../sync/codes/guests.ts';
import type { CommonParts } from '../../../sync/locks/common-parts.ts';
import { nameOf } from '../../../words/locks.ts';
import { shownGuest } from '../policy/booking-marks.ts';
import type { Stay } from '../policy/stay.ts';
import type { GuestLanguage, StayCalendar } from '../policy/stay-calendar.ts';
import { hasEnded } from '../policy/stay-plan-policy.ts';
import type { StayBook } from './stay-book.ts';
import type { StayReserves } from './stay-reserves.ts';

/** A door that the guest is to open, and whether its lock has the code. */
export interface GuestDoor {
  readonly name: string;
  readonly isReady: boolean;
}

export interface StayGuestFacts {
  readonly guest: string | null;
  readonly flat: string;
  readonly doors: readonly GuestDoor[];
  /** From the check-in to the check-out: the minutes before and after are the host's own. */
  readonly when: CodeSchedule;
  readonly timeZone: string;
  readonly template: string;
  readonly language: GuestLanguage | null;
}

export interface StayGuestFactsParts extends Pick<CommonParts, 'store' | 'serviceClock'> {
  readonly book: StayBook;
  readonly guests: { list(): readonly GuestView[] };
  readonly reserves: Pick<StayReserves, 'stateOf'>;
  readonly calendarOf: (id: string) => StayCalendar | undefined;
  readonly zoneOf: (calendar: StayCalendar | undefined) => string;
}

const OVER = message('This stay is over or skipped: its code opens nothing.');

/** Throws final for a stay that is unknown, over or skipped. */
export function guestFactsOf(id: string, parts: StayGuestFactsParts): StayGuestFacts {
  const { book, calendarOf, zoneOf, serviceClock } = parts;
  const stay = book.meant(id);
  if (hasEnded(stay, serviceClock.now()) || stay.isSkipped) {
    throw new FinalError('refused', OVER);
  }
  const calendar = calendarOf(stay.calendarId);
  return {
    guest: shownGuest(stay.booking),
    flat: calendar?.name ?? '',
    doors: doorsOf(stay, calendar?.locks ?? [], parts),
    when: { kind: 'temporary', from: stay.window.arrivalAt, until: stay.window.departureAt },
    timeZone: zoneOf(calendar),
    template: calendar?.message ?? '',
    language: stay.language ?? calendar?.language ?? null,
  };
}

/** `wanted`: the locks of the calendar, also those that the guest does not have yet. */
function doorsOf(
  stay: Stay,
  wanted: readonly LockId[],
  { guests, reserves, store }: StayGuestFactsParts,
): StayGuestFacts['doors'] {
  const all = guests.list();
  const own = all.find((one) => one.stay?.id === stay.id && !one.isLeaving);
  // The guest was told the digits of the code in reserve.
  const isReserve = reserves.stateOf(stay, own, all) === 'taken';
  const guest = isReserve ? all.find((one) => one.id === stay.reserveId) : own;
  const on = guest === undefined ? [] : wantedOnLocks(guest);
  const others = wanted
    .filter((id) => on.every(({ lockId }) => lockId !== id))
    .map((id) => store.get(id))
    .filter((lock) => lock !== undefined);
  return [...on.map(asDoor), ...others.map((lock) => ({ name: nameOf(lock), isReady: false }))];
}

/** The doors of a guest whom a person keeps. */
export function doorsOfGuest(guest: Pick<GuestView, 'onLocks'>): readonly GuestDoor[] {
  return wantedOnLocks(guest).map(asDoor);
}

const wantedOnLocks = ({ onLocks }: Pick<GuestView, 'onLocks'>): GuestView['onLocks'] =>
  onLocks.filter(({ isLeaving }) => !isLeaving);

const asDoor = (onLock: GuestView['onLocks'][number]): GuestDoor => ({
  name: onLock.lockName,
  isReady: hasCode(onLock),
});
