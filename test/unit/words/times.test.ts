// How long something takes, or has been.
import { describe, expect, it } from 'vitest';
import { agoWords, lengthWords, waitWords } from '../../../src/words/times.ts';

describe('time in words', () => {
  it.each([
    [0, 'just now'],
    [4_999, 'just now'],
    [5_000, '5 seconds ago'],
    [59_999, '59 seconds ago'],
    [60_000, '1 minute ago'],
    [-5_000, 'just now'],
    [119_000, '2 minutes ago'],
    [120_000, '2 minutes ago'],
    [3 * 3_600_000, '3 hours ago'],
    [3 * 86_400_000, '3 days ago'],
  ])('%d ms is "%s"', (ms, words) => {
    expect(agoWords(ms)).toBe(words);
  });

  it('has no length for what takes less than five seconds, and always one for a wait', () => {
    expect([lengthWords(4_000), waitWords(4_000), waitWords(1)]).toEqual(['', '4 seconds', '1 second']);
    expect(waitWords(7_200_000)).toBe('2 hours');
  });
});
