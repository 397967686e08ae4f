// Stays of one account for pages and other processes.

import { type GuestLanguage } from '../../../domain/codes/guest-language.ts';
import { message } from '../../../domain/language/message.ts';
import type { Lock, LockId } from '../../../domain/locks/lock.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { Stays } from '../keeping/stays.ts';
import type {
  CalendarChange,
  CalendarCheck,
  CalendarView,
  StayAnswer,
  StayFault,
  StayHours,
  StaysApi,
  StaysView,
} from '../panel/views.ts';
import type { HandBooking } from '../policy/hand-booking.ts';
import { isByHand, type StayCalendar } from '../policy/stay-calendar.ts';
import { HOUR_FORM, NO_HOUR } from '../policy/stay-hours.ts';
import type { KeptCalendars } from './kept-calendars.ts';
import { feedOf, type KeptFeeds } from './kept-feeds.ts';

export class AccountStays implements StaysApi {
  readonly #parts;

  constructor(parts: {
    readonly runtime: { readonly stays: Stays; readonly lock: (id: LockId) => Lock | undefined };
    readonly calendars: KeptCalendars;
    readonly feeds: KeptFeeds;
    readonly now: () => Instant;
    /** Throws `not-owner` unless this process owns the account. */
    readonly assertOwned: () => void;
  }) {
    this.#parts = parts;
  }

