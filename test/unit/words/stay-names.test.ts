// Names of stays for a reader: in the reader's language, and with the flat.
import { afterEach, describe, expect, test } from 'vitest';
import { spokenName, stayTitle } from '../../../src/words/stay-names.ts';
import { ENGLISH, setLanguage } from '../../../src/words/translate.ts';

describe('the name of a stay for a reader', () => {
  afterEach(() => setLanguage(ENGLISH));

  test.each([
    ['en', 'Nov 26 – 29, Flat 1'],
    ['en-GB', '26 – 29 Nov, Flat 1'],
    ['de', '26.–29. Nov., Flat 1'],
    ['ja', '11/26～11/29, Flat 1'],
  ])('has its dates in the reader’s language, and the flat: %s', (locale, title) => {
    setLanguage({ ...ENGLISH, code: locale.slice(0, 2), locale });
    expect(stayTitle('Stay 26-29 Nov', 'Flat 1')).toBe(title);
  });

  test('says no year over the end of one, and keeps the letter of a second stay', () => {
    expect(stayTitle('Stay 30 Dec-2 Jan', 'Flat 1')).toBe('Dec 30 – Jan 2, Flat 1');
    expect(stayTitle('Stay 26-29 Nov B', 'Flat 1')).toBe('Nov 26 – 29 B, Flat 1');
    expect(spokenName('Stay 29 Feb-1 Mar')).toBe('Stay Feb 29 – Mar 1');
  });

  test('stays as it is where it was made of words', () => {
    expect(stayTitle('Anna', 'Flat 1')).toBe('Anna');
    expect(spokenName('Stay with us')).toBe('Stay with us');
  });
});
