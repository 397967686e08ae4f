// How long something takes, or has been, and hours of the day.
import { afterEach, describe, expect, it } from 'vitest';
import { agoWords, hourWords, lengthWords, waitWords } from '../../../src/words/times.ts';
import { ENGLISH, setLanguage } from '../../../src/words/translate.ts';

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

describe('an hour of the day', () => {
  afterEach(() => setLanguage(ENGLISH));

  it.each([
    ['en-US', '3:00 PM'],
    ['en-GB', '15:00'],
    ['de-DE', '15:00'],
    ['ja-JP', '15:00'],
  ])('is written as a reader in %s does', (locale, words) => {
    setLanguage({ ...ENGLISH, locale });
    expect(hourWords('15:00').replaceAll(/\s/gu, ' ')).toBe(words);
  });

  it('that is none is shown as it was written', () => {
    expect(hourWords('three')).toBe('three');
  });
});
