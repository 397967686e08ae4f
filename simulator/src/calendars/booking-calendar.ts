// One calendar of bookings: which there are, when each changed, and which are listed at a moment.

import { instantOfWall } from '../time/zone.ts';
import type { RandomSource } from '../world/random.ts';
import { UnknownIdError } from '../world/unknown-id-error.ts';
import { addDays, DAY_MS, dayAt, wallMsOfDay } from './calendar-day.ts';
import {
  type BookingSetup,
  type CalendarForm,
  type CalendarSetup,
  type DaySetup,
  MOST_BOOKINGS,
} from './calendar-setup.ts';
import { seededBooking } from './seeded-booking.ts';

export interface Booking {
  readonly uid: string;
  /** Days in the calendar's zone, such as `2026-12-12`; the guest leaves on the day of departure. */
  readonly arrival: string;
  readonly departure: string;
  readonly isBlocked: boolean;
  readonly guest: string;
  readonly phone: string | null;
  readonly reference: string;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Grows with each change (RFC 5545, 3.8.7.4). */
  readonly sequence: number;
  readonly isCancelled: boolean;
}

/** What a calendar shows of a cancelled booking: the entry marked as such, or nothing. */
export type Cancellation = 'marked' | 'gone';

export interface BookingMove {
  readonly arrival?: DaySetup;
  readonly nights?: number;
}

/** Days after the departure on which a booking is still listed. */
const KEPT_DAYS: Readonly<Record<CalendarForm, number>> = {
  reserved: 0,
  closed: 0,
  renewing: 0,
  named: 0,
  manager: 30,
  office: 30,
  careless: 0,
};

const TURNOVER_NIGHTS = 2;

export interface BookingCalendarOptions {
  readonly setup: CalendarSetup;
  /** The secret of its address. */
  readonly token: string;
  readonly random: RandomSource;
  /** The simulator's time, epoch milliseconds. */
  readonly now: () => number;
}

export class BookingCalendar {
  readonly name: string;
  readonly form: CalendarForm;
  readonly timeZone: string;
  readonly checkIn: string;
  readonly checkOut: string;
  readonly token: string;
  readonly #random: RandomSource;
  readonly #now: () => number;
  readonly #bookings = new Map<string, Booking>();
  #guests = 0;
  #changedAt: number;

  constructor({ setup, token, random, now }: BookingCalendarOptions) {
    this.name = setup.name;
    this.form = setup.form ?? 'reserved';
    this.timeZone = setup.timeZone ?? 'America/New_York';
    this.checkIn = setup.checkIn ?? '15:00';
    this.checkOut = setup.checkOut ?? '11:00';
    this.token = token;
    this.#random = random;
    this.#now = now;
    this.#changedAt = now();
    for (const booking of setup.bookings ?? []) {
      this.add(booking);
    }
  }

  /** Throws a RangeError for a uid that is taken, and when the calendar is full. */
  add(setup: BookingSetup): Booking {
    // Chance is drawn for every member, so that a setup that names more members leaves the others unchanged.
    const seeded = seededBooking(this.form, this.#random);
    const uid = setup.uid ?? seeded.uid;
    if (this.#bookings.has(uid)) {
      throw new RangeError(`There is already a booking with the uid "${uid}"`);
    }
    if (this.#bookings.size >= MOST_BOOKINGS) {
      throw new RangeError(`A calendar holds ${String(MOST_BOOKINGS)} bookings at most`);
    }
    const arrival = this.#dayOf(setup.arrival);
    const now = this.#now();
    const isBlocked = setup.blocked ?? false;
    return this.#store({
      uid,
      arrival,
      departure: addDays(arrival, setup.nights),
      isBlocked,
      guest: setup.guest ?? (isBlocked ? 'Owner' : this.#nextGuest()),
      phone: setup.phone === undefined ? seeded.phone : setup.phone,
      reference: seeded.reference,
      createdAt: now,
      changedAt: now,
      sequence: 0,
      isCancelled: false,
    });
  }

