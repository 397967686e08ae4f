// Which reading of a calendar is believed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterReading,
  afterUnchanged,
  type Belief,
  NOTHING_BELIEVED,
} from '../../../../src/domain/stays/belief-policy.ts';
import type { Booking } from '../../../../src/domain/stays/stay.ts';

const MINUTE_MS = 60_000;
const NOW = 1_776_168_000_000;

const booking = (uid: string, more: Partial<Booking> = {}): Booking => ({
  uid,
  sequence: 0,
  start: { kind: 'day', day: `2026-05-${uid.padStart(2, '0')}` },
  end: { kind: 'day', day: '2026-06-01' },
  summary: '',
  phone4: null,
  ...more,
});

const facts = (minutes = 0, cancelled: readonly string[] = [], isComing = true) => ({
  now: NOW + minutes * MINUTE_MS,
  cancelled: new Set(cancelled),
  isComing: () => isComing,
});

const believed = (...uids: readonly string[]): Belief => ({
  bookings: uids.map((uid) => booking(uid)),
  doubt: null,
});
const read = (...uids: readonly string[]): readonly Booking[] => uids.map((uid) => booking(uid));
const uidsOf = ({ bookings }: Belief): readonly string[] => bookings.map(({ uid }) => uid);

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
    expect(uidsOf(after)).toEqual(['1', '2', '3', '9']);
    expect(after.doubt).toMatchObject({ lost: 3, readings: 1 });
  });

  it('is believed with the third equal reading, and not before two hours', () => {
    let belief = afterReading(believed('1', '2'), [], facts(0));
    belief = afterReading(belief, [], facts(15));
    belief = afterReading(belief, [], facts(30));
    expect(belief.doubt).toMatchObject({ readings: 3 });
    belief = afterReading(belief, [], facts(119));
    expect(belief.doubt).not.toBeNull();
    expect(afterReading(belief, [], facts(120))).toEqual({ bookings: [], doubt: null });
    const two = afterReading(afterReading(believed('1'), [], facts(0)), [], facts(180));
    expect(two.doubt).not.toBeNull();
  });

  it('that differs from the doubted one begins the doubt anew, and a whole one ends it', () => {
    const belief = afterReading(believed('1', '2', '3'), [], facts(0));
    expect(afterReading(belief, read('1'), facts(60)).doubt).toMatchObject({
      readings: 1,
      firstAt: NOW + 3_600_000,
    });
    expect(afterReading(belief, read('1', '2', '3'), facts(60)).doubt).toBeNull();
  });

  it('proves nothing of stays that have begun, and its own cancellations are no losses', () => {
    expect(afterReading(believed('1', '2'), [], facts(0, [], false)).doubt).toBeNull();
    expect(afterReading(believed('1', '2'), [], facts(0, ['1', '2'])).doubt).toBeNull();
  });

  it('with other ids for the same dates has lost nothing', () => {
    const dated = (phone4: string | null, ...uids: readonly string[]) =>
      uids.map((uid) => booking(uid.at(-1) ?? '', { uid, phone4 }));
    const again = dated(null, 'new-1', 'new-2');
    expect(uidsOf(afterReading(believed('1', '2'), again, facts()))).toEqual(['new-1', 'new-2']);
    const others = dated('1234', 'new-1', 'new-2');
    const known = { bookings: dated('4711', '1', '2'), doubt: null };
    expect(afterReading(known, others, facts()).doubt).not.toBeNull();
  });

  it('does not bring back an older version of an entry', () => {
    const before: Belief = { bookings: [booking('1', { sequence: 2 })], doubt: null };
    expect(afterReading(before, [booking('1', { sequence: 1, summary: 'old' })], facts()).bookings).toEqual(
      before.bookings,
    );
  });
});

it('a calendar that is "unchanged" repeats its last reading', () => {
  const sure = believed('1');
  expect(afterUnchanged(sure, NOW)).toBe(sure);
  let belief = afterReading(sure, [], facts(0));
  belief = afterUnchanged(belief, NOW + 60 * MINUTE_MS);
  expect(belief.doubt).toMatchObject({ readings: 2 });
  expect(afterUnchanged(belief, NOW + 120 * MINUTE_MS)).toEqual({ bookings: [], doubt: null });
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
