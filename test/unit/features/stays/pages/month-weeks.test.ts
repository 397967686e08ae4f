// The picture of a month: which days it has, and where the bars of stays begin and end.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BookedDays, monthAfter, monthWeeks } from '../../../../../web/panel/stays/month-weeks.ts';

const day = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10);
const booked = fc
  .record({ from: fc.integer({ min: 20_400, max: 20_500 }), nights: fc.integer({ min: 0, max: 40 }) })
  .map(({ from, nights }): BookedDays => ({ arrivalDay: day(from), departureDay: day(from + nights) }));

describe('the picture of a month', () => {
  test('begins with the Monday before the first day, and ends with the Sunday after the last', () => {
    const weeks = monthWeeks('2026-12', []);
    expect(weeks.map(({ days }) => days[0]?.day)).toEqual([
      '2026-11-30',
      '2026-12-07',
      '2026-12-14',
      '2026-12-21',
      '2026-12-28',
    ]);
    expect(weeks.at(-1)?.days.at(-1)).toEqual({ day: '2027-01-03', isOfMonth: false });
    expect(monthWeeks('2027-02', [])).toHaveLength(4);
  });

  test('begins with the Sunday before the first day where weeks begin so, and not a week early', () => {
    const sunday = 6;
    expect(monthWeeks('2026-12', [], sunday).map(({ days }) => days[0]?.day)).toEqual([
      '2026-11-29',
      '2026-12-06',
      '2026-12-13',
      '2026-12-20',
      '2026-12-27',
    ]);
    expect(monthWeeks('2026-11', [], sunday)[0]?.days[0]).toEqual({ day: '2026-11-01', isOfMonth: true });
  });

  test('goes from month to month, also over a year', () => {
    expect(monthAfter('2026-12', 1)).toBe('2027-01');
    expect(monthAfter('2026-01', -1)).toBe('2025-12');
  });

  test('shows two stays in one line, where one ends in the morning and the next begins in the afternoon of a day', () => {
    const first = { arrivalDay: '2026-12-08', departureDay: '2026-12-10' };
    const second = { arrivalDay: '2026-12-10', departureDay: '2026-12-15' };
    const [, week, next] = monthWeeks('2026-12', [second, first]);
    expect(week?.lines).toHaveLength(1);
    expect(week?.lines[0]?.map(({ stay, halves }) => [stay, halves])).toEqual([
      [null, 3],
      [first, 4],
      [second, 7],
    ]);
    expect(week?.lines[0]?.at(-1)?.goesOn).toEqual({ before: false, after: true });
    expect(next?.lines[0]?.[0]).toEqual({ stay: second, halves: 3, goesOn: { before: true, after: false } });
  });

  test('has a line for each of several overlapping stays', () => {
    const one = { arrivalDay: '2026-12-08', departureDay: '2026-12-10' };
    const other = { arrivalDay: '2026-12-09', departureDay: '2026-12-11' };
    expect(monthWeeks('2026-12', [one, other])[1]?.lines).toHaveLength(2);
  });

  test('fills each line of a week exactly, and shows each half day of a stay once', () => {
    fc.assert(
      fc.property(fc.array(booked, { maxLength: 8 }), (stays) => {
        const weeks = monthWeeks('2025-12', stays);
        for (const { lines } of weeks) {
          for (const line of lines) {
            expect(line.reduce((sum, { halves }) => sum + halves, 0)).toBe(14);
            expect(line.some(({ stay }) => stay !== null)).toBe(true);
          }
        }
        const shown = weeks.flatMap(({ lines }) => lines.flat()).filter(({ stay }) => stay !== null);
        const [first = '', last = ''] = [weeks[0]?.days[0]?.day, weeks.at(-1)?.days.at(-1)?.day];
        for (const one of stays) {
          const halves = shown
            .filter(({ stay }) => stay === one)
            .reduce((sum, piece) => sum + piece.halves, 0);
          if (one.arrivalDay >= first && one.departureDay <= last) {
            const nights = (Date.parse(one.departureDay) - Date.parse(one.arrivalDay)) / 86_400_000;
            expect(halves).toBe(Math.max(1, nights) * 2);
          }
        }
      }),
    );
  });
});
