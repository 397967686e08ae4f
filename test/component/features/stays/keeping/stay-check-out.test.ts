// The end of a stay before its check-out: what the doors say, what a person says, and what becomes of the code.
import { describe, expect, it } from 'vitest';
import type { HistoryLine } from '../../../../../src/domain/history/history.ts';
import type { AccessMethod } from '../../../../../src/domain/locks/access.ts';
import type { LockId } from '../../../../../src/domain/locks/lock.ts';
import type { CalendarEntry } from '../../../../../src/features/stays/policy/calendar-ports.ts';
import type { StayCalendar } from '../../../../../src/features/stays/policy/stay-calendar.ts';
import { BACK, FRONT, GuestHome } from '../../../../homes/codes-home.ts';
import { aCalendar, entry, StayHome } from '../../../../homes/stay-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ARRIVAL = '2026-04-16';
const LAST_DAY = '2026-04-19';
const NAME = 'Stay 16-19 Apr';

interface Made {
  readonly calendar?: Partial<StayCalendar>;
  readonly more?: readonly StayCalendar[];
  readonly entries?: readonly CalendarEntry[];
  readonly zone?: string;
}

/** Until `hour` of the last day; it begins at noon of 14 April 2026 (UTC). */
async function aHome(
  until: string,
  { calendar = {}, more = [], entries, zone }: Made = {},
): Promise<StayHome> {
  const home = new StayHome(new GuestHome(FRONT, BACK), [aCalendar('flat', [FRONT], calendar), ...more]);
  if (zone !== undefined) {
    home.home.zone = zone;
  }
  home.portal('flat').entries = entries ?? [entry('a', ARRIVAL, LAST_DAY)];
  await advanceTo(home, until);
  return home;
}

async function advanceTo(home: StayHome, time: string): Promise<void> {
  await home.clock.advance(
    Date.parse(`${time.includes('T') ? time : `${LAST_DAY}T${time}`}:00Z`) - home.clock.now(),
  );
}

const codesOf = (home: StayHome, lock = FRONT) => home.home.service(lock).codesOf.map(({ name }) => name);

/** What the history of a lock says, the newest first; `by` a name: the code that is called so. */
let lines = 0;
function says(
  home: StayHome,
  time: string,
  what: 'secured' | 'unsecured' | 'jammed',
  by: AccessMethod | { readonly code: string },
): void {
  lines += 1;
  const accessor =
    typeof by === 'string'
      ? { method: by, id: null, name: null }
      : { method: 'access-code' as const, id: null, name: by.code };
  const at = Date.parse(`${time.includes('T') ? time : `${LAST_DAY}T${time}`}:00Z`);
  const line: HistoryLine = { id: `h${String(lines)}`, at, offsetMinutes: 0, what, by: accessor };
  home.lines = [line, ...home.lines];
}

/** A listing sees the bolt so. */
function seen(home: StayHome, bolt: 'secured' | 'unsecured', lock: LockId = FRONT): void {
  home.home.locks.apply(lock, {
    type: 'reported',
    source: 'poll',
    at: home.clock.now(),
    bolt,
    connected: true,
  });
}

/** Bread is bought, and the guest is back before the hour is over: nothing of it ends a code. */
function leaves(home: StayHome, unlockedAt = '08:30', lockedAt = '08:31'): void {
  says(home, unlockedAt, 'unsecured', { code: NAME });
  says(home, lockedAt, 'secured', 'one-touch');
}

