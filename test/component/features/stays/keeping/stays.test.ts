// Booked stays over the engine of guests: codes that are made, follow, and end with the booking.
import { describe, expect, it } from 'vitest';
import { type AccessCodeId, accessCodeId } from '../../../../../src/domain/codes/access-code.ts';
import type { Accessor } from '../../../../../src/domain/locks/access.ts';
import type { StayCalendar } from '../../../../../src/features/stays/policy/stay-calendar.ts';
import { t } from '../../../../../src/words/translate.ts';
import { BACK, FRONT, GuestHome } from '../../../../homes/codes-home.ts';
import { aCalendar, entry, StayHome } from '../../../../homes/stay-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** It is noon of 14 April 2026 (UTC). */
async function aHome(more: Partial<StayCalendar> = {}, entries = [entry('a', '2026-04-16', '2026-04-19')]) {
  const home = new StayHome(new GuestHome(FRONT, BACK), [aCalendar('flat', [FRONT, BACK], more)]);
  home.portal('flat').entries = entries;
  await home.clock.advance(MINUTE_MS);
  return home;
}

const codesOf = (home: StayHome, lock = FRONT) => home.home.service(lock).codesOf;

describe('a stay', () => {
  it('gets a code on all locks for its hours, a week before', async () => {
    const home = await aHome({}, [
      entry('a', '2026-04-16', '2026-04-19'),
      entry('b', '2026-04-25', '2026-04-27'),
    ]);
    expect(codesOf(home)).toMatchObject([
      {
        name: 'Stay 16-19 Apr',
        schedule: { from: Date.UTC(2026, 3, 16, 15), until: Date.UTC(2026, 3, 19, 11) },
      },
    ]);
    expect(codesOf(home, BACK)).toHaveLength(1);
    expect(home.stay('a')).toMatchObject({ phase: 'ready', code: 'hidden', obstacles: [] });
    expect(home.stay('b')).toMatchObject({ phase: 'planned', code: 'none' });
    expect(home.events).toEqual(['stay-code-ready Stay 16-19 Apr']);
    await home.clock.advance(4 * DAY_MS + 4 * HOUR_MS);
    expect(codesOf(home).map(({ name }) => name)).toContain('Stay 25-27 Apr');
  });

  it('has the last four digits of the phone as its code, and others where a lock has those already', async () => {
    const description = 'Phone Number (Last 4 Digits): 4711';
    const phone = await aHome({}, [entry('a', '2026-04-16', '2026-04-19', { description })]);
    expect(codesOf(phone).map(({ pin }) => pin)).toEqual(['4711']);
    const clash = new StayHome(new GuestHome(FRONT), [aCalendar('flat', [FRONT])]);
    clash.home.service(FRONT).codesOf = [
      { id: accessCodeId('x'), readOnly: false, name: 'Cleaner', pin: '4711', schedule: { kind: 'always' } },
    ];
    clash.portal('flat').entries = [entry('a', '2026-04-16', '2026-04-19', { description })];
    await clash.clock.advance(MINUTE_MS);
    expect(codesOf(clash).map(({ pin }) => pin)).not.toEqual(['4711', '4711']);
    expect(clash.stay('a').phase).toBe('ready');
  });

  it('keeps its code when its dates move, and does not overlap another stay of the same day', async () => {
    const home = await aHome();
    const [before] = codesOf(home);
    home.portal('flat').entries = [
      entry('a', '2026-04-17', '2026-04-20'),
      entry('b', '2026-04-20', '2026-04-21'),
    ];
    await home.clock.advance(20 * MINUTE_MS);
    const codes = codesOf(home);
    expect(codes.map(({ name }) => name)).toEqual(['Stay 17-20 Apr', 'Stay 20-21 Apr']);
    expect(codes[0]?.pin).toBe(before?.pin);
    expect(home.home.service(FRONT).sent.map(({ kind }) => kind)).toEqual(['add', 'update', 'add']);
  });

  it('ends with its hours, and is reported once the code is gone', async () => {
    const home = await aHome();
    await home.clock.advance(4 * DAY_MS + 22 * HOUR_MS);
    expect(codesOf(home)).toHaveLength(1);
    await home.clock.advance(HOUR_MS + 10 * MINUTE_MS);
    expect(codesOf(home)).toEqual([]);
    expect(home.stay('a')).toMatchObject({ phase: 'gone', endedAt: Date.UTC(2026, 3, 19, 11) });
    expect(home.events).toEqual(['stay-code-ready Stay 16-19 Apr', 'stay-ended Stay 16-19 Apr']);
  });

  it('of an offline lock stays listed until the code is gone from it', async () => {
    const home = await aHome();
    home.home.connect(BACK, false);
    await home.clock.advance(5 * DAY_MS);
    expect(home.stay('a')).toMatchObject({ phase: 'leaving', onLocks: [{ lockId: BACK }] });
    expect(home.stay('a').obstacles.map((obstacle) => t(obstacle))).toEqual([
      expect.stringContaining('offline'),
    ]);
    home.home.connect(BACK, true);
    await home.clock.advance(MINUTE_MS);
    expect(home.stay('a').phase).toBe('gone');
  });

  it('that is cancelled as one of many loses its code at once', async () => {
    const others = [1, 2, 3].map((day) => entry(`o${String(day)}`, `2026-05-0${String(day)}`, '2026-05-09'));
    const home = await aHome({}, [entry('a', '2026-04-16', '2026-04-19'), ...others]);
    home.portal('flat').entries = others;
    await home.clock.advance(20 * MINUTE_MS);
    expect(codesOf(home)).toEqual([]);
    expect(home.stay('a')).toMatchObject({ isCancelled: true, phase: 'gone' });
  });

  it('that comes back to the calendar has its former code', async () => {
    const more = [entry('b', '2026-05-01', '2026-05-03'), entry('c', '2026-05-05', '2026-05-06')];
    const home = await aHome({}, [entry('a', '2026-04-16', '2026-04-19'), ...more]);
    const pin = home.stays.decisions.reveal(home.stay('a').id);
    home.portal('flat').entries = more;
    await home.clock.advance(20 * MINUTE_MS);
    home.portal('flat').entries = [entry('a', '2026-04-16', '2026-04-19'), ...more];
    await home.clock.advance(20 * MINUTE_MS);
    expect(codesOf(home).map((code) => code.pin)).toEqual([pin]);
  });
});

