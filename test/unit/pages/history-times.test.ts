// Times of a history in words, on the clocks of the lock.
import { afterEach, describe, expect, it } from 'vitest';
import { ENGLISH, setLanguage } from '../../../src/words/translate.ts';
import {
  clocksThere,
  dayThere,
  gapThere,
  shortDay,
  shortHour,
  spokenHour,
  weeksBefore,
} from '../../../web/panel/history/times.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

afterEach(() => setLanguage(ENGLISH));

/** Some engines set a narrow space before AM and PM. */
function plain(words: string): string {
  return words.replaceAll(/\s/gu, ' ');
}

describe('times at a lock', () => {
  const at = Date.UTC(2026, 3, 14, 9, 33);

  it.each([
    [0, '9:33 AM'],
    [HOUR, '9:33–10:33 AM'],
    [4 * HOUR, '9:33 AM–1:33 PM'],
  ])('name a half of the day once where both ends are in it (%i ms)', (ms, words) => {
    expect(plain(clocksThere(at, at + ms, 0))).toBe(words);
    expect(plain(clocksThere(at - 2 * HOUR, at - 2 * HOUR + ms, 120))).toBe(words);
  });

  it('give a stretch its days only where it reaches over midnight at the lock, and years where they differ', () => {
    const from = Date.UTC(2026, 3, 14, 3, 27);
    expect(plain(gapThere(from, from + 42 * MINUTE, 60))).toBe('No record from 4:27 to 5:09 AM');
    expect(plain(gapThere(from, from + 8 * HOUR, 60))).toBe('No record from 4:27 AM to 12:27 PM');
    expect(plain(gapThere(from, from + 42 * MINUTE, -240))).toBe(
      'No record from Apr 13, 11:27 PM to Apr 14, 12:09 AM',
    );
    expect(plain(gapThere(Date.UTC(2025, 11, 31, 23), Date.UTC(2026, 0, 1, 5), 0))).toBe(
      'No record from Dec 31, 2025, 11:00 PM to Jan 1, 2026, 5:00 AM',
    );
  });

  it.each([
    [0, 'Today'],
    [10 * HOUR, 'Today'],
    [10.1 * HOUR, 'Yesterday'],
    [34 * HOUR, 'Yesterday'],
    [34.1 * HOUR, 'Sunday, April 12, 2026'],
    [-24 * HOUR, 'Wednesday, April 15, 2026'],
  ])('call a day by its name at the lock (%i ms ago)', (ms, day) => {
    // The day is ten hours and three minutes old there.
    expect(dayThere(at - ms, 30, at, 30)).toBe(day);
  });

  it('follow the present clocks for today, and the former ones for the entry', () => {
    const [sunday, now] = [Date.UTC(2026, 2, 8, 6, 30), Date.UTC(2026, 2, 9, 4, 30)];
    // In New York clocks went forward in between: it is half past midnight on Monday.
    expect(dayThere(sunday, -300, now, -240)).toBe('Yesterday');
  });

  it.each([
    ['en-US', '12 AM', '12 AM', '3 PM', '3 PM'],
    ['en-GB', '00', '00:00', '15', '15:00'],
    ['de-DE', '00', '00:00', '15', '15:00'],
    ['fr-FR', '00', '00:00', '15', '15:00'],
    ['ja-JP', '0', '0:00', '15', '15:00'],
  ])('write an hour of the day as a reader in %s does, and say what they show', (tag, ...wanted) => {
    setLanguage({ ...ENGLISH, locale: tag });
    expect([shortHour(0), spokenHour(0), shortHour(15), spokenHour(15)].map(plain)).toEqual(wanted);
  });

  it('have a short form of a date', () => {
    expect(shortDay('2026-04-14')).toBe('14 Tue');
  });

  it.each([
    ['2026-04-14', 0],
    ['2026-04-08', 0],
    ['2026-04-07', 1],
    ['2025-04-15', 52],
    ['2026-04-20', 0],
  ])('count the weeks back to %s: %i', (date, weeks) => {
    expect(weeksBefore(date, '2026-04-14')).toBe(weeks);
  });

  it('are written as in the language of the reader', () => {
    setLanguage({
      code: 'de',
      locale: 'de-AT',
      messages: {
        'No record from {begin} to {end}': 'Keine Aufzeichnung von {begin} bis {end}',
        Yesterday: 'Gestern',
      },
    });
    expect(gapThere(at, at + 4 * HOUR, 60)).toBe('Keine Aufzeichnung von 10:33 bis 14:33');
    expect(clocksThere(at, at + 4 * HOUR, 0)).toBe('09:33–13:33');
    expect(dayThere(at - 24 * HOUR, 0, at, 0)).toBe('Gestern');
    expect(dayThere(at - 48 * HOUR, 0, at, 0)).toBe('Sonntag, 12. April 2026');
  });
});