describe('a guest who seems to have left', () => {
  it('is said, and the code stays until the check-out, unless the calendar ends it', async () => {
    const home = await aHome('08:35');
    leaves(home);
    await advanceTo(home, '10:45');
    expect(home.stay('a')).toMatchObject({
      phase: 'arrived',
      seemsLeftAt: Date.parse(`${LAST_DAY}T08:31:00Z`),
      checkedOutAt: null,
    });
    expect(codesOf(home)).toEqual([NAME]);
    await advanceTo(home, '11:30');
    expect([home.stay('a').seemsLeftAt, codesOf(home)]).toEqual([null, []]);
  });

  it('loses the code an hour later where the calendar says so, and not before', async () => {
    const home = await aHome('08:35', { calendar: { endWhenLeft: true } });
    leaves(home);
    await advanceTo(home, '09:25');
    seen(home, 'secured');
    expect([home.stay('a').seemsLeftAt === null, codesOf(home)]).toEqual([false, [NAME]]);
    await advanceTo(home, '09:32');
    seen(home, 'secured');
    await home.clock.advance(20 * MINUTE_MS);
    expect(codesOf(home)).toEqual([]);
    expect(home.stay('a')).toMatchObject({ phase: 'gone', seemsLeftAt: null });
    expect(home.events.filter((line) => line.startsWith('stay-ended'))).toHaveLength(1);
    expect(
      home.home.lines.filter((line) => line.includes('seems to have left, so the code ends')),
    ).toHaveLength(1);
    await advanceTo(home, '10:50');
    expect(codesOf(home)).toEqual([]);
  });

  it.each<readonly [string, (home: StayHome) => void]>([
    ['was not seen since the hour was over', (home) => seen(home, 'secured')],
    [
      'is unlocked by now',
      (home) => {
        seen(home, 'unsecured');
      },
    ],
    [
      'is offline',
      (home) => {
        seen(home, 'secured');
        home.home.locks.apply(FRONT, {
          type: 'reported',
          source: 'poll',
          at: home.clock.now(),
          connected: false,
        });
      },
    ],
  ])('keeps the code where the door %s: silence is no evidence', async (_, happen) => {
    const home = await aHome('08:35', { calendar: { endWhenLeft: true } });
    leaves(home);
    await advanceTo(home, '09:30');
    happen(home);
    await advanceTo(home, '10:45');
    expect(codesOf(home)).toEqual([NAME]);
    expect(home.stay('a').seemsLeftAt).not.toBeNull();
  });

  const COMES_BACK: readonly (readonly [string, (home: StayHome) => void])[] = [
    ['comes back with the bread', (home) => says(home, '08:50', 'unsecured', { code: NAME })],
    ['opens from within, so somebody is there', (home) => says(home, '08:50', 'unsecured', 'thumbturn')],
    ['locks from within', (home) => says(home, '08:50', 'secured', 'thumbturn')],
    ['stands at a jammed door', (home) => says(home, '08:50', 'jammed', 'auto-relock')],
  ];

  it.each(COMES_BACK)('has not left who %s', async (_, happen) => {
    const home = await aHome('08:55', { calendar: { endWhenLeft: true } });
    leaves(home);
    happen(home);
    await advanceTo(home, '10:30');
    seen(home, 'secured');
    await home.clock.advance(15 * MINUTE_MS);
    expect([home.stay('a').seemsLeftAt, codesOf(home)]).toEqual([null, [NAME]]);
  });

  const PROVES_NOTHING: readonly (readonly [string, (home: StayHome) => void])[] = [
    [
      'a door that locks itself behind who comes in',
      (home) => {
        says(home, '08:30', 'unsecured', { code: NAME });
        says(home, '08:31', 'secured', 'auto-relock');
      },
    ],
    [
      'a thumbturn right after who comes in',
      (home) => {
        says(home, '08:30', 'unsecured', { code: NAME });
        says(home, '08:31', 'secured', 'thumbturn');
      },
    ],
    [
      'a lock from outside on a day on which the code was not used',
      (home) => says(home, '08:31', 'secured', 'one-touch'),
    ],
    ['the evening before', (home) => leaves(home, '2026-04-18T22:30', '2026-04-18T23:59')],
    [
      'the code of another stay',
      (home) => {
        says(home, '08:30', 'unsecured', { code: 'Stay 12-16 Apr' });
        says(home, '08:31', 'secured', 'one-touch');
      },
    ],
    [
      'a cleaner who came in after the guest',
      (home) => {
        says(home, '08:10', 'unsecured', { code: NAME });
        says(home, '08:30', 'unsecured', { code: 'Anna' });
        says(home, '08:40', 'secured', 'one-touch');
      },
    ],
    [
      'a command of the host',
      (home) => {
        says(home, '08:10', 'unsecured', { code: NAME });
        says(home, '08:40', 'secured', 'own-command');
      },
    ],
    [
      'an entry that the code was changed',
      (home) => {
        says(home, '08:30', 'unsecured', { code: NAME });
        home.lines = [
          {
            id: 'x',
            at: Date.parse(`${LAST_DAY}T08:31:00Z`),
            offsetMinutes: 0,
            what: 'code-updated',
            by: { method: 'one-touch', id: null, name: NAME },
          },
          ...home.lines,
        ];
      },
    ],
    [
      'a history that has a gap since',
      (home) => {
        leaves(home);
        home.lines = [
          { what: 'gap', from: Date.parse(`${LAST_DAY}T08:32:00Z`), to: Date.parse(`${LAST_DAY}T08:50:00Z`) },
          ...home.lines,
        ];
      },
    ],
  ];

  it.each(PROVES_NOTHING)('is not proven by %s', async (_, happen) => {
    const home = await aHome('08:55', { calendar: { endWhenLeft: true } });
    happen(home);
    await advanceTo(home, '10:30');
    seen(home, 'secured');
    await home.clock.advance(15 * MINUTE_MS);
    expect([home.stay('a').seemsLeftAt, codesOf(home)]).toEqual([null, [NAME]]);
  });

  it('is not proven by the door of the house, where a neighbour may lock; with the own code it is', async () => {
    const house = [aCalendar('other', [FRONT, BACK])];
    for (const [by, isLeft] of [
      ['one-touch', false],
      [{ code: NAME }, true],
    ] as const) {
      const home = await aHome('08:35', { more: house });
      says(home, '08:30', 'unsecured', { code: NAME });
      says(home, '08:31', 'secured', by);
      await advanceTo(home, '08:55');
      expect(home.stay('a').seemsLeftAt !== null).toBe(isLeft);
      home.close();
    }
  });

  it('is seen by a calendar of another portal for the same flat', async () => {
    const home = await aHome('08:35', { more: [aCalendar('portal', [FRONT])] });
    leaves(home);
    await advanceTo(home, '08:55');
    expect(home.stay('a').seemsLeftAt).not.toBeNull();
  });

  it('is known in any order of the reports, and after a restart', async () => {
    const home = await aHome('08:35', { calendar: { endWhenLeft: true } });
    leaves(home);
    home.lines = home.lines.toReversed();
    await advanceTo(home, '08:55');
    expect(home.stay('a').seemsLeftAt).toBe(Date.parse(`${LAST_DAY}T08:31:00Z`));
    await home.crash();
    await advanceTo(home, '09:40');
    seen(home, 'secured');
    await home.clock.advance(15 * MINUTE_MS);
    expect([home.stay('a').checkedOutAt !== null, codesOf(home)]).toEqual([true, []]);
  });

  it('is said within a second of an event, with the door that reported it', async () => {
    const home = await aHome('08:30');
    await home.clock.advance(MINUTE_MS);
    const codeId = home.stay('a').onLocks[0]?.codeId ?? null;
    const move = (to: 'secured' | 'unsecured', by: { method: AccessMethod; id: string | null }): void => {
      const at = home.clock.now();
      const accessor = { ...by, name: null };
      home.home.locks.apply(FRONT, { type: 'reported', source: 'event', at, bolt: to, accessor });
      const event = { type: 'bolt', bolt: to, accessor, eventId: `e${to}`, lockId: FRONT, at } as const;
      home.home.bus.emit({ type: 'event-received', event });
    };
    move('unsecured', { method: 'access-code', id: codeId });
    await home.clock.advance(10_000);
    move('secured', { method: 'one-touch', id: null });
    await home.clock.advance(1_000);
    expect(home.stay('a').seemsLeftAt).toBe(home.clock.now() - 1_000);
  });

  it.each<readonly [string, string, string, boolean, string]>([
    ['Pacific/Auckland', '2026-04-18T13:00', '2026-04-18T22:00', true, LAST_DAY],
    ['Pacific/Auckland', '2026-04-18T11:00', '2026-04-18T22:00', false, LAST_DAY],
    // The clocks there go from midnight to one o'clock on 24 April.
    ['Africa/Cairo', '2026-04-23T22:05', '2026-04-24T05:00', true, '2026-04-24'],
    ['Africa/Cairo', '2026-04-23T21:55', '2026-04-24T05:00', false, '2026-04-24'],
    ['America/Los_Angeles', '2026-04-19T07:30', '2026-04-19T15:00', true, LAST_DAY],
    ['America/Los_Angeles', '2026-04-19T06:30', '2026-04-19T15:00', false, LAST_DAY],
  ])('counts the last day in the lock’s zone (%s, %s)', async (zone, locked, seenAt, isLeft, until) => {
    const home = await aHome(seenAt, { zone, entries: [entry('a', ARRIVAL, until)] });
    const before = new Date(Date.parse(`${locked}:00Z`) - MINUTE_MS).toISOString().slice(0, 16);
    says(home, before, 'unsecured', { code: home.stay('a').name });
    says(home, locked, 'secured', 'one-touch');
    await home.clock.advance(20 * MINUTE_MS);
    expect(home.stay('a').seemsLeftAt !== null).toBe(isLeft);
  });
});

