// Homes whose guests come from booking calendars: the engine of stays over the engine of guests, and portals in memory.

import type { HistoryLine } from '../../src/domain/history/history.ts';
import type { LockId } from '../../src/domain/locks/lock.ts';
import { isOfStay } from '../../src/engine/locks/event-bus.ts';
import type { StayView } from '../../src/features/stays/keeping/stay-views.ts';
import { Stays } from '../../src/features/stays/keeping/stays.ts';
import type { CalendarEntry } from '../../src/features/stays/policy/calendar-ports.ts';
import type { StayCalendar } from '../../src/features/stays/policy/stay-calendar.ts';
import { NOT_STAYS } from '../../src/features/stays/policy/stay-entries.ts';
import { KeptStayStore } from '../../src/features/stays/tables/stay-store.ts';
import { MemoryValues } from '../stand-ins/database/values.ts';
import { StandInPortal } from '../stand-ins/service/portal.ts';
import { keptLog } from '../support/kept-log.ts';
import { serviceClockOf } from '../support/known-time.ts';
import type { GuestHome } from './codes-home.ts';

/** An all-day entry; `until`: the day of the check-out. */
export function entry(
  uid: string,
  from: string,
  until: string,
  more: Partial<CalendarEntry> = {},
): CalendarEntry {
  return {
    uid,
    sequence: 0,
    isCancelled: false,
    start: { kind: 'day', day: from },
    end: { kind: 'day', day: until },
    summary: 'Reserved',
    description: '',
    ...more,
  };
}

export function aCalendar(
  id: string,
  locks: readonly LockId[],
  more: Partial<StayCalendar> = {},
): StayCalendar {
  return {
    id,
    name: id,
    locks,
    checkIn: '15:00',
    checkOut: '11:00',
    minutesBefore: 0,
    minutesAfter: 0,
    lockHours: [],
    bookingHours: false,
    code: 'phone',
    names: 'dates',
    notStays: NOT_STAYS,
    daysAhead: 7,
    endEarly: false,
    endWhenLeft: false,
    message: '',
    language: null,
    reserve: false,
    ...more,
  };
}

const LISTED_EVERY_MS = 5 * 60_000;

export class StayHome {
  readonly home: GuestHome;
  readonly store = new KeptStayStore(new MemoryValues());
  readonly portals = new Map<string, StandInPortal>();
  readonly events: string[] = [];
  calendars: StayCalendar[];
  /** The history of each lock, the newest first. */
  lines: readonly HistoryLine[] = [];
  stays: Stays;
  #digits = 0;

  constructor(home: GuestHome, calendars: readonly StayCalendar[]) {
    this.home = home;
    // These homes live for weeks, and each listing is looked at.
    home.listedEveryMs = Math.max(home.listedEveryMs, LISTED_EVERY_MS);
    this.calendars = [...calendars];
    for (const { id } of calendars) {
      this.portals.set(id, new StandInPortal());
    }
    this.stays = this.#build();
  }

  get clock(): GuestHome['clock'] {
    return this.home.clock;
  }

  portal(id: string): StandInPortal {
    const portal = this.portals.get(id);
    if (portal === undefined) {
      throw new Error(`There is no calendar ${id}`);
    }
    return portal;
  }

  stay(uid: string): StayView {
    const id = this.store.stays().find(({ booking }) => booking.uid === uid)?.id;
    const view = this.stays.list().find((one) => one.id === id);
    if (view === undefined) {
      throw new Error(`There is no stay ${uid}`);
    }
    return view;
  }

  /** The process ends at this point, and another begins soon. */
  async crash(): Promise<void> {
    this.stays.dispose();
    await this.home.crash();
    this.stays = this.#build();
  }

  close(): void {
    this.stays.dispose();
    this.home.close();
  }

  #build(): Stays {
    const { home } = this;
    home.bus.subscribe((event) => {
      if (isOfStay(event)) {
        this.events.push(`${event.type} ${event.stay.name}`);
      }
    });
    const stays = new Stays({
      bus: home.bus,
      store: home.locks,
      codes: home.codes,
      guests: home.guests,
      clock: home.clock,
      serviceClock: serviceClockOf(home.clock),
      log: keptLog(home.lines),
      link: { state: () => home.link },
      random: () => 0,
      archive: { newest: () => this.lines },
      stayStore: this.store,
      gateway: { read: async (question) => this.portal(question.address).read(question) },
      setup: {
        calendars: () => this.calendars,
        unread: () => [],
        addressOf: (id) => ({ address: id, mark: id }),
      },
      randomDigits: (count) => this.#random(count),
    });
    stays.start();
    return stays;
  }

  /** Each time other digits, none of which is easy to guess. */
  #random(count: number): string {
    this.#digits += 7_919;
    return String((this.#digits * 104_729) % 10 ** count).padStart(count, '0');
  }
}
