// A person's decisions about a stay: to skip it, to set its hours, to take another code.

import type { GuestLanguage } from '../../../domain/codes/guest-language.ts';
import { type Message, message, verbatim } from '../../../domain/language/message.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { Guests } from '../../../engine/codes/guests.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import { FinalError } from '../../../support/errors.ts';
import { isUnderWay, type OwnHours, type Stay } from '../policy/stay.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import { withHours } from '../policy/stay-plan-policy.ts';
import type { StayBook } from './stay-book.ts';
import type { StayCodeChoice } from './stay-code-choice.ts';
import type { StayReserves } from './stay-reserves.ts';

export interface StayDecisionsParts extends Pick<CommonParts, 'serviceClock'> {
  readonly book: StayBook;
  readonly guests: Guests;
  readonly choice: StayCodeChoice;
  readonly reserves: StayReserves;
  readonly calendarOf: (id: string) => StayCalendar | undefined;
  readonly zoneOf: (calendar: StayCalendar) => string;
  readonly onDecision: () => void;
}

const NO_CALENDAR = message('The calendar of this stay was removed.');
const NOT_STAYING = message(
  'Only a guest who is staying now can be checked out or let in again. Skip the stay instead.',
);
const NO_GUEST = message('This stay has no code on a lock yet. Wait until it has one, then choose another.');

export class StayDecisions {
  readonly #parts: StayDecisionsParts;

  constructor(parts: StayDecisionsParts) {
    this.#parts = parts;
  }

  /** The digits, for a person who asks for them. They are never logged. */
  reveal(id: string): string {
    const { pin, reserveId } = this.#parts.book.meant(id);
    const { guests } = this.#parts;
    if (reserveId !== undefined && guests.list().some((one) => one.id === reserveId && !one.isLeaving)) {
      // The guest was told these.
      return guests.reveal(reserveId);
    }
    if (pin === null) {
      throw new FinalError(
        'not-found',
        message('This stay has no code yet. It is chosen when it is put on the locks.'),
      );
    }
    return pin;
  }

  /** Throws retry (`storage-failed`). */
  skip(id: string, isSkipped: boolean): void {
    const { book } = this.#parts;
    book.save({ ...book.meant(id), isSkipped });
    if (!isSkipped) {
      book.setEnding(false);
    }
    this.#parts.onDecision();
  }

  /** The account ends: no code is made until a person wants one again, neither for a new booking nor in reserve. No stay has a code any more, also none of those that no list shows. Throws as `skip` does. */
  endAll(): void {
    const { book, onDecision } = this.#parts;
    book.setEnding(true);
    for (const stay of book.stays().filter(({ isSkipped, goneAt }) => !isSkipped && goneAt === null)) {
      book.save({ ...stay, isSkipped: true });
    }
    onDecision();
  }

  /** The guest has left: the code goes before the end of the stay. Throws as `skip` does, and final for one who is not there. */
  checkOut(id: string): void {
    const { book, serviceClock, onDecision } = this.#parts;
    const stay = book.meant(id);
    const now = serviceClock.now();
    if (!isUnderWay(stay, now) || stay.isSkipped || stay.isCancelled) {
      throw new FinalError('bad-request', NOT_STAYING);
    }
    if (stay.checkedOutAt === undefined) {
      book.save({ ...stay, checkedOutAt: now });
      onDecision();
    }
  }

  /** The guest is there, against a check-out or what the doors say: the code works again. Throws as `checkOut` does. */
  stillHere(id: string): void {
    const { book, serviceClock, onDecision } = this.#parts;
    const stay = book.meant(id);
    const stillHereAt = serviceClock.now();
    if (!isUnderWay(stay, stillHereAt)) {
      throw new FinalError('bad-request', NOT_STAYING);
    }
    const { checkedOutAt, reserveId: _spent, ...open } = stay;
    const isOut = checkedOutAt !== undefined;
    book.save(
      isOut ? { ...open, stillHereAt, endedAt: null, goneAt: null, readyAt: null } : { ...stay, stillHereAt },
    );
    onDecision();
  }

  /** The language of the message to its guest; null: that of the calendar. Throws as `skip` does. */
  setLanguage(id: string, language: GuestLanguage | null): void {
    const { language: _former, ...stay } = this.#parts.book.meant(id);
    this.#parts.book.save(language === null ? stay : { ...stay, language });
  }

  /** Sets the hours of a stay. Returns why they are impossible, in words; null: they count. Throws as `skip` does. */
  setHours(id: string, hours: OwnHours): Message | null {
    const { book, serviceClock, calendarOf, zoneOf, onDecision } = this.#parts;
    const stay = book.meant(id);
    const calendar = calendarOf(stay.calendarId);
    if (calendar === undefined) {
      return NO_CALENDAR;
    }
    const now = serviceClock.now();
    const facts = { settings: calendar, calendarId: calendar.id, zone: zoneOf(calendar), now };
    const next = withHours(stay, hours, facts);
    const fault = this.#faultOf(stay, next, now);
    if (fault === null) {
      book.save(next);
      onDecision();
    }
    return fault;
  }

  /** Sets another code: these digits, or with null random ones. Returns why not, in words; null: the code is on its way. Throws as `skip` does. */
  async newCode(id: string, pin: string | null): Promise<Message | null> {
    const { guests, choice, calendarOf, zoneOf } = this.#parts;
    const { calendarId } = this.#parts.book.meant(id);
    const calendar = calendarOf(calendarId);
    if (calendar === undefined) {
      return NO_CALENDAR;
    }
    const { locks } = calendar;
    const known = await choice.known(locks);
    const stay = this.#parts.book.meant(id);
    const guest = guests.list().find((one) => one.stay?.id === id && !one.isLeaving);
    if (guest === undefined) {
      return NO_GUEST;
    }
    if (pin !== null) {
      const answer = guests.update(guest.id, { pin }, guest.revision, 'stay');
      return answer.kind === 'invalid' ? (answer.faults[0]?.words ?? verbatim('')) : this.#recoded(id, pin);
    }
    const wanted = { stay, calendar: { ...calendar, code: 'random' }, zone: zoneOf(calendar), locks };
    const chosen = choice.change(wanted, known, guest, guests.reveal(guest.id));
    return chosen.kind === 'chosen' ? this.#recoded(id, chosen.pin) : chosen.words;
  }

  /** The code in reserve becomes that of the stay. Returns why not, in words; null: it does. Throws as `skip` does. */
  useReserve(id: string): Message | null {
    const words = this.#parts.reserves.use(this.#parts.book.meant(id));
    this.#parts.onDecision();
    return words;
  }

  /** The stay is ready once the other code is on all locks. */
  #recoded(id: string, pin: string): null {
    this.#parts.book.save({ ...this.#parts.book.meant(id), pin, readyAt: null });
    this.#parts.onDecision();
    return null;
  }

  #faultOf(before: Stay, { id, calendarId, window }: Stay, now: Instant): Message | null {
    if (window.departureAt <= window.arrivalAt) {
      return message('The check-out must be after the check-in.');
    }
    if (isUnderWay(before, now) && window.closesAt <= now) {
      return message('The check-out would be in the past. Skip the stay to remove its code now.');
    }
    const isInTheWay = this.#parts.book.ofCalendar(calendarId).some((other) => {
      const isOpen = other.id !== id && !other.isCancelled && !other.isSkipped && other.endedAt === null;
      return isOpen && other.window.opensAt < window.closesAt && window.opensAt < other.window.closesAt;
    });
    return isInTheWay
      ? message('The code of another stay would open at the same time. Choose hours that do not overlap.')
      : null;
  }
}
