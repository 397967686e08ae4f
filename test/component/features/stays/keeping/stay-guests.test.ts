// Who is who: which booking goes on with a code, which gets digits of its own, and which gets none.
import { describe, expect, it } from 'vitest';
import type { CalendarEntry } from '../../../../../src/features/stays/policy/calendar-ports.ts';
import type { StayCalendar } from '../../../../../src/features/stays/policy/stay-calendar.ts';
import { t } from '../../../../../src/words/translate.ts';
import { BACK, FRONT, GuestHome } from '../../../../homes/codes-home.ts';
import { aCalendar, entry, StayHome } from '../../../../homes/stay-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** It is noon of 14 April 2026 (UTC). */
async function aHome(entries: readonly CalendarEntry[], more: Partial<StayCalendar> = {}) {
  const home = new StayHome(new GuestHome(FRONT), [aCalendar('flat', [FRONT], more)]);
  home.portal('flat').entries = entries;
  await home.clock.advance(MINUTE_MS);
  return home;
}

const codesOf = (home: StayHome, lock = FRONT) => home.home.service(lock).codesOf;
const pinsOf = (home: StayHome) => codesOf(home).map(({ pin }) => pin);
const read = async (home: StayHome, entries: readonly CalendarEntry[], minutes = 20) => {
  home.portal('flat').entries = entries;
  await home.clock.advance(minutes * MINUTE_MS);
};

const NIGHTS = ['2026-04-16', '2026-04-19'] as const;
const reservation = (
  id: string,
  phone: string,
  more: Partial<CalendarEntry> = {},
): Partial<CalendarEntry> => ({
  description: `Reservation URL: https://portal.example/hosting/reservations/details/${id}\nPhone Number (Last 4 Digits): ${phone}`,
  ...more,
});

describe('another guest with the same dates (faults#149)', () => {
  it.each<readonly [string, Partial<CalendarEntry>, Partial<CalendarEntry>]>([
    ['another name', { summary: 'Anna Berger' }, { summary: 'Bernd Cramer' }],
    [
      'another number of the reservation',
      reservation('HMAB12CD34', '4711'),
      reservation('HMXY98ZW76', '4711'),
    ],
    ['another phone', { description: 'Phone: +44 7700 900123' }, { description: 'Phone: +44 7700 900456' }],
    ['a name instead of another', { summary: 'Reserved - Anna' }, { summary: 'Reserved - Bernd' }],
    [
      'another booking number in words',
      { description: 'Booking number: 4711001' },
      { description: 'Booking number: 4711002' },
    ],
  ])('%s: gets other digits at once, and the former ones go', async (_, before, after) => {
    for (const uid of ['same', 'other']) {
      const home = await aHome([entry('same', ...NIGHTS, before)]);
      const [former] = pinsOf(home);
      await read(home, [entry(uid, ...NIGHTS, after)]);
      expect(pinsOf(home)).toHaveLength(1);
      expect(pinsOf(home)).not.toEqual([former]);
      home.close();
    }
  });

  it('gets other digits during a doubt, and after an outage of the portal', async () => {
    const home = await aHome([entry('a', ...NIGHTS, { summary: 'Anna' })]);
    const [former] = pinsOf(home);
    await read(home, []);
    await read(home, [entry('b', ...NIGHTS, { summary: 'Bernd' })]);
    expect(pinsOf(home)).toHaveLength(1);
    const [second] = pinsOf(home);
    expect(second).not.toBe(former);
    home.portal('flat').fault = 'broken';
    await home.clock.advance(DAY_MS);
    home.portal('flat').fault = null;
    await read(home, [entry('b', ...NIGHTS, { summary: 'Carla' })], 70);
    expect(pinsOf(home)).toHaveLength(1);
    expect([former, second]).not.toContain(pinsOf(home)[0]);
  });

  it('is not skipped because the former one was', async () => {
    const home = await aHome([entry('a', ...NIGHTS, { summary: 'Anna' })]);
    home.stays.decisions.skip(home.stay('a').id, true);
    await read(home, [entry('b', ...NIGHTS, { summary: 'Bernd' })]);
    expect(home.stay('b')).toMatchObject({ isSkipped: false, phase: 'ready' });
  });

  it('never has the four digits of a former one', async () => {
    const phone = { description: 'Phone: +44 7700 900123' };
    const home = await aHome([entry('a', ...NIGHTS, { summary: 'Anna', ...phone })]);
    expect(pinsOf(home)).toEqual(['0123']);
    await read(home, [entry('b', ...NIGHTS, { summary: 'Bernd', ...phone })]);
    expect(pinsOf(home)).toHaveLength(1);
    expect(pinsOf(home)).not.toEqual(['0123']);
    await home.clock.advance(60 * DAY_MS);
    await read(home, [entry('c', '2026-06-18', '2026-06-20', { summary: 'Carla', ...phone })]);
    expect(pinsOf(home)).toHaveLength(1);
    expect(pinsOf(home)).not.toEqual(['0123']);
  });
});

