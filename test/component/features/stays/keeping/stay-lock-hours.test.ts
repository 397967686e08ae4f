// Hours of stays: those of single locks, and those that stand in the text of a booking.
import { describe, expect, it } from 'vitest';
import type { StayCalendar } from '../../../../../src/features/stays/policy/stay-calendar.ts';
import { BACK, FRONT, GuestHome } from '../../../../homes/codes-home.ts';
import { aCalendar, entry, StayHome } from '../../../../homes/stay-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** It is noon of 14 April 2026 (UTC). FRONT is the door of the house, BACK that of the flat. */
async function aHome(more: Partial<StayCalendar>, entries = [entry('a', '2026-04-16', '2026-04-19')]) {
  const home = new StayHome(new GuestHome(FRONT, BACK), [aCalendar('flat', [FRONT, BACK], more)]);
  home.portal('flat').entries = entries;
  await home.clock.advance(MINUTE_MS);
  return home;
}

const hoursOf = (home: StayHome, lock = FRONT) =>
  home.home
    .service(lock)
    .codesOf.map(({ schedule }) =>
      schedule.kind === 'temporary'
        ? [schedule.from, schedule.until].map((at) => new Date(at).toISOString().slice(5, 16))
        : [],
    );

const HOUSE = [{ lock: FRONT, minutesBefore: 120, minutesAfter: 60 }] as const;

describe('the hours of single locks', () => {
  it('open the door of the house earlier and later than that of the flat, with one code', async () => {
    const home = await aHome({ lockHours: HOUSE });
    expect(hoursOf(home, FRONT)).toEqual([['04-16T13:00', '04-19T12:00']]);
    expect(hoursOf(home, BACK)).toEqual([['04-16T15:00', '04-19T11:00']]);
    const [front, back] = [FRONT, BACK].map((lock) => home.home.service(lock).codesOf[0]?.pin);
    expect(front).toBe(back);
    expect(home.stay('a').phase).toBe('ready');
  });

  it('keep the code on the door of the house until its own hour has passed', async () => {
    const home = await aHome({ lockHours: HOUSE });
    await home.clock.advance(4 * DAY_MS + 23 * HOUR_MS + 30 * MINUTE_MS);
    expect(home.home.service(FRONT).codesOf).toHaveLength(1);
    await home.clock.advance(HOUR_MS);
    expect(home.home.service(FRONT).codesOf).toEqual([]);
    expect(home.stay('a').phase).toBe('gone');
  });

  it('are brought to the lock when they change, over a restart, and taken back when they are removed', async () => {
    const home = await aHome({});
    home.calendars = [aCalendar('flat', [FRONT, BACK], { lockHours: HOUSE })];
    home.stays.setUpAnew();
    await home.clock.advance(20 * MINUTE_MS);
    expect(hoursOf(home, FRONT)).toEqual([['04-16T13:00', '04-19T12:00']]);
    await home.crash();
    await home.clock.advance(20 * MINUTE_MS);
    expect(home.home.service(FRONT).sent.map(({ kind }) => kind)).toEqual(['add', 'update']);
    home.calendars = [aCalendar('flat', [FRONT, BACK])];
    home.stays.setUpAnew();
    await home.clock.advance(20 * MINUTE_MS);
    expect([FRONT, BACK].map((lock) => hoursOf(home, lock))).toEqual([
      [['04-16T15:00', '04-19T11:00']],
      [['04-16T15:00', '04-19T11:00']],
    ]);
  });
});

