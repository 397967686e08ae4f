// Keeps one code in reserve on the locks of a calendar, for a guest whose own code is not there at the check-in.
import { sameSchedule } from '../../../domain/codes/access-code.ts';
import { hasCode } from '../../../domain/codes/guest-step.ts';
import { type Message, message, verbatim } from '../../../domain/language/message.ts';
import type { Guests, GuestView } from '../../../engine/codes/guests.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import { tryDisk } from '../../../support/files/try-disk.ts';
import { t } from '../../../words/translate.ts';
import type { Stay } from '../policy/stay.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import { hasEnded, isArriving } from '../policy/stay-plan-policy.ts';
import type { CalendarSetup } from '../policy/stay-ports.ts';
import type { StayBook } from './stay-book.ts';
import { type StayCodeChoice, scheduleOf } from './stay-code-choice.ts';
import { isReadyOn, needsOtherDigits } from './stay-readiness.ts';

export interface StayReservesParts extends Pick<CommonParts, 'store' | 'serviceClock' | 'log'> {
  readonly book: StayBook;
  readonly guests: Guests;
  readonly choice: StayCodeChoice;
  readonly setup: CalendarSetup;
  /** No code is made any more. */
}

/** Whom a stay has: `offered` from shortly before the check-in, while its own code is not on every lock. */
export type ReserveState = 'none' | 'offered' | 'taken';

const MARK = 'reserve ';
const NONE = message('There is no code in reserve that the locks have. Look at the stay again.');

export function isReserve({ stay }: Pick<GuestView, 'stay'>): boolean {
  return stay?.id.startsWith(MARK) === true;
}

export class StayReserves {
  readonly #parts: StayReservesParts;

  constructor(parts: StayReservesParts) {
    this.#parts = parts;
  }

  stateOf(stay: Stay, own: GuestView | undefined, all: readonly GuestView[]): ReserveState {
    const { reserveId } = stay;
    if (reserveId !== undefined) {
      return all.some(({ id, isLeaving }) => id === reserveId && !isLeaving) ? 'taken' : 'none';
    }
    return this.#offerFor(stay, own, all) === undefined ? 'none' : 'offered';
  }

  /** Gives the guest the code in reserve, for the hours of the stay. Returns why not, in words. Throws as `Guests.update` does. */
  use(stay: Stay): Message | null {
    const { guests, book } = this.#parts;
    const all = guests.list();
    const own = all.find((one) => one.stay?.id === stay.id && !one.isLeaving);
    const reserve = this.#offerFor(stay, own, all);
    if (reserve === undefined) {
      return NONE;
    }
    // From here on the code is a used one, also where the process ends before the stay is stored.
    const answer = guests.update(reserve.id, { schedule: scheduleOf(stay) }, reserve.revision, 'stay');
    if (answer.kind === 'invalid') {
      return answer.faults[0]?.words ?? verbatim('');
    }
    book.save({ ...stay, reserveId: reserve.id });
    return null;
  }

  /** The stay to which a code in reserve was given. */
  stayOf({ id }: Pick<GuestView, 'id'>): Stay | undefined {
    return this.#parts.book.stays().find(({ reserveId }) => reserveId === id);
  }

