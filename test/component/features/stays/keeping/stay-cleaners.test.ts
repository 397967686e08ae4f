// A guest who comes in between stays: the code on the lock has the hours from a check-out to the next check-in.
import { describe, expect, it } from 'vitest';
import { BACK, FRONT, GuestHome } from '../../../../homes/codes-home.ts';
import { aCalendar, entry, StayHome } from '../../../../homes/stay-home.ts';
import { StandInPortal } from '../../../../stand-ins/service/portal.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const A = entry('a', '2026-04-13', '2026-04-16');
const B = entry('b', '2026-04-19', '2026-04-21');

/** It is noon of 14 April 2026 (UTC), and the guest of A is there. FRONT is the door of the house, with two flats. */
async function aHome(entries = [A, B], locks = [BACK]) {
  const home = new StayHome(new GuestHome(FRONT, BACK), [
    aCalendar('flat', locks),
    aCalendar('other', [FRONT]),
  ]);
  home.portal('flat').entries = entries;
  await home.clock.advance(MINUTE);
  return home;
}

function hire(home: StayHome, until: string | null = '18:00', calendars = ['flat']) {
  return home.stays.cleaners.add({ name: 'Cleaning', pin: '8402' }, { calendars, until });
}

const hoursOf = (home: StayHome, lock = BACK) =>
  home.home
    .service(lock)
    .codesOf.filter(({ name }) => name === 'Cleaning')
    .map(({ schedule }) =>
      schedule.kind === 'temporary'
        ? [schedule.from, schedule.until].map((at) => new Date(at).toISOString().slice(5, 16))
        : [schedule.kind],
    );

const cleaner = (home: StayHome) => home.home.guests.list().find(({ name }) => name === 'Cleaning');

const GAP = ['04-16T11:00', '04-16T18:00'];

