// What is believed of a calendar after a reading.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterReading,
  afterUnchanged,
  type Belief,
  missingIn,
  NOTHING_BELIEVED,
  type Watch,
} from '../../../../../src/features/stays/policy/belief-policy.ts';
import type { Booking } from '../../../../../src/features/stays/policy/stay.ts';
import { NOT_STAYS, staysIn } from '../../../../../src/features/stays/policy/stay-entries.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Noon. */
const NOW = Date.UTC(2026, 3, 14, 12);

const dated = (days: number): string => new Date(Date.UTC(2026, 3, 14 + days)).toISOString().slice(0, 10);

/** Each a night of its own: booking 1 begins ten days from now. */
const booking = (uid: string, more: Partial<Booking> = {}): Booking => ({
  uid,
  start: { kind: 'day', day: dated(9 + Number(uid)) },
  end: { kind: 'day', day: dated(10 + Number(uid)) },
  summary: `Reserved ${uid}`,
  phone4: null,
  ...more,
});

const at = (time: Booking['start'], hour: number): number =>
  time.kind === 'day' ? Date.parse(time.day) + hour * HOUR_MS : Number.NaN;

const facts = (minutes = 0, cancelled: readonly string[] = [], endEarly = false) => {
  const now = NOW + minutes * MINUTE_MS;
  return {
    now,
    cancelled: new Set(cancelled),
    windowOf: ({ start, end }: Booking) => ({ opensAt: at(start, 15), closesAt: at(end, 11) }),
    hasBegun: ({ start }: Booking) => at(start, 0) <= now,
    endEarly,
  };
};

const read = (...uids: readonly string[]): readonly Booking[] => uids.map((uid) => booking(uid));
const believed = (...uids: readonly string[]): Belief => ({ bookings: read(...uids), doubt: null });
const uidsOf = ({ bookings }: Belief): readonly string[] => bookings.map(({ uid }) => uid);
const within = (days: number, nights = 2): Partial<Booking> => ({
  start: { kind: 'day', day: dated(days) },
  end: { kind: 'day', day: dated(days + nights) },
});

describe('a reading', () => {
  it.each([
    ['the first', NOTHING_BELIEVED, read('1', '2'), true],
    ['one more', believed('1'), read('1', '2'), true],
    ['half are lost', believed('1', '2', '3', '4'), read('1', '2'), true],
    ['more than half are lost', believed('1', '2', '3', '4'), read('1'), false],
    ['all of one are lost', believed('1'), [], false],
    ['all of two are lost, and others are there', believed('1', '2'), read('3', '4'), false],
  ])('with %s is believed at once or not', (_, before, bookings, isBelieved) => {
    expect(afterReading(before, bookings, facts()).doubt === null).toBe(isBelieved);
  });

  it('that lost too many stays only adds new ones', () => {
    const after = afterReading(believed('1', '2', '3'), read('9'), facts());
    expect(uidsOf(after).toSorted()).toEqual(['1', '2', '3', '9']);
    expect(after.doubt).toMatchObject({ lost: 3 });
  });

  it('is believed with the third equal reading, and not before two hours', () => {
    let belief = afterReading(believed('1', '2'), [], facts(0));
    for (const minutes of [15, 30, 119]) {
      belief = afterReading(belief, [], facts(minutes));
      expect(belief.doubt).toMatchObject({ lost: 2, believedAt: NOW + 2 * HOUR_MS });
    }
    expect(afterReading(belief, [], facts(120))).toMatchObject({ bookings: [], doubt: null });
    const two = afterReading(afterReading(believed('1'), [], facts(0)), [], facts(180));
    expect(two.doubt).not.toBeNull();
  });

  it('that differs from the doubted one begins the doubt anew, and a whole one ends it', () => {
    const belief = afterReading(believed('1', '2', '3'), [], facts(0));
    expect(afterReading(belief, read('1'), facts(60)).doubt).toMatchObject({ believedAt: NOW + 3 * HOUR_MS });
    expect(afterReading(belief, read('1', '2', '3'), facts(60)).doubt).toBeNull();
  });

  it('with cancellations of its own has lost nothing', () => {
    expect(afterReading(believed('1', '2'), [], facts(0, ['1', '2']))).toMatchObject({
      bookings: [],
      doubt: null,
    });
  });

  it('counts although its version is an older one (faults#155)', () => {
    const readAs = (sequence: number, days: number): readonly Booking[] =>
      staysIn([{ ...booking('1', within(days)), sequence, isCancelled: false, description: '' }], NOT_STAYS)
        .bookings;
    const before: Belief = { bookings: readAs(1_700_000_000, 10), doubt: null };
    const [after] = afterReading(before, readAs(1, 20), facts()).bookings;
    expect(after).toMatchObject({ start: { day: dated(20) } });
  });
});

