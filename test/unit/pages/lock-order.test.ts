// In which order the overview shows locks, and what they are as a whole.
import { describe, expect, it } from 'vitest';
import { inGlanceOrder, summaryWords } from '../../../web/panel/lock-order.ts';
import { nameOf } from '../../../web/panel/words.ts';
import { aLock } from '../../browser/pretend-account.ts';

describe('the order of locks', () => {
  it('puts the most urgent first, and numbers in names in the order of numbers', () => {
    const locks = [
      aLock('Flat 10'),
      aLock('Flat 9'),
      aLock('Low', { battery: { grade: 'low', percent: 15 } }),
      aLock('Open', { bolt: 'unsecured', leftUnlockedSince: 1 }),
      aLock('Away', { presence: 'offline' }),
      aLock('Stuck', { bolt: 'jammed' }),
    ];
    expect(inGlanceOrder(locks).map((lock) => nameOf(lock))).toEqual([
      'Stuck',
      'Away',
      'Open',
      'Low',
      'Flat 9',
      'Flat 10',
    ]);
  });

  it('counts what is known now, and what was known last', () => {
    const locks = [aLock('Front'), aLock('Back', { presence: 'offline' })];
    expect(summaryWords(locks, true)).toBe('1 locked, 1 unknown');
    expect(summaryWords(locks, false)).toBe('Last known: 2 locked');
  });
});
