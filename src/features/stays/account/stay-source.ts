// Booking calendars as what gives guests codes: for brokers, messages, the end of an account, and a lock that was replaced.

import type { BookedStays } from '../../../domain/codes/booked-stays.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { BookedGuest, GuestSource } from '../../../engine/codes/guest-source.ts';
import type { Stays } from '../keeping/stays.ts';
import type { StaysApi } from '../panel/views.ts';
import type { KeptCalendars } from './kept-calendars.ts';

export class StaySource implements GuestSource {
  readonly #stays: Stays;
  readonly #calendars: KeptCalendars;
  readonly #api: StaysApi;

  constructor(stays: Stays, calendars: KeptCalendars, api: StaysApi) {
    this.#stays = stays;
    this.#calendars = calendars;
    this.#api = api;
  }

  get booked(): BookedStays {
    return this.#stays;
  }

  guestOf(stay: string): BookedGuest {
    return { ...this.#stays.guestFacts(stay), pin: this.#stays.decisions.reveal(stay) };
  }

  calendars(): ReturnType<GuestSource['calendars']> {
    return this.#api.list().calendars.map(({ name, from }) => ({
      name,
      from: from === 'config' ? 'config' : 'page',
    }));
  }

  skipAll(): void {
    this.#stays.decisions.endAll();
  }

  removeCalendars(): void {
    for (const { id, from } of this.#api.list().calendars) {
      if (from !== 'config') {
        this.#api.removeCalendar(id);
      }
    }
  }

  replaceLock(old: LockId, by: LockId): ReturnType<GuestSource['replaceLock']> {
    const calendars = this.#calendars.replaceLock(old, by);
    return { calendars, stays: this.#stays.replaceLock(old, by) };
  }

  setUpAnew(): void {
    this.#stays.setUpAnew();
  }
}
