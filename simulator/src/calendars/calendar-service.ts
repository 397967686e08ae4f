// Every booking calendar of the simulated portals, by its name and by the secret of its address.
import type { SecretMint } from '../auth/secret-mint.ts';
import { createRandom } from '../world/random.ts';
import { UnknownIdError } from '../world/unknown-id-error.ts';
import { BookingCalendar } from './booking-calendar.ts';
import { CalendarFaults } from './calendar-faults.ts';
import { type CalendarSetup, DEFAULT_CALENDARS, MOST_CALENDARS } from './calendar-setup.ts';

/** Where calendars hang below the server's address; the portals are no part of the partner's service. */
export const CALENDAR_PREFIX = '/calendars';

export interface CalendarServiceOptions {
  readonly seed: string;
  readonly mint: SecretMint;
  /** The simulator's time, epoch milliseconds. */
  readonly now: () => number;
  /** One portal with a turnover tomorrow when left out. */
  readonly calendars?: readonly CalendarSetup[];
}

/** Secrets of 132 bits: they cannot be guessed, and the address fits a line of a terminal. */
const TOKEN_LENGTH = 22;

export class CalendarService {
  readonly faults: CalendarFaults;
  readonly #options: CalendarServiceOptions;
  readonly #calendars = new Map<string, BookingCalendar>();

  constructor(options: CalendarServiceOptions) {
    this.#options = options;
    this.faults = new CalendarFaults(options.seed);
    for (const setup of options.calendars ?? DEFAULT_CALENDARS) {
      this.add(setup);
    }
  }

  get calendars(): readonly BookingCalendar[] {
    return [...this.#calendars.values()];
  }

  /** Throws a RangeError for a name that is taken, and for one calendar too many. */
  add(setup: CalendarSetup): BookingCalendar {
    if (this.#calendars.has(setup.name)) {
      throw new RangeError(`There is already a calendar with the name "${setup.name}"`);
    }
    if (this.#calendars.size >= MOST_CALENDARS) {
      throw new RangeError(`There are ${String(MOST_CALENDARS)} calendars at most`);
    }
    const { seed, mint, now } = this.#options;
    const calendar = new BookingCalendar({
      setup,
      token: mint.secret('calendar').slice(0, TOKEN_LENGTH),
      random: createRandom(`${seed}/calendar-${String(this.#calendars.size + 1)}`),
      now,
    });
    this.#calendars.set(setup.name, calendar);
    return calendar;
  }

  /** The calendar that is meant: by its name, or the only one. */
  find(name: string | undefined): BookingCalendar {
    const [only, second] = this.calendars;
    if (name === undefined && only !== undefined && second !== undefined) {
      const names = [...this.#calendars.keys()].join(', ');
      throw new RangeError(`Say which calendar; there are: ${names}`);
    }
    const calendar = name === undefined ? only : this.#calendars.get(name);
    if (calendar === undefined) {
      throw new UnknownIdError('calendar', name ?? '(the only one)');
    }
    return calendar;
  }

  byToken(token: string): BookingCalendar | undefined {
    return this.calendars.find((calendar) => calendar.token === token);
  }

  /** The content of every calendar, without its address. */
  inspect() {
    return this.calendars.map((calendar) => {
      const { name, form, timeZone, checkIn, checkOut } = calendar;
      return { name, form, timeZone, checkIn, checkOut, bookings: calendar.listedAt(this.#options.now()) };
    });
  }
}

/** The path of a calendar; its token is a secret. */
export function calendarPath({ token }: Pick<BookingCalendar, 'token'>): string {
  return `${CALENDAR_PREFIX}/${token}.ics`;
}
