// When a lock is gone.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KnownLock } from '../../../../src/domain/locks/absence-policy.ts';
import {
  ABSENCE_BEFORE_REMOVAL_MS,
  isEmptyBelieved,
  isGone,
  isWithdrawn,
  missed,
  present,
} from '../../../../src/domain/locks/absence-policy.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import { named } from '../../../support/named-lock.ts';

const known: KnownLock = {
  id: lockId('lock-1'),
  description: named('Front door'),
  misses: 0,
  missingSince: null,
};
const HALF_HOUR = 30 * 60_000;
const DAY = ABSENCE_BEFORE_REMOVAL_MS;

describe('a lock that is absent from listings', () => {
  it.each<[string, readonly number[], number, boolean, boolean]>([
    ['three times within half an hour stays', [0, 1, 2], HALF_HOUR - 1, true, false],
    ['twice for half an hour stays', [0, 1], HALF_HOUR, true, false],
    ['three times for half an hour leaves', [0, 1, 2], HALF_HOUR, true, true],
    ['with another one stays, however long', [0, 1, 2], DAY, false, false],
  ])('%s at a broker', (_title, times, at, areOthersListed, leaves) => {
    const after = times.reduce((lock, time) => missed(lock, time), known);
    expect(isWithdrawn(after, at, areOthersListed)).toBe(leaves);
  });

  it.each<[string, readonly number[], boolean]>([
    ['once is not gone', [0], false],
    ['twice over a day is not gone', [0, DAY], false],
    ['three times within a day is not gone', [0, 1, DAY - 1], false],
    ['three times over a day is gone (faults#35)', [0, 1, DAY], true],
    ['many times over a day is gone', [0, 1, 2, 3, 4, DAY + 1], true],
  ])('%s', (_title, times, gone) => {
    // At any time: nothing counts from the beginning of the clock.
    for (const start of [0, 5 * DAY]) {
      const seen = times.map((at) => start + at).reduce(missed, known);
      expect(isGone(seen, start + (times.at(-1) ?? 0))).toBe(gone);
    }
    expect(DAY).toBe(86_400_000);
  });

  it('is counted to three, and costs nothing from then on', () => {
    const thrice = [0, 30, 60].reduce(missed, known);
    expect(thrice).toMatchObject({ misses: 3, missingSince: 0 });
    expect(missed(thrice, 90)).toBe(thrice);
  });

  it('begins anew after every listing that contains it', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(DAY), { maxLength: 9 }), (times) => {
        const seen = present(times.toSorted((a, b) => a - b).reduce(missed, known));
        expect([seen.misses, seen.missingSince]).toEqual([0, null]);
        expect(isGone(missed(missed(seen, 2 * DAY), 4 * DAY), 4 * DAY)).toBe(false);
      }),
    );
  });
});

it.each<[string, number | null, number, boolean]>([
  ['is not believed alone', null, 0, false],
  ['is not believed together with one that was asked at once', 0, 1_999, false],
  ['is believed with the second', 0, 2_000, true],
  ['is not believed either at a later time', 10_000, 11_999, false],
  ['is believed with the second then', 10_000, 12_000, true],
])('a listing without any lock %s', (_title, firstAt, askedAt, believed) => {
  expect(isEmptyBelieved(firstAt, askedAt)).toBe(believed);
});
