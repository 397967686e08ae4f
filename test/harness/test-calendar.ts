// A booking calendar of the simulated portals: its address, bookings that come, move and go, and answers that fail.

import type { z } from 'zod';
import type { Booking } from '../../simulator/src/calendars/booking-calendar.ts';
import type { calendarFaultSchema } from '../../simulator/src/calendars/calendar-faults.ts';
import type { BookingSetup, DaySetup } from '../../simulator/src/calendars/calendar-setup.ts';
import type { Simulator } from '../../simulator/src/partner-server.ts';
import { control } from '../stand-ins/service/simulated.ts';

type Unaimed<Fault> = Fault extends unknown ? Omit<Fault, 'calendar'> : never;
type CalendarFaultOptions = Unaimed<z.input<typeof calendarFaultSchema>>;

export class TestCalendar {
  readonly name: string;
  readonly #simulator: Simulator;

  /** `name`: the simulator's only calendar when left out. */
  static of(simulator: Simulator, name?: string): TestCalendar {
    const { calendars } = simulator;
    const only = calendars.find((calendar) => name === undefined || calendar.name === name);
    if (only === undefined || (name === undefined && calendars.length > 1)) {
      throw new Error(`Name one of: ${calendars.map((calendar) => calendar.name).join(', ')}`);
    }
    return new TestCalendar(only.name, simulator);
  }

  private constructor(name: string, simulator: Simulator) {
    this.name = name;
    this.#simulator = simulator;
  }

  /** The address that a host pastes. */
  get url(): string {
    const found = this.#simulator.calendars.find(({ name }) => name === this.name);
    if (found === undefined) {
      throw new Error(`The simulator has no calendar called ${this.name}`);
    }
    return found.url;
  }

  async add(booking: BookingSetup): Promise<Booking> {
    return this.#act('add-booking', booking);
  }

  /** A guest who comes on the day on which another one departs. */
  async addTurnover(
    details: Partial<Omit<BookingSetup, 'arrival'>> & { readonly after?: string } = {},
  ): Promise<Booking> {
    return this.#act('add-turnover', details);
  }

  /** `booking`: its uid; the next to arrive when left out. */
  async move(move: {
    readonly booking?: string;
    readonly arrival?: DaySetup;
    readonly nights?: number;
  }): Promise<Booking> {
    return this.#act('move-booking', move);
  }

  async cancel(booking?: string, shown?: 'marked' | 'gone'): Promise<Booking> {
    return this.#act('cancel-booking', {
      ...(booking === undefined ? {} : { booking }),
      ...(shown === undefined ? {} : { shown }),
    });
  }

  /** Makes readings of this calendar fail, such as `{kind: 'html', often: 'once'}`. */
  async fail(fault: CalendarFaultOptions): Promise<void> {
    await this.#act('fail-calendar', fault);
  }

  /** Ends every fault of calendars. */
  async heal(): Promise<void> {
    await control(this.#simulator.controlUrl, 'house/clear-calendar-faults', {});
  }

  async #act(action: string, details: object): Promise<Booking> {
    const answer = await control(this.#simulator.controlUrl, `house/${action}`, {
      ...details,
      calendar: this.name,
    });
    return (answer as { readonly result: Booking }).result;
  }
}
