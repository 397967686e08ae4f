// Nobody has a code in another guest's nights, nor the digits of another one: bookings that shrink, homes in titles, numbers of hosts.
import { describe, expect, it } from 'vitest';
import type { CalendarEntry } from '../../../../../src/features/stays/policy/calendar-ports.ts';
import { FRONT, GuestHome } from '../../../../homes/codes-home.ts';
import { aCalendar, entry, StayHome } from '../../../../homes/stay-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** It is noon of 14 April 2026 (UTC). */
async function aHome(entries: readonly CalendarEntry[]): Promise<StayHome> {
  const home = new StayHome(new GuestHome(FRONT), [aCalendar('flat', [FRONT])]);
  home.portal('flat').entries = entries;
  await home.clock.advance(MINUTE_MS);
  return home;
}

const codesOf = (home: StayHome) => home.home.service(FRONT).codesOf;
const pinsOf = (home: StayHome) => codesOf(home).map(({ pin }) => pin);
const sentBy = (home: StayHome): number => home.home.service(FRONT).sent.length;
const read = async (home: StayHome, entries: readonly CalendarEntry[], ms = 20 * MINUTE_MS) => {
  home.portal('flat').entries = entries;
  await home.clock.advance(ms);
};

const titled = (uid: string, from: string, until: string, summary: string, description = '') =>
  entry(uid, `2026-04-${from}`, `2026-04-${until}`, { summary, description });
const LONG = titled('a', '16', '22', 'Anna Berger');
const SHORT = titled('a', '16', '19', 'Anna Berger');
const NEXT = titled('b', '19', '22', 'Bernd Koch');

describe('a booking that becomes shorter while its guest is there (faults#149)', () => {
  it.each([
    ['by itself', [LONG]],
    ['as two bookings in a row of one guest', [SHORT, titled('b', '19', '22', 'Anna Berger')]],
  ])('%s ends where the next guest’s begins', async (_, before) => {
    const home = await aHome(before);
    const [digits] = pinsOf(home);
    await home.clock.advance(3 * DAY_MS);
    await read(home, [SHORT, NEXT]);
    expect(codesOf(home)).toMatchObject([
      { pin: digits, schedule: { until: Date.UTC(2026, 3, 19, 15) } },
      { schedule: { from: Date.UTC(2026, 3, 19, 15), until: Date.UTC(2026, 3, 22, 11) } },
    ]);
    expect(home.stays.list().map(({ obstacles }) => obstacles)).toEqual([[], []]);
    await home.clock.advance(2 * DAY_MS + 6 * HOUR_MS);
    expect(pinsOf(home)).toHaveLength(1);
    expect(pinsOf(home)).not.toContain(digits);
  });

  it('keeps its code where nobody has the nights', async () => {
    const home = await aHome([LONG]);
    await home.clock.advance(3 * DAY_MS);
    await read(home, [SHORT]);
    expect(codesOf(home)).toMatchObject([{ schedule: { until: Date.UTC(2026, 3, 22, 11) } }]);
  });

  it('causes two commands a day for a stay at most, where two servers answer in turn', async () => {
    const home = await aHome([LONG]);
    await home.clock.advance(2 * DAY_MS + 12 * HOUR_MS);
    const sent = sentBy(home);
    const servers = [[SHORT, NEXT], [LONG]];
    for (let reading = 0; reading < 2 * 96; reading += 1) {
      await read(home, servers[reading % 2] ?? [], 15 * MINUTE_MS);
    }
    expect(sentBy(home) - sent).toBeLessThanOrEqual(2 * 2 * 2);
  });

  it('takes nothing from one that becomes longer in the place of the next guest', async () => {
    const home = await aHome([SHORT, NEXT]);
    await home.clock.advance(4 * DAY_MS + 20 * HOUR_MS);
    await read(home, [titled('a', '16', '21', 'Anna Berger')]);
    expect(codesOf(home)).toMatchObject([{ schedule: { until: Date.UTC(2026, 3, 21, 11) } }]);
  });
});