  async pass(): Promise<void> {
    const { guests, setup, book } = this.#parts;
    const holders = new Map(book.stays().map((stay) => [stay.reserveId, stay]));
    const reserves = guests.list().filter((one) => isReserve(one) && !one.isLeaving);
    const free: GuestView[] = [];
    for (const reserve of reserves) {
      const stay = holders.get(reserve.id);
      if (stay === undefined && reserve.schedule.kind === 'always') {
        free.push(reserve);
      } else {
        this.#reconcileUsed(reserve, stay);
      }
    }
    for (const calendar of setup.calendars()) {
      await this.#reconcileUnused(
        calendar,
        free.filter(({ stay }) => stay?.id === MARK + calendar.id),
      );
    }
    const known = new Set(setup.calendars().map(({ id }) => MARK + id));
    const unread = new Set(setup.unread().map((id) => MARK + id));
    this.#remove(free.filter(({ stay }) => !known.has(stay?.id ?? '') && !unread.has(stay?.id ?? '')));
  }

  #offerFor(stay: Stay, own: GuestView | undefined, all: readonly GuestView[]): GuestView | undefined {
    const { setup, serviceClock } = this.#parts;
    const now = serviceClock.now();
    if (hasEnded(stay, now) || stay.isSkipped || stay.reserveId !== undefined || !isArriving(stay, now)) {
      return undefined;
    }
    const calendar = setup.calendars().find(({ id }) => id === stay.calendarId);
    if (calendar?.reserve !== true || isReadyOn(own, calendar)) {
      return undefined;
    }
    const has = new Set(own?.onLocks.filter(hasCode).map(({ lockId }) => lockId));
    return all.find(
      (one) =>
        one.stay?.id === MARK + calendar.id &&
        !one.isLeaving &&
        !one.isProposed &&
        one.schedule.kind === 'always' &&
        one.onLocks.some((on) => hasCode(on) && !has.has(on.lockId)),
    );
  }

  /** A used code follows its stay to the end, and goes with it. */
  #reconcileUsed(reserve: GuestView, stay: Stay | undefined): void {
    const { guests, serviceClock, log } = this.#parts;
    if (stay === undefined && this.#parts.book.unreadIds.length > 0) {
      // Its stay may be one that cannot be read.
      return;
    }
    if (stay === undefined || hasEnded(stay, serviceClock.now()) || stay.isSkipped) {
      this.#spend(reserve, stay);
      this.#remove([reserve]);
    } else if (!sameSchedule(reserve.schedule, scheduleOf(stay))) {
      tryDisk(log, t(TROUBLE), () =>
        guests.update(reserve.id, { schedule: scheduleOf(stay) }, reserve.revision, 'stay'),
      );
    }
  }

  async #reconcileUnused(calendar: StayCalendar, free: readonly GuestView[]): Promise<void> {
    const { guests, store, log, book } = this.#parts;
    const locks = calendar.locks.filter((id) => store.get(id) !== undefined);
    const [first, ...others] = free;
    if (!calendar.reserve || locks.length === 0 || book.isEnding) {
      this.#remove(free);
    } else if (first === undefined && guests.unreadCount > 0) {
      // It may have one that cannot be read.
    } else if (first === undefined) {
      await this.#make(calendar, locks);
    } else if (needsOtherDigits(first)) {
      this.#remove(free);
    } else {
      this.#remove(others);
      const isSame = first.locks !== 'all' && locks.join(' ') === first.locks.join(' ');
      tryDisk(log, t(TROUBLE), () =>
        isSame ? null : guests.update(first.id, { locks }, first.revision, 'stay'),
      );
    }
  }

  async #make(calendar: StayCalendar, locks: StayCalendar['locks']): Promise<void> {
    const { choice, log } = this.#parts;
    const known = await choice.known(locks);
    if (known.trouble === null) {
      const mark = { id: MARK + calendar.id, calendar: calendar.name };
      tryDisk(log, t(TROUBLE), () => choice.addReserve({ calendar, locks, mark }, known));
    }
  }

  /** Whoever had it must not come in with it again. */
  #spend({ id, stay }: GuestView, of: Stay | undefined): void {
    const { book, guests } = this.#parts;
    book.spend(of?.calendarId ?? stay?.id.slice(MARK.length) ?? '', guests.reveal(id));
  }

  #remove(reserves: readonly GuestView[]): void {
    const { guests, log } = this.#parts;
    for (const { id } of reserves) {
      tryDisk(log, t(TROUBLE), () => guests.remove(id));
    }
  }
}

const TROUBLE = message('The code in reserve could not be kept');