describe('a calendar with a doubtful reading (faults#136)', () => {
  it('changes nothing while it fails, and is logged once', async () => {
    const home = await aHome();
    home.portal('flat').fault = 'broken';
    await home.clock.advance(6 * HOUR_MS);
    expect(codesOf(home)).toHaveLength(1);
    home.portal('flat').fault = null;
    await home.clock.advance(2 * HOUR_MS);
    expect(home.home.lines.filter((line) => line.includes('portal fails'))).toHaveLength(1);
    expect(home.home.lines.filter((line) => line.includes('is read again'))).toHaveLength(1);
  });

  it('that is suddenly empty is believed after three equal readings over two hours', async () => {
    const home = await aHome();
    home.portal('flat').fault = 'empty';
    await home.clock.advance(2 * HOUR_MS);
    expect(codesOf(home)).toHaveLength(1);
    expect(home.stays.calendar('flat').doubt).toMatchObject({ lost: 1 });
    await home.clock.advance(31 * MINUTE_MS);
    expect([codesOf(home), home.stays.calendar('flat').doubt]).toEqual([[], null]);
  });

  it('never ends or shortens a stay that is under way, unless a person allows that, and may prolong it', async () => {
    const home = await aHome();
    await home.clock.advance(3 * DAY_MS);
    home.portal('flat').entries = [];
    await home.clock.advance(6 * HOUR_MS);
    home.portal('flat').entries = [entry('a', '2026-04-16', '2026-04-18')];
    await home.clock.advance(6 * HOUR_MS);
    expect(codesOf(home)).toMatchObject([{ schedule: { until: Date.UTC(2026, 3, 19, 11) } }]);
    home.portal('flat').entries = [entry('a', '2026-04-16', '2026-04-21')];
    await home.clock.advance(20 * MINUTE_MS);
    expect(codesOf(home)).toMatchObject([{ schedule: { until: Date.UTC(2026, 3, 21, 11) } }]);

    const lenient = await aHome({ endEarly: true });
    await lenient.clock.advance(3 * DAY_MS);
    lenient.portal('flat').entries = [];
    await lenient.clock.advance(HOUR_MS);
    expect(codesOf(lenient)).toEqual([]);
  });
});

