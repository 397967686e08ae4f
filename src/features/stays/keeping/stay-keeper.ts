// Keeps a guest for each stay whose time has come, and none for the others: one pass over all stays after each change.
import { sameSchedule } from '../../../domain/codes/access-code.ts';
import { sameHours } from '../../../domain/codes/guest.ts';
import { freeName, isVariantOf } from '../../../domain/codes/names.ts';
import { type Message, message, verbatim } from '../../../domain/language/message.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { GuestChanges, Guests, GuestView } from '../../../engine/codes/guests.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import { wordsOf } from '../../../support/errors.ts';
import { nextTurn } from '../../../support/turns.ts';
import { UNREAD_ROWS } from '../../../words/guests.ts';
import { nameOf } from '../../../words/locks.ts';
import { isUnderWay, type Stay } from '../policy/stay.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import { hasEnded, isCodeWanted, isForgettable } from '../policy/stay-plan-policy.ts';
import type { CalendarSetup } from '../policy/stay-ports.ts';
import type { StayBook } from './stay-book.ts';
import { hoursOnLocks, type StayCodeChoice, scheduleOf, type WantedCode } from './stay-code-choice.ts';
import type { StayNews } from './stay-news.ts';
import type { StayPlaces } from './stay-places.ts';
import { isReadyOn, needsOtherDigits } from './stay-readiness.ts';
import { isReserve, type StayReserves } from './stay-reserves.ts';
import { StayWarnings } from './stay-warnings.ts';

export interface StayKeeperParts extends Pick<CommonParts, 'store' | 'serviceClock'> {
  readonly book: StayBook;
  readonly guests: Guests;
  readonly choice: StayCodeChoice;
  readonly news: StayNews;
  readonly places: StayPlaces;
  readonly reserves: StayReserves;
  readonly calendarOf: (id: string) => StayCalendar | undefined;
  readonly zoneOf: (calendar: StayCalendar) => string;
  readonly setup: Pick<CalendarSetup, 'unread'>;
  /** A stay has ended: the present booking counts again. */
  readonly onEnd: (stay: Stay) => void;
}

/** Most stays need nothing: so many are looked at in a few milliseconds (our choice). */
const STAYS_A_TURN = 256;

export class StayKeeper {
  readonly #parts: StayKeeperParts;
  readonly #obstacles = new Map<string, Message>();
  readonly #warnings: StayWarnings;
  /** Stays for which no guest could be made, because a lock has as many as it takes. */
  readonly #withoutRoom = new Set<string>();

  constructor(parts: StayKeeperParts) {
    this.#parts = parts;
    this.#warnings = new StayWarnings(parts);
  }

  obstacleOf(id: string): Message | null {
    return this.#obstacles.get(id) ?? null;
  }

  get isBlocked(): boolean {
    return this.#obstacles.size > 0 || this.#warnings.isWaiting;
  }

  async pass(): Promise<void> {
    const { book, guests, serviceClock } = this.#parts;
    const ofStays = Map.groupBy(
      guests.list().filter((guest) => guest.stay !== null && !isReserve(guest)),
      ({ stay }) => stay?.id ?? '',
    );
    for (const [index, { id }] of book.stays().entries()) {
      if (index % STAYS_A_TURN === STAYS_A_TURN - 1) {
        await nextTurn();
      }
      const stay = book.get(id);
      if (stay !== undefined && isForgettable(stay, serviceClock.now())) {
        book.erase(id);
      } else if (stay !== undefined && stay.goneAt === null) {
        await this.#reconcile(stay, ofStays.get(id) ?? []);
      }
    }
    for (const [id, views] of ofStays) {
      // A stay that cannot be read is not gone: its code stays as it is.
      if (book.get(id) === undefined && !book.isUnread(id)) {
        this.#drop(views);
      }
    }
    await this.#parts.places.pass(this.#withoutRoom);
    await this.#parts.reserves.pass();
  }