  list(): StaysView {
    const { runtime, calendars } = this.#owned;
    const views = calendars.calendars().map((calendar) => this.#viewOf(calendar));
    const { later, isUnread } = runtime.stays;
    return {
      calendars: views,
      stays: runtime.stays.list(),
      ...(later === 0 ? {} : { later }),
      ...(isUnread ? { isUnread } : {}),
    };
  }

  reveal(stay: string): string {
    return this.#owned.runtime.stays.decisions.reveal(stay);
  }

  skip(stay: string, isSkipped: boolean): StayAnswer {
    this.#owned.runtime.stays.decisions.skip(stay, isSkipped);
    return this.#answer([]);
  }

  checkOut(stay: string, isOut: boolean): StayAnswer {
    const { decisions } = this.#owned.runtime.stays;
    if (isOut) {
      decisions.checkOut(stay);
    } else {
      decisions.stillHere(stay);
    }
    return this.#answer([]);
  }

  setHours(stay: string, hours: StayHours): StayAnswer {
    const { stays } = this.#owned.runtime;
    const isWritten = [hours.checkIn, hours.checkOut].every((time) => time === null || HOUR_FORM.test(time));
    const words = isWritten ? stays.decisions.setHours(stay, hours) : NO_HOUR;
    return this.#answer(words === null ? [] : [{ field: 'hours', words }]);
  }

  setLanguage(stay: string, language: GuestLanguage | null): StayAnswer {
    this.#owned.runtime.stays.decisions.setLanguage(stay, language);
    return this.#answer([]);
  }

  async newCode(stay: string, pin: string | null): Promise<StayAnswer> {
    const words = await this.#owned.runtime.stays.decisions.newCode(stay, pin);
    return this.#answer(words === null ? [] : [{ field: 'pin', words }]);
  }

  useReserve(stay: string): StayAnswer {
    const words = this.#owned.runtime.stays.decisions.useReserve(stay);
    return this.#answer(words === null ? [] : [{ field: 'stay', words }]);
  }

  async add(typed: HandBooking, locks: readonly LockId[]): Promise<StayAnswer> {
    const { runtime, calendars } = this.#owned;
    const missing = locks.length === 0 || locks.some((id) => runtime.lock(id) === undefined);
    if (missing) {
      return this.#answer([{ field: 'locks', words: message('Choose at least one lock.') }]);
    }
    const key = [...locks].sort().join(' ');
    const known = calendars.calendars().find((one) => [...one.locks].sort().join(' ') === key);
    const calendar = known ?? calendars.byHand(locks);
    const fault = runtime.stays.faultByHand(calendar, typed);
    if (fault !== null) {
      return this.#answer([{ field: fault[0], words: fault[1] }]);
    }
    if (known === undefined) {
      calendars.saveByHand(calendar);
    }
    await runtime.stays.addByHand(calendar, typed);
    return this.#answer([]);
  }

  async remove(stay: string): Promise<StayAnswer> {
    await this.#owned.runtime.stays.removeByHand(stay);
    return this.#answer([]);
  }

  async read(calendar: string | null): Promise<StaysView> {
    await this.#owned.runtime.stays.read(this.#chosen(calendar));
    return this.list();
  }

  async check(calendar: string | null): Promise<readonly CalendarCheck[]> {
    return this.#owned.runtime.stays.check(this.#chosen(calendar));
  }

  async answer(calendar: string, are: 'bookings' | 'blocked'): Promise<StaysView> {
    const { runtime, calendars } = this.#owned;
    await runtime.stays.answer(calendars.found(calendar), are);
    return this.list();
  }

  addCalendar(change: CalendarChange): StayAnswer {
    return this.#changed(() => {
      const faults = this.#parts.calendars.add(change);
      if (faults.length === 0) {
        this.#parts.runtime.stays.goOn();
      }
      return faults;
    });
  }

  changeCalendar(calendar: string, change: CalendarChange): StayAnswer {
    return this.#changed(() => this.#parts.calendars.change(calendar, change));
  }

  removeCalendar(calendar: string): StayAnswer {
    return this.#changed(() => {
      const { runtime, calendars, feeds } = this.#parts;
      calendars.remove(calendar);
      feeds.withdraw(calendar);
      runtime.stays.forget(calendar);
      return [];
    });
  }

  makeFeed(calendar: string): string {
    const { calendars, feeds } = this.#owned;
    return feeds.make(calendars.found(calendar).id);
  }

  withdrawFeed(calendar: string): void {
    const { calendars, feeds } = this.#owned;
    feeds.withdraw(calendars.found(calendar).id);
  }

  readFeed(secret: string): string | null {
    const { runtime, calendars, feeds, now } = this.#owned;
    const calendar = feeds.of(secret, calendars.calendars());
    return calendar === undefined
      ? null
      : feedOf(calendar.name, runtime.stays.ofCalendar(calendar.id), { secret, now: now() });
  }

  /** The parts, once this process is known to own the account. */
  get #owned() {
    this.#parts.assertOwned();
    return this.#parts;
  }

  #changed(change: () => readonly StayFault[]): StayAnswer {
    const { runtime } = this.#owned;
    const faults = change();
    if (faults.length === 0) {
      runtime.stays.setUpAnew();
    }
    return this.#answer(faults);
  }

  #answer(faults: readonly StayFault[]): StayAnswer {
    return faults.length > 0 ? { kind: 'invalid', faults } : { kind: 'saved', stays: this.list() };
  }

  #chosen(calendar: string | null): readonly StayCalendar[] {
    const { calendars } = this.#parts;
    return calendar === null ? calendars.calendars() : [calendars.found(calendar)];
  }

  #viewOf(calendar: StayCalendar): CalendarView {
    const { runtime, calendars, feeds } = this.#parts;
    const place = calendars.addressOf(calendar.id);
    return {
      ...calendar,
      ...runtime.stays.calendar(calendar.id),
      from: isByHand(calendar) ? 'hand' : calendars.isWritten(calendar.id) ? 'config' : 'page',
      addressFrom: calendars.addressFrom(calendar.id),
      host: place === null ? null : (URL.parse(place.address)?.host ?? null),
      hasFeed: feeds.has(calendar.id),
      lockNames: calendar.locks.map((id) => runtime.lock(id)?.description.name ?? id),
      timeZone: runtime.stays.zoneOf(calendar),
    };
  }
}