describe('the hours in the text of a booking', () => {
  const told = (uid: string, from: string, until: string, description: string) =>
    entry(uid, from, until, { description });

  it('count where the calendar is set so, and the stay says so', async () => {
    const entries = [told('a', '2026-04-16', '2026-04-19', 'Check-in: 17:00\nCheck-out: 09:00')];
    const off = await aHome({}, entries);
    expect(hoursOf(off)).toEqual([['04-16T15:00', '04-19T11:00']]);
    expect(off.stay('a').hasBookingHours).toBe(false);
    const on = await aHome({ bookingHours: true }, entries);
    expect(hoursOf(on)).toEqual([['04-16T17:00', '04-19T09:00']]);
    expect(on.stay('a')).toMatchObject({ hasBookingHours: true, hasOwnHours: false, checkIn: '17:00' });
  });

  it('give way to hours that a person set', async () => {
    const home = await aHome({ bookingHours: true }, [
      told('a', '2026-04-16', '2026-04-19', 'Check-in: 17:00'),
    ]);
    expect(home.stays.decisions.setHours(home.stay('a').id, { checkIn: '14:00', checkOut: null })).toBeNull();
    await home.clock.advance(MINUTE_MS);
    expect(hoursOf(home)).toEqual([['04-16T14:00', '04-19T11:00']]);
    expect(home.stay('a').hasBookingHours).toBe(false);
  });

  it('do not count where they reach into the nights of another guest', async () => {
    const home = await aHome({ bookingHours: true }, [
      entry('a', '2026-04-16', '2026-04-19'),
      told('b', '2026-04-19', '2026-04-21', 'Check-in: 09:00'),
    ]);
    expect(hoursOf(home)).toEqual([
      ['04-16T15:00', '04-19T11:00'],
      ['04-19T15:00', '04-21T11:00'],
    ]);
    expect(home.stay('b').hasBookingHours).toBe(false);
  });
});

describe('the clocks of a lock without a zone option, on a machine in UTC (faults#120)', () => {
  const THERE = -7 * 60;
  const HOURS = [['04-16T22:00', '04-19T18:00']];

  async function aHomeThere(more: Partial<StayCalendar> = {}, from = '2026-04-16') {
    const account = new GuestHome(FRONT);
    account.zone = null;
    const home = new StayHome(account, [aCalendar('flat', [FRONT], more)]);
    account.list(THERE);
    home.portal('flat').entries = [entry('a', from, '2026-04-19')];
    await home.clock.advance(MINUTE_MS);
    return { home, account };
  }

  it.each(['coming', 'under way'])(
    'keep the hours of a stay %s where the service is away at a start',
    async (when) => {
      const { home, account } = await aHomeThere({ endEarly: true });
      await home.clock.advance(when === 'coming' ? MINUTE_MS : 4 * DAY_MS + 20 * HOUR_MS);
      account.offsetMinutes = 'unlisted';
      await home.crash();
      // By the clocks of the machine, the second stay would be over at 11:00.
      await home.clock.advance(5 * HOUR_MS);
      expect(hoursOf(home)).toEqual(HOURS);
      account.list(THERE);
      await home.clock.advance(MINUTE_MS);
      expect([hoursOf(home), home.stay('a').checkIn]).toEqual([HOURS, '15:00']);
    },
  );

  it('place a stay that was entered while the service was away once it has listed the lock', async () => {
    const { home, account } = await aHomeThere();
    account.offsetMinutes = 'unlisted';
    await home.crash();
    await home.clock.advance(MINUTE_MS);
    const [flat] = home.calendars;
    expect(flat).toBeDefined();
    if (flat !== undefined) {
      await home.stays.addByHand(flat, { name: 'Bernd', from: '2026-04-19', until: '2026-04-20', phone: '' });
    }
    account.list(THERE);
    await home.clock.advance(MINUTE_MS);
    expect(hoursOf(home)).toEqual([...HOURS, ['04-19T22:00', '04-20T18:00']]);
  });

  it('move the hours with them, where they are set', async () => {
    const { home, account } = await aHomeThere();
    account.list(THERE + 60);
    await home.clock.advance(20 * MINUTE_MS);
    expect(hoursOf(home)).toEqual([['04-16T21:00', '04-19T17:00']]);
    account.zone = 'Europe/Paris';
    await home.clock.advance(20 * MINUTE_MS);
    expect(hoursOf(home)).toEqual([['04-16T13:00', '04-19T09:00']]);
  });
});