describe('the same guest (faults#149)', () => {
  it.each<readonly [string, Partial<CalendarEntry>, Partial<CalendarEntry>]>([
    ['equal words', { summary: 'Reserved' }, { summary: 'Reserved' }],
    ['no words at all', { summary: '' }, { summary: '' }],
    ['a longer name', { summary: 'Anna B' }, { summary: 'Anna Berger (2 guests)' }],
    [
      'a phone that comes later',
      { summary: 'Anna' },
      { summary: 'Anna', description: 'Phone: +44 7700 900123' },
    ],
    [
      'the same reservation',
      reservation('HMAB12CD34', '4711'),
      reservation('HMAB12CD34', '4711', { summary: 'Anna' }),
    ],
  ])('under new ids with %s keeps the code', async (_, before, after) => {
    const home = await aHome([
      entry('a', ...NIGHTS, before),
      entry('b', '2026-04-20', '2026-04-22', { summary: 'Zoe' }),
    ]);
    const pins = pinsOf(home);
    await read(home, [
      entry('x', ...NIGHTS, after),
      entry('y', '2026-04-20', '2026-04-22', { summary: 'Zoe' }),
    ]);
    expect(pinsOf(home)).toEqual(pins);
    expect(home.home.service(FRONT).sent).toHaveLength(2);
  });

  it('who moves to other nights under a new id keeps the code by phone or number', async () => {
    const home = await aHome([entry('a', ...NIGHTS, reservation('HMAB12CD34', '4711'))]);
    await read(home, [entry('b', '2026-04-17', '2026-04-20', reservation('HMAB12CD34', '4711'))]);
    expect(pinsOf(home)).toEqual(['4711']);
    expect(home.home.service(FRONT).sent.map(({ kind }) => kind)).toEqual(['add', 'update']);
  });

  it('with two bookings in a row has one code from the first check-in to the last check-out', async () => {
    const anna = { summary: 'Anna Berger', description: 'Phone: +44 7700 900123' };
    const home = await aHome([entry('a', ...NIGHTS, anna), entry('b', '2026-04-19', '2026-04-21', anna)]);
    const whole = { from: Date.UTC(2026, 3, 16, 15), until: Date.UTC(2026, 3, 21, 11) };
    expect(codesOf(home)).toMatchObject([{ pin: '0123', schedule: whole }]);
    await home.clock.advance(5 * DAY_MS);
    await read(home, [entry('b', '2026-04-19', '2026-04-21', anna)]);
    expect(codesOf(home)).toMatchObject([{ pin: '0123', schedule: whole }]);
    expect(home.home.service(FRONT).sent).toHaveLength(1);
  });
});

describe('digits that are not the guest’s (faults#150)', () => {
  it('a number in two bookings is nobody’s', async () => {
    const help = { description: 'Questions? +44 20 7946 0999' };
    const home = await aHome([
      entry('a', '2026-04-16', '2026-04-17', { summary: 'Anna', description: 'Contact +44 20 7946 0999' }),
      entry('b', '2026-04-17', '2026-04-18', { summary: 'Bernd', description: 'Contact +44 20 7946 0999' }),
      entry('c', '2026-04-18', '2026-04-19', { summary: 'Carla', ...help }),
    ]);
    expect(pinsOf(home)).toHaveLength(3);
    expect(pinsOf(home)).not.toContain('0999');
  });
});

describe('an entry that is not confirmed (faults#151)', () => {
  it.each<readonly [string, Partial<CalendarEntry>]>([
    ['by its status', { isTentative: true, summary: 'Anna' }],
    ['by its title', { summary: 'Anna (pending)' }],
  ])('%s gets no code before it is', async (_, more) => {
    const home = await aHome([entry('a', ...NIGHTS, more)]);
    expect(pinsOf(home)).toEqual([]);
    expect(home.stays.calendar('flat').counts).toMatchObject({ stays: 0, unconfirmed: 1 });
    await read(home, [entry('a', ...NIGHTS, { summary: 'Anna' })]);
    expect(pinsOf(home)).toHaveLength(1);
    await read(home, [entry('a', ...NIGHTS, more)]);
    expect(pinsOf(home)).toEqual([]);
  });
});