describe('a guest who comes in between stays', () => {
  it('has a code from the check-out to the hour, then to the next gap, over a restart', async () => {
    const home = await aHome();
    expect(hire(home).kind).toBe('saved');
    await home.clock.advance(5 * MINUTE);
    expect(hoursOf(home)).toEqual([GAP]);
    await home.crash();
    await home.clock.advance(3 * 24 * HOUR);
    expect(hoursOf(home)).toEqual([['04-21T11:00', '04-21T18:00']]);
    // What people are shown and told is that, and not the gap of the day of setting up.
    const until = Date.parse('2026-04-21T18:00Z');
    expect(cleaner(home)?.schedule).toMatchObject({ kind: 'temporary', until });
    home.close();
  });

  it('may come until the next check-in where no hour is set', async () => {
    const home = await aHome();
    hire(home, null);
    await home.clock.advance(5 * MINUTE);
    expect(hoursOf(home)).toEqual([['04-16T11:00', '04-19T15:00']]);
    home.close();
  });

  it('has less time at once when a stay appears late in the gap', async () => {
    const home = await aHome();
    hire(home);
    await home.clock.advance(48 * HOUR);
    expect(hoursOf(home)).toEqual([GAP]);
    home.portal('flat').entries = [A, entry('late', '2026-04-16', '2026-04-17'), B];
    await home.stays.read(home.calendars);
    await home.clock.advance(MINUTE);
    expect(hoursOf(home)).toEqual([['04-16T11:00', '04-16T15:00']]);
    home.close();
  });

  it('keeps the gap of the next day while the calendar cannot be read, and gets no later one', async () => {
    const home = await aHome([entry('a', '2026-04-13', '2026-04-15'), B]);
    hire(home);
    await home.clock.advance(5 * MINUTE);
    const portal = home.portal('flat');
    portal.fault = 'broken';
    await home.clock.advance(23 * HOUR);
    // It was read at noon of 14 April, which counts for a day.
    expect(hoursOf(home)).toEqual([['04-15T11:00', '04-15T12:00']]);
    await home.clock.advance(3 * 24 * HOUR);
    expect(hoursOf(home)).not.toContainEqual(['04-21T11:00', '04-21T18:00']);
    portal.fault = null;
    await home.clock.advance(2 * HOUR);
    expect(hoursOf(home)).toEqual([['04-21T11:00', '04-21T18:00']]);
    home.close();
  });

  it('has no code on a lock while what is known of the calendar is older than a day, and comes back', async () => {
    const home = await aHome();
    hire(home);
    await home.clock.advance(5 * MINUTE);
    expect(hoursOf(home)).toEqual([GAP]);
    const portal = home.portal('flat');
    portal.fault = 'broken';
    await home.clock.advance(48 * HOUR);
    expect(hoursOf(home)).toEqual([]);
    expect(cleaner(home)?.onLocks).toEqual([]);
    await home.crash();
    portal.fault = null;
    await home.clock.advance(2 * HOUR);
    expect(hoursOf(home)).toEqual([GAP]);
    home.close();
  });

  it('has less time at once when a stay is booked while whoever cleans is inside', async () => {
    const home = await aHome();
    hire(home);
    // 16 April, half past four: the cleaner may be inside, and the guest may come since three.
    await home.clock.advance(52 * HOUR + 28 * MINUTE);
    expect(hoursOf(home)).toEqual([GAP]);
    home.portal('flat').entries = [A, entry('late', '2026-04-16', '2026-04-17'), B];
    await home.stays.read(home.calendars);
    await home.clock.advance(MINUTE);
    expect(hoursOf(home)).toEqual([['04-17T11:00', '04-17T18:00']]);
    home.close();
  });

  it('may come once the guest is checked out, at any second, and is left in peace then', async () => {
    const home = await aHome();
    hire(home);
    await home.clock.advance(5 * MINUTE + 12_345);
    const [stay] = home.stays.list();
    home.stays.decisions.checkOut(stay?.id ?? '');
    await home.clock.advance(5 * MINUTE);
    expect(hoursOf(home)).toEqual([['04-14T12:06', '04-14T18:00']]);
    const { revision } = cleaner(home) ?? {};
    let changes = 0;
    home.home.guests.subscribe(() => {
      changes += 1;
    });
    await home.clock.advance(2 * HOUR);
    expect(cleaner(home)).toMatchObject({ revision, onLocks: [{ standing: { kind: 'up-to-date' } }] });
    expect(changes).toBe(0);
    home.close();
  });

  it('is not concerned by a booking that is not confirmed, until it is', async () => {
    const home = await aHome([A, entry('maybe', '2026-04-16', '2026-04-18', { isTentative: true }), B]);
    hire(home, null);
    await home.clock.advance(5 * MINUTE);
    expect(hoursOf(home)).toEqual([['04-16T11:00', '04-19T15:00']]);
    home.portal('flat').entries = [A, entry('maybe', '2026-04-16', '2026-04-18'), B];
    await home.stays.read(home.calendars);
    await home.clock.advance(MINUTE);
    expect(hoursOf(home)).toEqual([['04-16T11:00', '04-16T15:00']]);
    home.close();
  });

  it('leaves the grace before a check-in and after a check-out to the guests', async () => {
    const home = await aHome();
    home.calendars = home.calendars.map((one) => ({ ...one, minutesBefore: 60, minutesAfter: 30 }));
    home.stays.setUpAnew();
    await home.clock.advance(MINUTE);
    hire(home, null);
    await home.clock.advance(5 * MINUTE);
    expect(hoursOf(home)).toEqual([['04-16T11:30', '04-19T14:00']]);
    home.close();
  });

  it('waits for the guests of another calendar of the same lock', async () => {
    const home = await aHome([A, B], [BACK]);
    home.calendars = [...home.calendars, aCalendar('portal', [BACK])];
    home.portals.set('portal', new StandInPortal());
    home.portal('portal').entries = [entry('p', '2026-04-16', '2026-04-18')];
    home.stays.setUpAnew();
    await home.clock.advance(MINUTE);
    await home.stays.read(home.calendars);
    hire(home);
    await home.clock.advance(5 * MINUTE);
    expect(hoursOf(home)).toEqual([['04-16T11:00', '04-16T15:00']]);
    home.close();
  });

  it('finds a shared door open only while both flats are free, if both are chosen', async () => {
    const home = await aHome([A, B], [FRONT, BACK]);
    home.portal('other').entries = [entry('c', '2026-04-15', '2026-04-20')];
    await home.stays.read(home.calendars);
    hire(home, '18:00', ['flat', 'other']);
    await home.clock.advance(5 * MINUTE);
    expect(hoursOf(home, FRONT)).toEqual([['04-21T11:00', '04-21T18:00']]);
    home.close();
  });

  it('is refused where no check-out is known, and keeps its hours from a person’s change', async () => {
    const home = await aHome([]);
    expect(() => hire(home)).toThrow('No check-out');
    home.portal('flat').entries = [A];
    await home.stays.read(home.calendars);
    hire(home);
    const guest = cleaner(home);
    expect(guest).toBeDefined();
    const [id, revision] = [guest?.id ?? '', guest?.revision ?? 0];
    expect(() => home.home.guests.update(id, { schedule: { kind: 'always' } }, revision)).toThrow(
      'between stays',
    );
    home.calendars = [];
    home.stays.setUpAnew();
    await home.clock.advance(20 * MINUTE);
    expect(hoursOf(home)).toEqual([]);
    home.close();
  });
});
