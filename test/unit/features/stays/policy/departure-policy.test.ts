// What the moves of doors say of a guest who leaves: in any order, and never more than they prove.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lockId } from '../../../../../src/domain/locks/lock.ts';
import { type DoorMove, leftDoor } from '../../../../../src/features/stays/policy/departure-policy.ts';
import { sharedLocks } from '../../../../../src/features/stays/policy/stay-calendar.ts';

const FLAT = lockId('flat');
const HOUSE = lockId('house');
const OWN = new Set([FLAT]);

const move: fc.Arbitrary<DoorMove> = fc.record({
  lock: fc.constantFrom(FLAT, HOUSE),
  at: fc.integer({ min: 0, max: 30 }),
  what: fc.constantFrom('locked', 'unlocked', 'unclear'),
  by: fc.constantFrom('guest', 'outside', 'inside', 'other'),
});
const moves = fc.array(move, { maxLength: 14 });

describe('a guest seems to have left', () => {
  it('only where the code opened a door, the door was then locked from outside, and nobody came after that', () => {
    fc.assert(
      fc.property(moves, (all) => {
        const left = leftDoor(all, OWN);
        if (left === null) {
          return;
        }
        const { lock, at } = left;
        expect(all.some((one) => one.what === 'unlocked' && one.by === 'guest' && one.at < at)).toBe(true);
        expect(
          all.some(
            (one) =>
              one.at === at &&
              one.lock === lock &&
              one.what === 'locked' &&
              (one.by === 'guest' || (one.by === 'outside' && lock === FLAT)),
          ),
        ).toBe(true);
        const since = all.filter((one) => one.at >= at && one.what !== 'locked');
        expect(since.filter((one) => one.lock === lock)).toEqual([]);
        expect(since.filter(({ what, by }) => what === 'unlocked' && by === 'guest')).toEqual([]);
        expect(all.filter((one) => one.at > at && one.lock === lock && one.by === 'inside')).toEqual([]);
      }),
    );
  });

  it('by the same moves in any order, and told twice', () => {
    fc.assert(
      fc.property(moves, fc.infiniteStream(fc.nat()), (all, keys) => {
        const once = new Map(all.map((one) => [one.at, one]));
        const distinct = [...once.values()];
        const [...order] = keys.take(distinct.length);
        const shuffled = distinct.toSorted((a, b) => (order[a.at] ?? 0) - (order[b.at] ?? 0));
        const left = leftDoor(distinct, OWN);
        expect(leftDoor(shuffled, OWN)).toEqual(left);
        expect(leftDoor([...shuffled, ...distinct], OWN)).toEqual(left);
      }),
    );
  });

  it('never by doors that lock themselves, or from within alone', () => {
    fc.assert(
      fc.property(moves, (all) => {
        const quiet = all.filter(({ what, by }) => what !== 'locked' || by === 'inside' || by === 'other');
        expect(leftDoor(quiet, OWN)).toBeNull();
      }),
    );
  });

  it('not where a door was opened in the same instant', () => {
    const made = (what: DoorMove['what'], by: DoorMove['by'], at: number): DoorMove => ({
      lock: FLAT,
      at,
      what,
      by,
    });
    const [used, locked] = [made('unlocked', 'guest', 1), made('locked', 'outside', 2)];
    expect(leftDoor([used, locked], OWN)).toEqual({ lock: FLAT, at: 2 });
    expect(leftDoor([used, made('unlocked', 'inside', 2), locked], OWN)).toBeNull();
    expect(leftDoor([used, locked, made('unlocked', 'other', 2)], OWN)).toBeNull();
  });
});

it('a lock is shared where another home opens it, and not where another portal has the same home', () => {
  const calendar = (id: string, ...locks: readonly string[]) => ({ id, locks: locks.map(lockId) });
  const all = [
    calendar('a', 'house', 'flat'),
    calendar('b', 'flat', 'house'),
    calendar('c', 'house', 'roof'),
  ];
  const [first] = all;
  expect([...(first === undefined ? [] : sharedLocks(first, all))]).toEqual([HOUSE]);
});