  /** Other days for a booking, by default the next to arrive; it keeps its uid. */
  move(uid: string | undefined, { arrival, nights }: BookingMove): Booking {
    const booking = this.#meant(uid);
    const first = arrival === undefined ? booking.arrival : this.#dayOf(arrival);
    return this.#change(booking, {
      arrival: first,
      departure: addDays(first, nights ?? nightsOf(booking)),
    });
  }

  /** Cancels a booking, by default the next to arrive; portals let the entry go, managers mark it. */
  cancel(uid: string | undefined, how: Cancellation = KEPT_DAYS[this.form] > 0 ? 'marked' : 'gone'): Booking {
    const booking = this.#meant(uid);
    if (how === 'marked') {
      return this.#change(booking, { isCancelled: true });
    }
    this.#bookings.delete(booking.uid);
    this.#changedAt = this.#now();
    return booking;
  }

  /** A guest who comes on the day on which another one departs: by default the next to depart without a successor. */
  addTurnover(
    after: string | undefined,
    setup: Omit<BookingSetup, 'arrival' | 'nights'> & { nights?: number },
  ): Booking {
    const { departure } = after === undefined ? this.#nextToLeave() : this.#meant(after);
    return this.add({ nights: TURNOVER_NIGHTS, ...setup, arrival: departure });
  }

  /** The bookings by arrival; departed guests are listed for as long as the form does. */
  listedAt(now: number): readonly Booking[] {
    const first = this.#firstListedDeparture(now);
    return this.#sorted().filter(({ departure }) => departure >= first);
  }

  /** Since when the list is unchanged: its last change, or the midnight at which a booking went. */
  lastModifiedAt(now: number): number {
    const first = this.#firstListedDeparture(now);
    const gone = [...this.#bookings.values()].map(({ departure }) => departure).filter((day) => day < first);
    const latest = gone.toSorted().at(-1);
    if (latest === undefined) {
      return this.#changedAt;
    }
    const wentOn = addDays(latest, KEPT_DAYS[this.form] + 1);
    return Math.max(this.#changedAt, instantOfWall(this.timeZone, wallMsOfDay(wentOn)));
  }

  #change(booking: Booking, changes: Partial<Booking>): Booking {
    return this.#store({
      ...booking,
      ...changes,
      sequence: booking.sequence + 1,
      changedAt: this.#now(),
    });
  }

  #store(booking: Booking): Booking {
    this.#bookings.set(booking.uid, booking);
    this.#changedAt = this.#now();
    return booking;
  }

  #sorted(): readonly Booking[] {
    return [...this.#bookings.values()].sort((left, right) =>
      left.arrival < right.arrival ? -1 : Number(left.arrival > right.arrival),
    );
  }

  #firstListedDeparture(now: number): string {
    return addDays(dayAt(this.timeZone, now), -KEPT_DAYS[this.form]);
  }

  #dayOf(day: DaySetup): string {
    return typeof day === 'string' ? day : addDays(this.#today(), day);
  }

  #today(): string {
    return dayAt(this.timeZone, this.#now());
  }

  #meant(uid: string | undefined): Booking {
    const booking = uid === undefined ? this.#nextToArrive() : this.#bookings.get(uid);
    if (booking === undefined) {
      throw new UnknownIdError('booking', uid ?? '(the next to arrive)');
    }
    return booking;
  }

  #stays(): readonly Booking[] {
    return this.#sorted().filter(({ isBlocked, isCancelled }) => !isBlocked && !isCancelled);
  }

  #nextToArrive(): Booking | undefined {
    const today = this.#today();
    return this.#stays().find(({ arrival }) => arrival >= today);
  }

  #nextToLeave(): Booking {
    const today = this.#today();
    const stays = this.#stays();
    const arrivals = new Set(stays.map(({ arrival }) => arrival));
    const [next] = stays
      .filter(({ departure }) => departure >= today && !arrivals.has(departure))
      .toSorted((left, right) => (left.departure < right.departure ? -1 : 1));
    if (next === undefined) {
      throw new RangeError('No guest leaves from here on: add a booking first, or name one in "after"');
    }
    return next;
  }

  #nextGuest(): string {
    this.#guests += 1;
    return `Guest ${String(this.#guests)}`;
  }
}

const nightsOf = ({ arrival, departure }: Booking): number =>
  (wallMsOfDay(departure) - wallMsOfDay(arrival)) / DAY_MS;