describe('the nearer the check-in, the more readings a loss needs (faults#154)', () => {
  const others = read('30', '31', '32', '33');
  const lostAfter = (days: number, hour: number): number | null => {
    const guest = booking('1', within(days));
    const checkIn = at(guest.start, 15);
    let belief: Belief = { bookings: [guest, ...others], doubt: null };
    const from = (checkIn - hour * HOUR_MS - NOW) / MINUTE_MS;
    for (let minutes = 0; minutes < hour * 60 + 24 * 60; minutes += 15) {
      belief = afterReading(belief, others, facts(from + minutes));
      if (!uidsOf(belief).includes('1')) {
        return minutes;
      }
    }
    return null;
  };

  it.each([
    [72, 0],
    [40, 120],
    [22, 240],
    [14, null],
    [1, null],
  ])('%i hours before it after %s minutes', (hour, minutes) => {
    expect(lostAfter(5, hour)).toBe(minutes);
  });

  it('a single stale copy at any minute of the last day takes nothing away', () => {
    const guest = booking('1', within(2));
    const before: Belief = { bookings: [guest, ...others], doubt: null };
    for (let minutes = 27 * 60; minutes <= 51 * 60; minutes += 1) {
      expect(uidsOf(afterReading(before, others, facts(minutes)))).toContain('1');
    }
  });

  it('a booking that has come back is not lost again within a day', () => {
    const before: Belief = { bookings: [booking('1'), ...others], doubt: null };
    const gone = afterReading(before, others, facts(0));
    expect(uidsOf(gone)).not.toContain('1');
    let belief = afterReading(gone, [booking('1'), ...others], facts(15));
    for (let minutes = 30; minutes < 23 * 60; minutes += 15) {
      belief = afterReading(belief, others, facts(minutes));
      expect(uidsOf(belief)).toContain('1');
    }
    for (let minutes = 24 * 60; minutes < 27 * 60; minutes += 15) {
      belief = afterReading(belief, others, facts(minutes));
    }
    expect(uidsOf(belief)).not.toContain('1');
  });

  it('dates that waver between two readings change twice a day at most, and none of the nights is without a code', () => {
    const [short, long] = [booking('1', within(5, 2)), booking('1', within(5, 3))];
    let belief: Belief = { bookings: [short, ...others], doubt: null };
    let changes = 0;
    for (let reading = 0; reading < 96; reading += 1) {
      const [before] = belief.bookings;
      belief = afterReading(belief, [reading % 2 === 0 ? long : short, ...others], facts(15 * reading));
      changes += belief.bookings[0]?.end === before?.end ? 0 : 1;
      expect(belief.bookings[0]?.end).toEqual(long.end);
    }
    expect(changes).toBeLessThanOrEqual(2);
  });
});

describe('another guest in the same nights (faults#149)', () => {
  const anna = booking('1', { summary: 'Anna', guest: 'anna' });
  const bernd = (uid: string): Booking => booking('1', { uid, summary: 'Bernd', guest: 'bernd' });

  it.each(['1', 'new'])('takes the place of the missing one at once, under the id "%s"', (uid) => {
    const after = afterReading({ bookings: [anna], doubt: null }, [bernd(uid)], facts());
    expect(after).toMatchObject({ bookings: [{ guest: 'bernd' }], doubt: null });
  });

  it('of many that are exchanged at once is doubted, and gives way in the hour before the check-in', () => {
    const guests = [1, 2, 3].map((day) =>
      booking(String(day), { guest: `a${String(day)}`, ...within(3 * day) }),
    );
    const strangers = [1, 2, 3].map((day) =>
      booking(`9${String(day)}`, { guest: `z${String(day)}`, ...within(3 * day) }),
    );
    const before: Belief = { bookings: guests, doubt: null };
    expect(missingIn(afterReading(before, strangers, facts())).size).toBe(3);
    const minutes = (at(guests[0]?.start ?? anna.start, 15) - NOW) / MINUTE_MS - 45;
    expect(uidsOf(afterReading(before, strangers, facts(minutes)))).not.toContain('1');
  });

  it('that comes and goes in turn with the first one leaves both', () => {
    let belief: Belief = { bookings: [anna], doubt: null };
    let changes = 0;
    for (let reading = 0; reading < 90; reading += 1) {
      const before = uidsOf(belief).toSorted().join();
      belief = afterReading(belief, [reading % 2 === 0 ? bernd('9') : anna], facts(15 * reading));
      changes += uidsOf(belief).toSorted().join() === before ? 0 : 1;
    }
    expect(changes).toBeLessThanOrEqual(3);
    expect(uidsOf(belief).toSorted()).toEqual(['1', '9']);
  });
});

describe('a stay that has begun (faults#156)', () => {
  const guest = booking('1', within(-3, 10));

  it('is not lost, unless the calendar may end it', () => {
    let belief: Belief = { bookings: [guest], doubt: null };
    for (let minutes = 0; minutes < 6 * 60; minutes += 15) {
      belief = afterReading(belief, [], facts(minutes));
    }
    expect(uidsOf(belief)).toEqual(['1']);
    for (let minutes = 0; minutes < 60; minutes += 15) {
      belief = afterReading(belief, [], facts(6 * 60 + minutes, [], true));
    }
    expect(belief.bookings).toEqual([]);
  });

  it('goes on under another id and with a later start, day by day', () => {
    let belief: Belief = { bookings: [guest], doubt: null };
    for (let day = 0; day < 7; day += 1) {
      const next = booking('1', {
        uid: `d${String(day)}`,
        summary: 'Reserved 1',
        start: { kind: 'day', day: dated(day) },
        end: guest.end,
      });
      belief = afterReading(belief, [next], facts(day * 24 * 60));
      expect(belief.bookings).toMatchObject([{ uid: `d${String(day)}`, start: guest.start }]);
    }
  });
});