describe('a person', () => {
  it('skips a stay, and takes it up again with the same code', async () => {
    const home = await aHome();
    const { id } = home.stay('a');
    const pin = home.stays.decisions.reveal(id);
    home.stays.decisions.skip(id, true);
    await home.clock.advance(MINUTE_MS);
    expect(codesOf(home)).toEqual([]);
    expect(home.stay('a').phase).toBe('skipped');
    home.stays.decisions.skip(id, false);
    await home.clock.advance(MINUTE_MS);
    expect(codesOf(home).map((code) => code.pin)).toEqual([pin]);
  });

  it('who removes the guest of a stay skips it, and cannot change it by accident', async () => {
    const home = await aHome();
    const [guest] = home.home.guests.list();
    expect(guest).toMatchObject({ stay: { calendar: 'flat' } });
    const change = (): unknown =>
      home.home.guests.update(guest?.id ?? '', { pin: '0815' }, guest?.revision ?? 0);
    expect(change).toThrow('booking calendar');
    home.home.guests.remove(guest?.id ?? '');
    await home.clock.advance(HOUR_MS);
    expect(codesOf(home)).toEqual([]);
    expect(home.stay('a')).toMatchObject({ isSkipped: true });
  });

  it('sets other hours for one stay, which do not overlap the next stay', async () => {
    const home = await aHome({}, [
      entry('a', '2026-04-16', '2026-04-19'),
      entry('b', '2026-04-19', '2026-04-20'),
    ]);
    const { id } = home.stay('a');
    const fault = home.stays.decisions.setHours(id, { checkIn: '13:00', checkOut: '16:00' });
    expect(fault && t(fault)).toContain('overlap');
    expect(home.stays.decisions.setHours(id, { checkIn: '13:00', checkOut: null })).toBeNull();
    await home.clock.advance(MINUTE_MS);
    expect(codesOf(home)[0]?.schedule).toMatchObject({ from: Date.UTC(2026, 3, 16, 13) });
    expect(home.stay('a')).toMatchObject({ checkIn: '13:00', hasOwnHours: true });
  });

  it('chooses another code, and sees when it is on all locks', async () => {
    const home = await aHome();
    const { id } = home.stay('a');
    expect(await home.stays.decisions.newCode(id, '2580')).toBeNull();
    await home.clock.advance(MINUTE_MS);
    expect(codesOf(home).map(({ pin }) => pin)).toEqual(['2580']);
    expect(home.events).toHaveLength(2);
    expect(await home.stays.decisions.newCode(id, null)).toBeNull();
    await home.clock.advance(MINUTE_MS);
    expect(codesOf(home)[0]?.pin).not.toBe('2580');
  });
});

