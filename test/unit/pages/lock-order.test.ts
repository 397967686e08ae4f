// The order in which the overview shows locks, and their counts.
import { describe, expect, it } from 'vitest';
import { nameOf } from '../../../src/words/locks.ts';
import { countsOf, inGlanceOrder } from '../../../web/panel/overview/lock-order.ts';
import { aLock } from '../../stand-ins/account/operations.ts';

describe('the order of locks', () => {
  it('has the most urgent lock first, and numbers in names in numeric order', () => {
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

  it('counts present and last known states', () => {
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
