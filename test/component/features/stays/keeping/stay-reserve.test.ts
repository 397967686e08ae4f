// A code in reserve for a guest whose own code is not there, and who has the place on a full lock.
import { describe, expect, it } from 'vitest';
import { accessCodeId } from '../../../../../src/domain/codes/access-code.ts';
import { MOST_CODES } from '../../../../../src/domain/codes/access-code-policy.ts';
import { t } from '../../../../../src/words/translate.ts';
import { FRONT, GuestHome } from '../../../../homes/codes-home.ts';
import { aCalendar, entry, StayHome } from '../../../../homes/stay-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** It is noon of 14 April 2026 (UTC). */
function aHome(reserve: boolean, ...entries: readonly ReturnType<typeof entry>[]): StayHome {
  const guests = new GuestHome(FRONT);
  guests.listedEveryMs = 10 * MINUTE_MS;
  const home = new StayHome(guests, [aCalendar('flat', [FRONT], { reserve })]);
  home.portal('flat').entries = [...entries];
  return home;
}

const namesOn = (home: StayHome): readonly string[] =>
  home.home.service(FRONT).codesOf.map(({ name }) => name);
const reserveOf = (home: StayHome) => home.home.service(FRONT).codesOf.find(({ name }) => name === 'Reserve');

/** Whether a keypad takes these digits now. */
function opens(home: StayHome, pin: string | undefined): boolean {
  const code = home.home.service(FRONT).codesOf.find((one) => one.pin === pin);
  const now = home.clock.now();
  return (
    code !== undefined &&
    (code.schedule.kind !== 'temporary' || (code.schedule.from <= now && now < code.schedule.until))
  );
}

describe('a code in reserve', () => {
  it('is on the locks of a calendar that wants one, and goes when it no longer does', async () => {
    const home = aHome(false);
    await home.clock.advance(HOUR_MS);
    expect(namesOn(home)).toEqual([]);
    home.calendars = [aCalendar('flat', [FRONT], { reserve: true })];
    home.stays.setUpAnew();
    await home.clock.advance(HOUR_MS);
    expect(namesOn(home)).toEqual(['Reserve']);
    await home.crash();
    await home.clock.advance(HOUR_MS);
    expect(namesOn(home)).toEqual(['Reserve']);
    home.calendars = [];
    home.stays.setUpAnew();
    await home.clock.advance(HOUR_MS);
    expect(namesOn(home)).toEqual([]);
  });

  it('is offered where a lock has no code at the check-in, opens until the check-out, and is replaced', async () => {
    const home = aHome(true);
    await home.clock.advance(HOUR_MS);
    const former = reserveOf(home)?.pin;
    home.home.connect(FRONT, false);
    home.portal('flat').entries = [entry('a', '2026-04-16', '2026-04-18')];
    await home.clock.advance(DAY_MS);
    expect(home.stay('a').reserve).toBe('none');
    expect(home.stays.decisions.useReserve(home.stay('a').id)).not.toBeNull();
    await home.clock.advance(DAY_MS + 2 * HOUR_MS);
    const { id, reserve, phase } = home.stay('a');
    expect([reserve, phase]).toEqual(['offered', 'preparing']);
    expect(home.stays.decisions.useReserve(id)).toBeNull();
    expect(home.stay('a').reserve).toBe('taken');
    expect(home.stays.decisions.reveal(id)).toBe(former);
    expect(home.stays.decisions.useReserve(id)).not.toBeNull();
    await home.crash();
    await home.clock.advance(HOUR_MS);
    expect(opens(home, former)).toBe(true);
    home.home.connect(FRONT, true);
    await home.clock.advance(HOUR_MS);
    // The guest was told these digits, and the lock knows when they end; another code is in reserve.
    expect(opens(home, former)).toBe(true);
    expect(home.stays.decisions.reveal(id)).toBe(former);
    expect(namesOn(home).toSorted()).toEqual(['Reserve', 'Reserve B', 'Stay 16-18 Apr']);
    await home.clock.advance(2 * DAY_MS);
    expect(opens(home, former)).toBe(false);
    expect(namesOn(home)).toEqual(['Reserve B']);
    expect(home.store.calendars()[0]?.spentPins).toContain(former);
  });

  it('tells an arrival by its use, and none before', async () => {
    const home = aHome(true);
    await home.clock.advance(HOUR_MS);
    home.home.connect(FRONT, false);
    home.portal('flat').entries = [entry('a', '2026-04-16', '2026-04-18')];
    await home.clock.advance(2 * DAY_MS + 2 * HOUR_MS);
    expect(home.stays.decisions.useReserve(home.stay('a').id)).toBeNull();
    home.lines = [
      {
        id: '1',
        at: home.clock.now() + 10 * MINUTE_MS,
        offsetMinutes: 0,
        what: 'unsecured',
        by: { method: 'access-code', id: null, name: 'Reserve' },
      },
    ] as never;
    await home.clock.advance(HOUR_MS);
    expect(home.stay('a').arrivedAt).not.toBeNull();
  });

  it('is nobody’s who may not have it: no stay gets its digits, and a skipped stay gives it up', async () => {
    const home = aHome(true);
    await home.clock.advance(HOUR_MS);
    const pin = reserveOf(home)?.pin ?? '';
    home.home.connect(FRONT, false);
    home.portal('flat').entries = [
      entry('a', '2026-04-16', '2026-04-18', { description: `Phone Number (Last 4 Digits): ${pin}` }),
    ];
    await home.clock.advance(2 * DAY_MS + 3 * HOUR_MS);
    const { id } = home.stay('a');
    expect(home.stays.decisions.reveal(id)).not.toBe(pin);
    expect(home.stays.decisions.useReserve(id)).toBeNull();
    home.stays.decisions.skip(id, true);
    home.home.connect(FRONT, true);
    await home.clock.advance(HOUR_MS);
    expect(opens(home, pin)).toBe(false);
    expect(namesOn(home)).toEqual(['Reserve B']);
  });
});