describe('a check-out by a person', () => {
  const checkOut = async (home: StayHome): Promise<void> => {
    home.stays.decisions.checkOut(home.stay('a').id);
    await home.clock.advance(MINUTE_MS);
  };

  it('ends the code at once, on any day of the stay, and the calendar does not bring it back', async () => {
    for (const calendar of [{}, { endEarly: true }]) {
      const home = await aHome('2026-04-17T09:00', { calendar });
      await checkOut(home);
      expect([home.stay('a').phase, codesOf(home)]).toEqual(['gone', []]);
      const checkedOutAt = home.stay('a').checkedOutAt;
      await advanceTo(home, '10:00');
      // The portal renews its id, and writes what is left of the booking, as some do every day.
      home.portal('flat').entries = [entry('b', '2026-04-18', LAST_DAY)];
      await home.clock.advance(40 * MINUTE_MS);
      expect([home.stays.list().length, codesOf(home)]).toEqual([1, []]);
      expect(home.stays.list()[0]).toMatchObject({ checkedOutAt, phase: 'gone' });
      await home.crash();
      await home.clock.advance(HOUR_MS);
      expect(codesOf(home)).toEqual([]);
      home.close();
    }
  });

  it('ends the code of a lock that is offline when it is back, also after a restart', async () => {
    const home = await aHome('2026-04-17T09:00');
    home.home.connect(FRONT, false);
    await checkOut(home);
    expect([home.stay('a').phase, codesOf(home)]).toEqual(['leaving', [NAME]]);
    await home.crash();
    home.home.connect(FRONT, true);
    await home.clock.advance(10 * MINUTE_MS);
    expect([home.stay('a').phase, codesOf(home)]).toEqual(['gone', []]);
  });

  it('is taken back with "let in again": the same digits, and what the doors said before counts no more', async () => {
    const home = await aHome('08:35', { calendar: { endWhenLeft: true } });
    const [pin] = home.home.service(FRONT).codesOf.map((code) => code.pin);
    leaves(home);
    await advanceTo(home, '09:40');
    seen(home, 'secured');
    await home.clock.advance(15 * MINUTE_MS);
    expect(codesOf(home)).toEqual([]);
    home.stays.decisions.stillHere(home.stay('a').id);
    await home.clock.advance(30 * MINUTE_MS);
    seen(home, 'secured');
    await home.clock.advance(15 * MINUTE_MS);
    expect(home.home.service(FRONT).codesOf.map((code) => code.pin)).toEqual([pin]);
    expect(home.stay('a')).toMatchObject({
      phase: 'arrived',
      checkedOutAt: null,
      endedAt: null,
      goneAt: null,
    });
    await advanceTo(home, '11:10');
    expect(codesOf(home)).toEqual([]);
  });

  it('counts "still here" against what the doors said, and what they say later again', async () => {
    const home = await aHome('08:35');
    leaves(home);
    await advanceTo(home, '08:55');
    home.stays.decisions.stillHere(home.stay('a').id);
    await home.clock.advance(20 * MINUTE_MS);
    expect(home.stay('a').seemsLeftAt).toBeNull();
    leaves(home, '09:20', '09:21');
    await advanceTo(home, '09:55');
    expect(home.stay('a').seemsLeftAt).toBe(Date.parse(`${LAST_DAY}T09:21:00Z`));
  });

  it('is for a guest who is staying now alone', async () => {
    const home = await aHome('2026-04-15T09:00');
    const { id } = home.stay('a');
    expect(() => home.stays.decisions.checkOut(id)).toThrow('Only a guest who is staying now');
    expect(() => home.stays.decisions.stillHere(id)).toThrow('Only a guest who is staying now');
    await advanceTo(home, '11:30');
    expect(() => home.stays.decisions.checkOut(id)).toThrow('Only a guest who is staying now');
    await advanceTo(home, '11:31');
    expect(home.stay('a').checkedOutAt).toBeNull();
  });

  it.each<readonly [string, Partial<StayCalendar>, CalendarEntry, number]>([
    ['later nights of the same booking', {}, entry('a', '2026-04-20', '2026-04-22'), 1],
    ['more nights', {}, entry('a', ARRIVAL, '2026-04-21'), 1],
    ['a later check-out on the same day', { checkOut: '15:00' }, entry('a', ARRIVAL, LAST_DAY), 0],
    ['fewer nights', { endEarly: true }, entry('a', ARRIVAL, '2026-04-18'), 0],
  ])('is followed by another code for %s only where nights are more', async (_, calendar, next, codes) => {
    const home = await aHome('2026-04-17T09:00');
    await checkOut(home);
    home.calendars = [aCalendar('flat', [FRONT], calendar)];
    home.stays.setUpAnew();
    home.portal('flat').entries = [next];
    await advanceTo(home, '10:30');
    expect(codesOf(home)).toHaveLength(codes);
    expect([home.stays.list().length, home.stay('a').checkedOutAt === null]).toEqual([1, codes === 1]);
  });
});