describe('an arrival', () => {
  const codeOf = (home: StayHome, uid: string) =>
    home.stay(uid).onLocks.find(({ lockId }) => lockId === FRONT)?.codeId ?? null;
  const typed = (id: AccessCodeId | null, name: string | null = null) =>
    ({ method: 'access-code', id, name }) as const;
  const tell = (home: StayHome, bolt: 'secured' | 'unsecured', accessor: Accessor): void => {
    const event = { type: 'bolt', bolt, accessor, eventId: 'e', lockId: FRONT } as const;
    home.home.bus.emit({ type: 'event-received', event: { ...event, at: home.clock.now() } });
  };
  const use = (home: StayHome): void => tell(home, 'unsecured', typed(codeOf(home, 'a')));

  it('is the first use of the code, and no later one', async () => {
    const home = await aHome();
    use(home);
    expect(home.stay('a').arrivedAt).toBeNull();
    await home.clock.advance(3 * DAY_MS);
    use(home);
    await home.clock.advance(MINUTE_MS);
    use(home);
    expect(home.events.filter((line) => line.startsWith('stay-arrived'))).toEqual([
      'stay-arrived Stay 16-19 Apr',
    ]);
    expect(home.stay('a').phase).toBe('arrived');
  });

  it.each(['code-added', 'code-updated', 'code-deleted', 'secured', 'unrecognised'] as const)(
    'is no entry "%s" that carries the name of the code (faults#159)',
    async (what) => {
      const home = await aHome();
      const by = { method: 'access-code', id: null, name: 'Stay 16-19 Apr' } as const;
      home.lines = [{ id: 'h', at: Date.UTC(2026, 3, 16, 16), offsetMinutes: 0, what, by }];
      await home.clock.advance(2 * DAY_MS + 5 * HOUR_MS);
      expect([home.stay('a').arrivedAt, home.events.join()]).toEqual([
        null,
        expect.not.stringContaining('arrived'),
      ]);
    },
  );

  it('is no unlock by another person or by the code of another stay, and no locking by its own (faults#159)', async () => {
    const home = await aHome({}, [
      entry('a', '2026-04-16', '2026-04-19'),
      entry('b', '2026-04-19', '2026-04-21'),
    ]);
    await home.clock.advance(3 * DAY_MS);
    const own = typed(codeOf(home, 'a'));
    const others = [
      typed(accessCodeId('hers')),
      typed(null, 'Anna'),
      typed(codeOf(home, 'b')),
      { method: 'platform-key', id: null, name: 'Stay 16-19 Apr' } as const,
    ];
    for (const accessor of others) {
      tell(home, 'unsecured', accessor);
    }
    tell(home, 'secured', own);
    const move = { type: 'reported', source: 'event', accessor: own } as const;
    home.home.locks.apply(FRONT, { ...move, at: home.clock.now(), bolt: 'secured' });
    await home.clock.advance(MINUTE_MS);
    expect([home.stay('a').arrivedAt, home.stay('b').arrivedAt]).toEqual([null, null]);
    home.home.locks.apply(FRONT, { ...move, at: home.clock.now(), bolt: 'unsecured' });
    expect(home.stay('a').phase).toBe('arrived');
  });

  it('is found in the history where its event was missed', async () => {
    const home = await aHome();
    const at = Date.UTC(2026, 3, 16, 16);
    home.lines = [
      {
        id: 'h',
        at,
        offsetMinutes: 0,
        what: 'unsecured',
        by: { method: 'access-code', id: null, name: 'Stay 16-19 Apr' },
      },
    ];
    await home.clock.advance(2 * DAY_MS + 5 * HOUR_MS);
    expect(home.stay('a').arrivedAt).toBe(at);
  });
});

it('after a crash no stay has two codes, and none loses its own', async () => {
  const home = await aHome({}, []);
  home.portal('flat').entries = [entry('a', '2026-04-16', '2026-04-19')];
  for (let times = 0; times < 40; times += 1) {
    await home.clock.advance(1_000 + 317 * times);
    await home.crash();
  }
  await home.clock.advance(HOUR_MS);
  expect(codesOf(home)).toHaveLength(1);
  expect(home.stay('a').phase).toBe('ready');
});