describe('a full lock', () => {
  const codes = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: accessCodeId(`c${String(index)}`),
      name: `Code ${String(index)}`,
      pin: String(20_000 + index * 7),
      schedule: { kind: 'always' } as const,
      readOnly: false,
    }));

  it('gives the place of the stay that begins last to an earlier one, and back once there is room', async () => {
    const home = aHome(
      false,
      entry('last', '2026-04-20', '2026-04-21'),
      entry('mid', '2026-04-19', '2026-04-20'),
    );
    home.home.service(FRONT).codesOf = codes(MOST_CODES - 2);
    await home.clock.advance(HOUR_MS);
    expect(namesOn(home)).toContain('Stay 20-21 Apr');
    home.portal('flat').entries = [
      ...home.portal('flat').entries,
      entry('first', '2026-04-15', '2026-04-17'),
    ];
    await home.clock.advance(2 * HOUR_MS);
    expect(
      namesOn(home)
        .filter((name) => name.startsWith('Stay'))
        .toSorted(),
    ).toEqual(['Stay 15-17 Apr', 'Stay 19-20 Apr']);
    const { obstacles, phase } = home.stay('last');
    expect(phase).toBe('preparing');
    expect(obstacles.map((words) => t(words))).toEqual([
      'front: The lock is full, and a stay that begins earlier has the place. Remove codes that are not needed.',
    ]);
    const sent = home.home.service(FRONT).sent.length;
    await home.clock.advance(DAY_MS);
    expect(home.home.service(FRONT).sent).toHaveLength(sent);
    await home.crash();
    await home.clock.advance(2 * DAY_MS);
    expect(
      namesOn(home)
        .filter((name) => name.startsWith('Stay'))
        .toSorted(),
    ).toEqual(['Stay 19-20 Apr', 'Stay 20-21 Apr']);
    expect(home.stay('last').obstacles).toEqual([]);
  });

  it('gives a place that becomes free to the stay that gave way, and not to a later one that waits (faults#157)', async () => {
    const home = aHome(
      false,
      entry('second', '2026-04-18', '2026-04-20'),
      entry('third', '2026-04-20', '2026-04-21'),
      entry('fourth', '2026-04-21', '2026-04-22'),
    );
    home.home.service(FRONT).places = MOST_CODES;
    home.home.service(FRONT).codesOf = codes(MOST_CODES - 1);
    await home.clock.advance(HOUR_MS);
    const staysOn = () => namesOn(home).filter((name) => name.startsWith('Stay'));
    expect(staysOn()).toEqual(['Stay 18-20 Apr']);
    home.portal('flat').entries = [
      ...home.portal('flat').entries,
      entry('first', '2026-04-16', '2026-04-18'),
    ];
    await home.clock.advance(2 * HOUR_MS);
    expect(staysOn()).toEqual(['Stay 16-18 Apr']);
    // From noon to half past eleven: the first guest has left.
    await home.clock.advance(3 * DAY_MS + 21.5 * HOUR_MS);
    expect(staysOn()).toEqual(['Stay 18-20 Apr']);
    await home.clock.advance(2 * DAY_MS);
    expect(staysOn()).toEqual(['Stay 20-21 Apr']);
    await home.clock.advance(DAY_MS);
    expect(staysOn()).toEqual(['Stay 21-22 Apr']);
  });

  it('takes no place of a stay that begins earlier, nor of a guest who is there', async () => {
    const home = aHome(false, entry('here', '2026-04-14', '2026-04-24'));
    home.home.service(FRONT).codesOf = codes(MOST_CODES - 1);
    await home.clock.advance(6 * HOUR_MS);
    home.portal('flat').entries = [
      ...home.portal('flat').entries,
      entry('later', '2026-04-18', '2026-04-19'),
    ];
    await home.clock.advance(2 * DAY_MS);
    expect(namesOn(home).filter((name) => name.startsWith('Stay'))).toEqual(['Stay 14-24 Apr']);
  });
});
