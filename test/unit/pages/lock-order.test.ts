// In which order the overview shows locks, and what they are as a whole.
import { describe, expect, it } from 'vitest';
import { countsOf, inGlanceOrder } from '../../../web/panel/lock-order.ts';
import { nameOf } from '../../../web/panel/words.ts';
import { aLock } from '../../browser/pretend-account.ts';

describe('the order of locks', () => {
  it('puts the most urgent first, and numbers in names in the order of numbers', () => {
    const locks = [
      aLock('Flat 10'),
      aLock('Flat 9'),
      aLock('Low', { battery: { grade: 'low', percent: 15 } }),
      aLock('Nobody knows', { bolt: 'unknown' }),
      aLock('Open', { bolt: 'unsecured' }),
      aLock('Left open', { bolt: 'unsecured', leftUnlockedSince: 1 }),
      aLock('Away', { presence: 'offline' }),
      aLock('Stuck', { bolt: 'jammed' }),
    ];
    expect(inGlanceOrder(locks).map((lock) => nameOf(lock))).toEqual([
      'Stuck',
      'Left open',
      'Open',
      'Away',
      'Nobody knows',
      'Low',
      'Flat 9',
      'Flat 10',
    ]);
  });

  it('counts what is known now, and what was known last', () => {
    const locks = [
      aLock('Front'),
      aLock('Back', { presence: 'offline', battery: { grade: 'low', percent: 9 } }),
    ];
    const words = (isCurrent: boolean): readonly string[] =>
      countsOf(locks, isCurrent).map(({ kind, count }) => `${String(count)} ${kind}`);
    expect(words(true)).toEqual(['1 offline', '1 low battery', '1 locked']);
    expect(words(false)).toEqual(['1 low battery', '2 locked']);
  });
});
