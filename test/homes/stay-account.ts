// A linked account with a host's calendar at the simulated portal, and the guests' codes at the keypads.

import type { BookingSetup, CalendarForm } from '../../simulator/src/calendars/calendar-setup.ts';
import type { LockId } from '../../src/domain/locks/lock.ts';
import type { StayView } from '../../src/features/stays/keeping/stay-views.ts';
import { TestCalendar } from '../harness/test-calendar.ts';
import { control } from '../stand-ins/service/simulated.ts';
import { SimulatedHome, type SimulatedHomeOptions } from './simulated-home.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** The locks' clocks are in UTC, as those of the portal are. */
const AT_UTC = { type: 'WifiDeadbolt', roles: { resident: 'owner' }, settings: { timeZone: 'UTC' } } as const;

/** Days pass in these tests: the locks are asked as seldom as the options allow. */
const SELDOM = { polling: { idleSeconds: 600 } };

export class StayAccount {
  readonly home: SimulatedHome;
  readonly portal: TestCalendar;
  readonly locks: readonly LockId[];

  /** It is noon of 14 April 2026 (UTC), on the clocks of the locks, too. */
  static async open(
    bookings: readonly BookingSetup[],
    {
      options = {},
      form = 'reserved',
      ...more
    }: SimulatedHomeOptions & { readonly form?: CalendarForm } = {},
  ): Promise<StayAccount> {
    // What the account loads when it reads its first calendar is there at once: nobody waits for a disk.
    await import('../../src/features/stays/calendar/calendar-reader.ts');
    const home = await SimulatedHome.linked({
      ...more,
      simulator: {
        scenario: {
          locks: [
            { name: 'Front door', ...AT_UTC },
            { name: 'Back door', ...AT_UTC },
          ],
          calendars: [{ name: 'Rental portal', form, timeZone: 'UTC', bookings: [...bookings] }],
        },
      },
      options: { ...SELDOM, ...options },
    });
    return new StayAccount(home);
  }

  private constructor(home: SimulatedHome) {
    this.home = home;
    this.portal = TestCalendar.of(home.simulator);
    this.locks = [home.idOf('Front door'), home.idOf('Back door')];
  }

  /** The steps of a host: paste one address, pick two locks. Followed by one minute. */
  async addCalendar(more: object = {}): Promise<unknown> {
    const change = { name: 'Flat', address: this.portal.url, locks: this.locks, ...more };
    const answer = await this.home.answered(this.home.app.operations['stays.add-calendar'](change));
    await this.home.clock.advance(MINUTE_MS);
    return answer;
  }

  async stays(): Promise<readonly StayView[]> {
    const { stays } = await this.home.app.operations['stays.list']({});
    return stays;
  }

  /** The names of the codes on a lock that come from the calendar. */
  namesOn(lock: LockId): readonly string[] {
    return this.#codesOn(lock).map(({ name }) => name);
  }

  /** The digits that a lock has for the stay of this name. */
  digitsOn(lock: LockId, stay: string): string | undefined {
    return this.#codesOn(lock).find(({ name }) => name === stay)?.code;
  }

  /** What each of the keypads makes of these digits; the doors are locked again afterwards. */
  async typed(code: string): Promise<readonly unknown[]> {
    const answers: unknown[] = [];
    for (const lock of this.locks) {
      const path = `locks/${this.home.simulator.world.inspect(lock).name}`;
      const { result } = (await control(this.home.simulator.controlUrl, `${path}/type-code`, { code })) as {
        readonly result: { readonly keypad: unknown };
      };
      answers.push(result.keypad);
      await this.home.clock.advance(10_000);
      await this.home.control(`${path}/turn-thumbturn`, { to: 'Locked' });
    }
    return answers;
  }

  /** Lets time pass until this instant, such as `2026-04-15T15:00`. */
  async until(time: string): Promise<void> {
    const leftMs = Date.parse(`${time}:00Z`) - this.home.clock.now();
    if (leftMs <= 0) {
      throw new Error(`${time} is over`);
    }
    await this.home.clock.advance(leftMs);
  }

  #codesOn(lock: LockId) {
    return this.home.simulator.world.inspect(lock).codesOnLock.filter(({ name }) => name.startsWith('Stay'));
  }
}