it('an arrival that moved twice within a day is believed on the former day of arrival', () => {
  const readings = [within(2, 1), within(2, 2), within(3, 2)].map((dates) => booking('1', dates));
  let belief: Belief = { bookings: readings.slice(0, 1), doubt: null };
  const hours = [0, 14, 14.25, 30, 38.25, 44];
  for (const hour of hours) {
    belief = afterReading(belief, [readings[hour < 14 ? 1 : 2] ?? booking('1')], facts(hour * 60));
  }
  // Noon and 44 hours: the morning of the day on which the guest was to come.
  expect(belief.bookings).toMatchObject([within(3, 2)]);
});

const lostAnHourAgo = (lost: Booking): Watch => ({
  booking: lost,
  missing: null,
  lostAt: NOW - HOUR_MS,
  returnedAt: null,
  moves: [],
  read: null,
});

it('a booking from tomorrow on is not the rest of one that was lost', () => {
  const watched = lostAnHourAgo(booking('1', { ...within(0, 6), summary: 'Closed' }));
  const next = booking('2', { ...within(1, 5), summary: 'Closed' });
  const soon = { ...facts(), beginsSoon: ({ start }: Booking) => at(start, 0) <= NOW + 24 * HOUR_MS };
  const { bookings } = afterReading({ bookings: [], doubt: null, watched: [watched] }, [next], soon);
  expect(bookings).toMatchObject([within(1, 5)]);
});

it('the nights that are left of a stay are its own, also where a booking of just these nights was lost (faults#156)', () => {
  const there = booking('1', { ...within(0, 6), summary: 'Closed' });
  const watched = lostAnHourAgo(booking('2', { ...within(2, 4), summary: 'Closed' }));
  const left = booking('3', { ...within(2, 4), summary: 'Closed' });
  const before: Belief = { bookings: [there], doubt: null, watched: [watched] };
  const { bookings } = afterReading(before, [left], facts(2 * 24 * 60));
  expect(bookings).toMatchObject([{ uid: '3', start: there.start, end: there.end }]);
});

it('an export that renews all ids with equal words has lost nothing (faults#149)', () => {
  const again = ['1', '2'].map((uid) => booking(uid, { uid: `new-${uid}`, summary: `Reserved ${uid}` }));
  expect(uidsOf(afterReading(believed('1', '2'), again, facts()))).toEqual(['new-1', 'new-2']);
  const known = { bookings: ['1', '2'].map((uid) => booking(uid, { phone4: '4711' })), doubt: null };
  const others = ['1', '2'].map((uid) =>
    booking(uid, { uid: `new-${uid}`, summary: `Reserved ${uid}`, phone4: '1234' }),
  );
  expect(afterReading(known, others, facts()).bookings.map(({ phone4 }) => phone4)).toContain('1234');
  expect(missingIn(afterReading(known, others, facts())).size).toBe(2);
});

it('a calendar that is "unchanged" repeats its last reading', () => {
  const sure = believed('1');
  expect(afterUnchanged(sure, facts())).toBe(sure);
  let belief = afterReading(sure, [], facts(0));
  belief = afterUnchanged(belief, facts(60));
  expect(missingIn(belief).size).toBe(1);
  expect(afterUnchanged(belief, facts(120))).toMatchObject({ bookings: [], doubt: null });
});

it('no coming stay is given up by fewer than three readings or in less than two hours (faults#136)', () => {
  const reading = fc.tuple(fc.subarray(['1', '2', '3', '4', '5']), fc.integer({ min: 1, max: 90 }));
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 12 }), (readings) => {
      let belief = believed('1', '2', '3', '4', '5');
      const absent: { readonly at: number; readonly uids: readonly string[] }[] = [];
      let minutes = 0;
      for (const [uids, pause] of readings) {
        minutes += pause;
        const before = uidsOf(belief);
        belief = afterReading(belief, read(...uids), facts(minutes));
        absent.push({ at: minutes, uids });
        const lost = before.filter((uid) => !uidsOf(belief).includes(uid));
        if (lost.length * 2 > before.length || (lost.length > 0 && lost.length === before.length)) {
          const equal = absent.slice(absent.findLastIndex((one) => one.uids.join() !== uids.join()) + 1);
          expect(equal.length).toBeGreaterThanOrEqual(3);
          expect(minutes - (equal[0]?.at ?? minutes)).toBeGreaterThanOrEqual(120);
        }
      }
    }),
    { numRuns: 500 },
  );
});
