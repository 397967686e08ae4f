// Stays that a person enters: they stand beside the bookings of a calendar, and are planned with them.
import { type Message, message } from '../../../domain/language/message.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import { nextId } from '../../../support/dated-ids.ts';
import { FinalError } from '../../../support/errors.ts';
import { faultOfHandBooking, type HandBooking, type HandField, handBooking } from '../policy/hand-booking.ts';
import { type Booking, isUnderWay } from '../policy/stay.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import { NO_OWN_HOURS, windowOf } from '../policy/stay-hours.ts';
import type { StayBook } from './stay-book.ts';

export interface HandStaysParts extends Pick<CommonParts, 'serviceClock'> {
  readonly book: StayBook;
  readonly zoneOf: (calendar: StayCalendar) => string;
  /** The bookings of that calendar have changed. */
  readonly onBelief: (id: string) => void;
}

const OF_A_CALENDAR = message('This stay comes from its calendar. Skip it instead.');
const PAST = message('These days are past.');
const STAYING = message('This guest is staying now. Skip the stay to remove its code.');

export class HandStays {
  readonly #parts: HandStaysParts;

  constructor(parts: HandStaysParts) {
    this.#parts = parts;
  }

  /** The first fault; null: it can be added. */
  faultOf(calendar: StayCalendar, typed: HandBooking): readonly [HandField, Message] | null {
    const now = this.#parts.serviceClock.now();
    const fault = faultOfHandBooking(typed);
    const isPast = fault === null && this.#isOver(handBooking(typed, ''), calendar, now);
    return isPast ? ['until', PAST] : fault;
  }

  /** Throws retry (`storage-failed`); then nothing has changed. */
  add(calendar: StayCalendar, typed: HandBooking): void {
    const { book, serviceClock, onBelief } = this.#parts;
    const now = serviceClock.now();
    const record = book.record(calendar.id);
    const known = record.byHand ?? [];
    const ids = known.map(({ uid }) => uid.slice(uid.lastIndexOf(' ') + 1));
    const open = known.filter((one) => !this.#isOver(one, calendar, now));
    book.saveRecord({ ...record, byHand: [...open, handBooking(typed, nextId(ids, now))] });
    onBelief(calendar.id);
  }

  #isOver(booking: Booking, calendar: StayCalendar, now: Instant): boolean {
    return windowOf(booking, NO_OWN_HOURS, calendar, this.#parts.zoneOf(calendar)).closesAt <= now;
  }

  /** The stay is cancelled, and its code goes. Throws as `add` does, and final for a stay of a calendar or under way. */
  remove(id: string): void {
    const { book, serviceClock, onBelief } = this.#parts;
    const stay = book.meant(id);
    if (stay.booking.isByHand !== true) {
      throw new FinalError('bad-request', OF_A_CALENDAR);
    }
    if (isUnderWay(stay, serviceClock.now()) && !stay.isSkipped && stay.endedAt === null) {
      throw new FinalError('bad-request', STAYING);
    }
    const record = book.record(stay.calendarId);
    const byHand = (record.byHand ?? []).filter(({ uid }) => uid !== stay.booking.uid);
    book.saveRecord({ ...record, byHand });
    book.save({ ...stay, isCancelled: true });
    onBelief(stay.calendarId);
  }
}