describe('nights that are written as midnights (faults#153)', () => {
  const local = (day: string, clock: string) => ({ kind: 'local', local: `${day}T${clock}` }) as const;
  const instant = (day: string, hours: number) =>
    ({ kind: 'instant', at: Date.parse(day) + hours * HOUR_MS }) as const;

  it.each<readonly [string, Partial<CalendarEntry>, string]>([
    ['local', { start: local('2026-04-16', '00:00'), end: local('2026-04-19', '00:00') }, 'UTC'],
    [
      'to a minute before midnight',
      { start: local('2026-04-16', '00:00'), end: local('2026-04-18', '23:59') },
      'UTC',
    ],
    ['UTC', { start: instant('2026-04-16', 0), end: instant('2026-04-19', 0) }, 'America/New_York'],
    [
      'midnights of the lock in UTC',
      { start: instant('2026-04-16', -2), end: instant('2026-04-19', -2) },
      'Europe/Paris',
    ],
    ['a day and a midnight', { end: local('2026-04-19', '00:00') }, 'Europe/Paris'],
  ])('%s have the hours of the calendar', async (_, times, zone) => {
    const guests = new GuestHome(FRONT);
    guests.zone = zone;
    const home = new StayHome(guests, [aCalendar('flat', [FRONT])]);
    home.portal('flat').entries = [entry('a', ...NIGHTS, times)];
    await home.clock.advance(MINUTE_MS);
    expect(home.stay('a')).toMatchObject({
      arrivalDay: '2026-04-16',
      departureDay: '2026-04-19',
      checkIn: '15:00',
      checkOut: '11:00',
    });
  });

  it('hours that look wrong are said', async () => {
    const odd = { start: local('2026-04-16', '03:00'), end: local('2026-04-19', '11:00') };
    const home = await aHome([entry('a', ...NIGHTS, odd)]);
    expect(home.stay('a').checkIn).toBe('03:00');
    expect(
      home.stays
        .calendar('flat')
        .notices.map((words) => t(words))
        .join(),
    ).toContain('before 06:00');
    expect(home.home.lines.join('\n')).toContain('before 06:00');
  });
});

describe('a portal that changes id and start every day (faults#156)', () => {
  it('makes one stay with one code in ten nights', async () => {
    const closed = { summary: 'CLOSED - Not available' };
    const home = await aHome([entry('d', '2026-04-16', '2026-04-26', closed)], { notStays: [] });
    await home.clock.advance(2 * DAY_MS);
    for (let day = 16; day < 26; day += 1) {
      await read(home, [entry(`d${String(day)}`, `2026-04-${String(day)}`, '2026-04-26', closed)], 12 * 60);
      await home.clock.advance(12 * HOUR_MS);
    }
    expect(home.home.service(FRONT).sent.map(({ kind }) => kind)).toEqual(['add', 'remove']);
    expect(home.stays.list()).toHaveLength(1);
  });

  it('and one that cuts off what has begun leaves the code until the next guest comes', async () => {
    const home = await aHome([entry('a', ...NIGHTS, { summary: 'Anna' })]);
    await home.clock.advance(2 * DAY_MS - HOUR_MS);
    await read(home, [], 60 * 24);
    expect(codesOf(home)).toHaveLength(1);
    expect(
      home
        .stay('a')
        .obstacles.map((words) => t(words))
        .join(),
    ).toContain('no longer has this booking');
    await read(home, [entry('b', '2026-04-18', '2026-04-20', { summary: 'Bernd' })]);
    expect(codesOf(home).find(({ name }) => name.startsWith('Stay 16'))?.schedule).toMatchObject({
      until: Date.UTC(2026, 3, 18, 15),
    });
  });
});

describe('a calendar that wavers (faults#154)', () => {
  it('causes two commands a day for a stay at most', async () => {
    const servers = [
      [entry('a', ...NIGHTS), entry('b', '2026-05-01', '2026-05-03')],
      [entry('b', '2026-05-01', '2026-05-03')],
      [entry('a', '2026-04-16', '2026-04-20'), entry('b', '2026-05-01', '2026-05-03')],
    ];
    const home = await aHome(servers[0] ?? []);
    const sent = home.home.service(FRONT).sent.length;
    for (let reading = 0; reading < 96; reading += 1) {
      await read(home, servers[reading % 3] ?? [], 15);
      expect(codesOf(home).length).toBeLessThanOrEqual(1);
    }
    expect(home.home.service(FRONT).sent.length - sent).toBeLessThanOrEqual(2);
    expect(codesOf(home)).toHaveLength(1);
  });
});

it('a double booking over two calendars of one home is said on both stays, and not one behind a common door', async () => {
  const home = new StayHome(new GuestHome(FRONT, BACK), [
    aCalendar('one', [FRONT]),
    aCalendar('two', [FRONT]),
    aCalendar('next door', [BACK]),
  ]);
  home.portal('one').entries = [entry('a', ...NIGHTS)];
  home.portal('two').entries = [entry('b', '2026-04-18', '2026-04-20')];
  home.portal('next door').entries = [entry('c', ...NIGHTS)];
  await home.clock.advance(MINUTE_MS);
  const said = (uid: string): string =>
    home
      .stay(uid)
      .obstacles.map((words) => t(words))
      .join();
  expect(said('a')).toContain('"two", has 2026-04-18 as well');
  expect(said('b')).toContain('"one", has 2026-04-16 as well');
  expect(said('c')).toBe('');
});