  async #reconcile(stay: Stay, views: readonly GuestView[]): Promise<void> {
    const { book, serviceClock, news } = this.#parts;
    const calendar = this.#parts.calendarOf(stay.calendarId);
    const guest = views.find(({ isLeaving }) => !isLeaving);
    if (this.#isUnsure(stay, views, calendar)) {
      this.#obstacles.set(stay.id, UNREAD_ROWS);
    } else if (book.isEnding || !isCodeWanted(stay, calendar?.daysAhead ?? 0, serviceClock.now())) {
      this.#obstacles.delete(stay.id);
      this.#withoutRoom.delete(stay.id);
      this.#warnings.forget(stay.id);
      this.#end(stay, views);
    } else if (guest === undefined && stay.isGiven) {
      // Somebody removed the guest: they do not want a code for this stay.
      if (book.note({ ...stay, isSkipped: true, isGiven: false })) {
        news.skipped(stay);
      }
    } else {
      if (guest !== undefined) {
        await this.#reconcileCode(stay, guest, calendar);
      } else if (views.length === 0 && calendar !== undefined) {
        await this.#addCode(stay, calendar);
      }
      this.#warnings.judge(stay.id, { guest, calendar, obstacle: this.obstacleOf(stay.id) });
    }
  }

  /** The guest of the stay, or its calendar, is stored and cannot be read: that is no decision, and the code stays as it is. */
  #isUnsure(stay: Stay, views: readonly GuestView[], calendar: StayCalendar | undefined): boolean {
    const { guests, setup, serviceClock } = this.#parts;
    const isGuestUnread = stay.isGiven && views.length === 0 && guests.unreadCount > 0;
    const isOpen = !stay.isSkipped && !hasEnded(stay, serviceClock.now());
    return isGuestUnread || (isOpen && calendar === undefined && setup.unread().includes(stay.calendarId));
  }

  /** A guest whose stay cannot be read has a code for these hours: it may be that of this booking. */
  #isOfUnread({ window }: Stay, locks: readonly LockId[]): boolean {
    const { book, guests } = this.#parts;
    return (
      book.unreadIds.length > 0 &&
      guests
        .list()
        .some(
          ({ stay, schedule, locks: theirs }) =>
            stay !== null &&
            book.isUnread(stay.id) &&
            schedule.kind === 'temporary' &&
            schedule.from < window.closesAt &&
            window.opensAt < schedule.until &&
            locks.some((id) => theirs === 'all' || theirs.includes(id)),
        )
    );
  }

  #end(stay: Stay, views: readonly GuestView[]): void {
    const { book, serviceClock, news, onEnd } = this.#parts;
    const now = serviceClock.now();
    const isOver = hasEnded(stay, now);
    if (!isOver && !stay.isGiven && views.length === 0) {
      return;
    }
    const endedAt = isOver ? (stay.endedAt ?? Math.min(now, stay.window.closesAt)) : null;
    const goneAt = isOver && views.length === 0 ? now : null;
    // This is noted before the guest is removed, which would otherwise look like a person's decision.
    const next = { ...stay, isGiven: false, endedAt, goneAt };
    if (!book.note(next)) {
      return;
    }
    this.#drop(views);
    if (goneAt !== null) {
      news.gone(next);
    }
    if (stay.endedAt === null && endedAt !== null) {
      onEnd(next);
    }
  }

  #drop(views: readonly GuestView[]): void {
    for (const { id } of views.filter(({ isLeaving }) => !isLeaving)) {
      this.#attempt('', () => this.#parts.guests.remove(id));
    }
  }

  async #addCode(stay: Stay, calendar: StayCalendar): Promise<void> {
    const { book, choice } = this.#parts;
    const locks = this.#locksOf(calendar, [], stay);
    if (locks.length === 0) {
      this.#obstacles.set(stay.id, stay.gaveWay === undefined ? NO_LOCK : this.#gaveWayWords(stay.gaveWay));
      return;
    }
    if (this.#isOfUnread(stay, locks)) {
      this.#obstacles.set(stay.id, UNREAD_ROWS);
      return;
    }
    const known = await choice.known(locks);
    // A person may have decided otherwise meanwhile.
    const present = book.get(stay.id);
    if (present === undefined || JSON.stringify(present) !== JSON.stringify(stay)) {
      return;
    }
    if (known.trouble !== null) {
      this.#obstacles.set(stay.id, known.trouble);
      return;
    }
    const wanted = { stay, calendar, zone: this.#parts.zoneOf(calendar), locks };
    this.#attempt(stay.id, () => {
      const chosen = choice.addGuest(wanted, known);
      if (chosen.kind === 'trouble') {
        this.#obstacles.set(stay.id, chosen.words);
        this.#withoutRoom[chosen.isFull === true ? 'add' : 'delete'](stay.id);
        return;
      }
      this.#obstacles.delete(stay.id);
      this.#withoutRoom.delete(stay.id);
      book.note({ ...stay, isGiven: true, pin: chosen.pin, name: chosen.name });
    });
  }

  /** A guest keeps the code: its dates, its name and its locks follow the stay. */
  async #reconcileCode(stay: Stay, guest: GuestView, calendar: StayCalendar | undefined): Promise<void> {
    const { book, guests, news } = this.#parts;
    const pin = guests.reveal(guest.id);
    const isHeld = stay.isGiven && stay.pin === pin && stay.name === guest.name;
    const held = isHeld ? stay : { ...stay, isGiven: true, pin, name: guest.name };
    book.note(held);
    if (calendar === undefined) {
      return;
    }
    const zone = this.#parts.zoneOf(calendar);
    const wanted = { stay: held, calendar, zone, locks: this.#locksOf(calendar, guest.locks, stay) };
    this.#obstacles.delete(stay.id);
    if (stay.gaveWay !== undefined) {
      this.#obstacles.set(stay.id, this.#gaveWayWords(stay.gaveWay));
      if (wanted.locks.length === 0) {
        // Noted before the guest is removed, as at the end of a stay.
        if (book.note({ ...held, isGiven: false })) {
          this.#drop([guest]);
        }
        return;
      }
    }
    if (calendar.locks.some((id) => this.#parts.store.get(id) === undefined)) {
      this.#obstacles.set(stay.id, MISSING_LOCK);
    }
    if (this.#follow(wanted, guest)) {
      return;
    }
    if (isReadyOn(guest, calendar)) {
      news.ready(held);
    } else {
      await this.#mend(wanted, guest, pin);
    }
  }

  #follow(wanted: WantedCode, guest: GuestView): boolean {
    const { guests, choice } = this.#parts;
    const { stay, locks } = wanted;
    const schedule = scheduleOf(stay);
    const base = choice.nameOf(wanted);
    const hoursOn = hoursOnLocks(wanted);
    const changes: GuestChanges = {
      ...(sameSchedule(schedule, guest.schedule) ? {} : { schedule }),
      ...(isVariantOf(guest.name, base) ? {} : { name: this.#freeName(base) }),
      ...(sameLocks(locks, guest.locks) ? {} : { locks }),
      ...(sameHours(hoursOn, guest.hoursOn ?? {}) ? {} : { hoursOn }),
    };
    if (Object.keys(changes).length === 0) {
      return false;
    }
    return this.#attempt(stay.id, () => {
      const answer = guests.update(guest.id, changes, guest.revision, 'stay');
      if (answer.kind === 'invalid') {
        this.#obstacles.set(stay.id, answer.faults[0]?.words ?? verbatim(''));
      }
      return answer.kind === 'saved';
    });
  }

  #freeName(base: string): string {
    return freeName(base, new Set(this.#parts.guests.list().map(({ name }) => name.toLowerCase())));
  }

  /** Chooses another name or other digits where a lock refuses the code, while nobody can have been given it, or no lock has it. */
  async #mend(wanted: WantedCode, guest: GuestView, pin: string): Promise<void> {
    const { choice, serviceClock, book, guests, news } = this.#parts;
    const { stay } = wanted;
    const reasons = guest.onLocks.flatMap(({ standing }) =>
      standing.kind === 'refused' ? [standing.failure.reason] : [],
    );
    const isNowhere = guest.onLocks.every(({ codeId }) => codeId === null);
    const isFree = stay.readyAt === null && !isUnderWay(stay, serviceClock.now());
    if (reasons.length === 0 || !(isNowhere || isFree)) {
      return;
    }
    if (reasons.includes('code-name-exists')) {
      const known = await choice.known(wanted.locks);
      const name = freeName(choice.nameOf(wanted), new Set([...known.names, guest.name.toLowerCase()]));
      this.#attempt(stay.id, () => guests.update(guest.id, { name }, guest.revision, 'stay'));
    } else if (needsOtherDigits(guest)) {
      const known = await choice.known(wanted.locks);
      this.#attempt(stay.id, () => {
        const chosen = choice.change(wanted, known, guest, pin);
        if (chosen.kind === 'trouble') {
          this.#obstacles.set(stay.id, chosen.words);
        } else if (book.note({ ...stay, pin: chosen.pin })) {
          news.recoded(stay);
        }
      });
    }
  }

  /** Locks of the calendar that the account has, or that the guest is on already. */
  #locksOf({ locks }: StayCalendar, present: GuestView['locks'], { gaveWay = [] }: Stay): readonly LockId[] {
    return locks.filter(
      (id) => !gaveWay.includes(id) && (this.#parts.store.get(id) !== undefined || present.includes(id)),
    );
  }

  #gaveWayWords([id]: readonly LockId[]): Message {
    const lock = id === undefined ? undefined : this.#parts.store.get(id);
    return message('{lock}: {words}', { lock: lock === undefined ? '' : nameOf(lock), words: GAVE_WAY });
  }

  /** False when the call threw, for example on a full disk: then it is tried again. */
  #attempt<T>(id: string, work: () => T): T | false {
    try {
      return work();
    } catch (error) {
      if (id !== '') {
        this.#obstacles.set(id, wordsOf(error));
      }
      return false;
    }
  }
}

const NO_LOCK = message('None of the locks of this calendar is in the account. Choose its locks again.');
const GAVE_WAY = message(
  'The lock is full, and a stay that begins earlier has the place. Remove codes that are not needed.',
);
const MISSING_LOCK = message('A lock of this calendar is not in the account. Choose its locks again.');

function sameLocks(a: readonly LockId[], b: GuestView['locks']): boolean {
  return b !== 'all' && a.length === b.length && a.every((id) => b.includes(id));
}