describe('a booking that moves away while its guest is there, and then is of later nights (faults#149)', () => {
  const ANNAS = 'Anna Berger';
  const PHONE = 'Phone: +49 171 2345678';
  const between = titled('b', '17', '19', 'Bernd Koch');

  it.each([
    ['under its own id', [titled('a', '20', '21', ANNAS, PHONE), between]],
    [
      'as a further one of the same guest, the first being dropped',
      [titled('c', '20', '21', ANNAS, PHONE), between],
    ],
  ])('%s ends as booked, and opens again with those', async (_, after) => {
    const home = await aHome([titled('a', '14', '16', ANNAS, PHONE), between]);
    await home.clock.advance(DAY_MS);
    await read(home, after);
    expect(codesOf(home)).toMatchObject([
      { schedule: { from: Date.UTC(2026, 3, 14, 15), until: Date.UTC(2026, 3, 16, 11) } },
      { schedule: { from: Date.UTC(2026, 3, 17, 15), until: Date.UTC(2026, 3, 19, 11) } },
    ]);
    await home.clock.advance(DAY_MS);
    expect(codesOf(home).map(({ schedule }) => schedule)).toMatchObject([
      { from: Date.UTC(2026, 3, 17, 15) },
      { from: Date.UTC(2026, 3, 20, 15), until: Date.UTC(2026, 3, 21, 11) },
    ]);
  });

  it('on the last day goes on without a gap where its nights do', async () => {
    const home = await aHome([titled('a', '14', '16', ANNAS)]);
    await home.clock.advance(DAY_MS + 20 * HOUR_MS);
    await read(home, [titled('a', '16', '18', ANNAS)]);
    expect(codesOf(home)).toMatchObject([
      { schedule: { from: Date.UTC(2026, 3, 14, 15), until: Date.UTC(2026, 3, 18, 11) } },
    ]);
  });
});

it('a portal whose day has begun before the check-in does not put it off by a night (faults#156)', async () => {
  const home = await aHome([titled('a', '15', '20', 'Reserved')]);
  const wanted = codesOf(home);
  for (const day of ['15', '16', '17', '18', '19']) {
    await read(home, [titled(`id-${day}`, day, '20', 'Reserved')], DAY_MS);
    expect(codesOf(home)).toEqual(wanted);
  }
  expect(sentBy(home)).toBe(1);
});

it('a night that another guest has got is not kept for one who comes later', async () => {
  const home = await aHome([titled('a', '14', '20', 'Anna Berger')]);
  await read(home, [titled('a', '15', '20', 'Anna Berger'), titled('b', '14', '15', 'Bernd Koch')]);
  expect(home.stay('a').arrivalDay).toBe('2026-04-15');
});

describe('names and numbers that are no guest’s (faults#149, faults#150)', () => {
  it('three guests behind the name of the home in all titles have three codes', async () => {
    const home = await aHome(
      [['16', '19'], ['19', '22'] as const, ['22', '24']].map(([from = '', until = '']) =>
        titled(from, from, until, 'Réservé - Villa Bel Air', 'Contact +33 1 23 45 67 89'),
      ),
    );
    expect(codesOf(home)).toHaveLength(2);
    await home.clock.advance(5 * DAY_MS);
    expect(new Set(pinsOf(home)).size).toBe(pinsOf(home).length);
    expect(pinsOf(home)).not.toContain('6789');
    expect(home.stays.list()).toHaveLength(3);
  });

  it.each(['a', 'x'])('another guest behind the same title has other digits, with id %s', async (uid) => {
    const home = await aHome([titled('a', '16', '19', 'Réservé (Casanéo)', 'Guest: Anna Berger')]);
    const [former] = pinsOf(home);
    await read(home, [titled(uid, '16', '19', 'Réservé (Casanéo)', 'Guest: Bernd Koch')]);
    expect(pinsOf(home)).toHaveLength(1);
    expect(pinsOf(home)).not.toContain(former);
  });

  it.each([
    [
      'letters alone',
      'https://p.example/reservations/details/HMABCDEFGH',
      'https://p.example/reservations/details/HMZZYYXXWW',
    ],
    [
      'a number behind that of the home',
      'https://p.example/b?hotel_id=12345&booking_id=111222',
      'https://p.example/b?hotel_id=12345&booking_id=333444',
    ],
  ])('another reservation by %s has other digits', async (_, before, after) => {
    const home = await aHome([titled('a', '16', '19', 'Reserved', before)]);
    const [former] = pinsOf(home);
    await read(home, [titled('x', '16', '19', 'Reserved', after)]);
    expect(pinsOf(home)).toHaveLength(1);
    expect(pinsOf(home)).not.toContain(former);
  });

  it('a number that one booking after the other has opens for the first guest alone', async () => {
    const home = await aHome([titled('a', '16', '18', 'Reserved', 'Change? +44 20 7946 0999')]);
    const seen = [pinsOf(home)];
    for (const [from, until] of [
      ['21', '23'],
      ['26', '28'],
    ] as const) {
      await home.clock.advance(5 * DAY_MS);
      await read(home, [titled(from, from, until, 'Reserved', 'Change? +44 20 7946 0999')]);
      seen.push(pinsOf(home));
    }
    expect(seen.map((pins) => pins.length)).toEqual([1, 1, 1]);
    expect(new Set(seen.flat()).size).toBe(3);
  });
});
