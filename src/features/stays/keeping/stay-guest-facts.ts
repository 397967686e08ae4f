// What a message to the guest of a stay says: who, where, when, and on which locks the code is.

import { message } from '../../../domain/language/message.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { BookedGuest } from '../../../engine/codes/guest-source.ts';
import type { GuestView } from '../../../engine/codes/guests.ts';
import { doorsOfGuest, wantedOnLocks } from '../../../engine/codes/standings.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import { FinalError } from '../../../support/errors.ts';
import { nameOf } from '../../../words/locks.ts';
import { shownGuest } from '../policy/booking-marks.ts';
import type { Stay } from '../policy/stay.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import { hasEnded } from '../policy/stay-plan-policy.ts';
import type { StayBook } from './stay-book.ts';
import type { StayReserves } from './stay-reserves.ts';

/** The minutes before the check-in and after the check-out are the host's own. */
export type StayGuestFacts = Omit<BookedGuest, 'pin'>;

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
  return [
    ...(guest === undefined ? [] : doorsOfGuest(guest)),
    ...others.map((lock) => ({ name: nameOf(lock), isReady: false })),
  ];
}
