// The number of digits that fits several locks, from what their codes and refusals have taught.
import { expect, it } from 'vitest';
import {
  afterRefusing,
  afterTaking,
  commonLength,
  NOTHING_LEARNED,
  type TakenLengths,
} from '../../../../src/domain/codes/pin-length.ts';

const ANY: TakenLengths = { anyLength: true, knownLength: null, refusedLengths: [] };
const UNKNOWN: TakenLengths = { ...ANY, anyLength: false };
const takes = (knownLength: number): TakenLengths => ({ ...UNKNOWN, knownLength });
const refuses = (...refusedLengths: number[]): TakenLengths => ({ ...UNKNOWN, refusedLengths });

it.each([
  ['locks that take any length', [ANY, ANY], 6],
  ['no lock', [], 6],
  ['a lock of which nothing is known', [ANY, UNKNOWN], 4],
  ['a lock that refused four digits', [ANY, refuses(4)], 5],
  ['a lock that takes five', [ANY, UNKNOWN, takes(5)], 5],
  ['a lock that takes five beside one that refused them', [takes(5), refuses(5)], null],
  ['locks that take different ones', [takes(4), takes(6)], null],
  ['a lock that refused all', [refuses(4, 5, 6, 7, 8)], null],
])('the suggested length for %s is %3$o', (_, locks, length) => {
  expect(commonLength(locks)).toBe(length);
});

it('a refused length counts as refused until the lock accepts it', () => {
  const taken = afterTaking(NOTHING_LEARNED, 4);
  const refused = afterRefusing(afterRefusing(taken, 6), 4);
  expect([taken, refused]).toEqual([
    { taken: 4, refused: [] },
    { taken: null, refused: [4, 6] },
  ]);
  expect(afterTaking(refused, 6)).toEqual({ taken: 6, refused: [4] });
});
