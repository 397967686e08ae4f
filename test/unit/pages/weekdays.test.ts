// The days of the week, in the order and the words of the reader.
import { afterEach, describe, expect, it } from 'vitest';
import { ENGLISH, setLanguage } from '../../../src/words/translate.ts';
import { firstWeekday, readersWeek } from '../../../web/panel/parts/weekdays.ts';

afterEach(() => setLanguage(ENGLISH));

describe('the week of a reader', () => {
  it.each([
    ['de-AT', 0, 'Monday', 'Mo', 'Montag', 'So'],
    ['en-GB', 0, 'Monday', 'Mon', 'Monday', 'Sun'],
    ['en-US', 6, 'Sunday', 'Sun', 'Sunday', 'Sat'],
    ['ja-JP', 6, 'Sunday', '日', '日曜日', '土'],
  ])(
    'begins in %s on day %i, and keeps the names that schedules have',
    (tag, first, day, short, long, last) => {
      setLanguage({ ...ENGLISH, locale: tag });
      expect(firstWeekday()).toBe(first);
      expect(readersWeek()[0]).toEqual({ day, short, long });
      expect(readersWeek().at(-1)?.short).toBe(last);
      expect(new Set(readersWeek().map((one) => one.day)).size).toBe(7);
    },
  );
});
