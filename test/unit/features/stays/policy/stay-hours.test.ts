// The hours of a stay on the clocks of the lock, summer time included.
import { describe, expect, it } from 'vitest';
import { localDay, localHour } from '../../../../../src/domain/time/local-hours.ts';
import type { CalendarTime } from '../../../../../src/features/stays/policy/calendar-ports.ts';
import {
  hasOddArrival,
  hoursOverlap,
  windowOf,
} from '../../../../../src/features/stays/policy/stay-hours.ts';

const PARIS = 'Europe/Paris';
const SETTINGS = { checkIn: '15:00', checkOut: '11:00', minutesBefore: 0, minutesAfter: 0 };
const NONE = { checkIn: null, checkOut: null };

const day = (text: string): CalendarTime => ({ kind: 'day', day: text });
const iso = (at: number): string => new Date(at).toISOString().slice(0, 16);

describe('a stay', () => {
  const hoursOf = (from: string, until: string, more: Partial<typeof SETTINGS> = {}) => {
    const window = windowOf({ start: day(from), end: day(until) }, NONE, { ...SETTINGS, ...more }, PARIS);
    return Object.values(window).map(iso);
  };

  it('of days has the hours of its calendar, in winter and in summer', () => {
    const [arrival, departure] = hoursOf('2026-03-28', '2026-03-30');
    expect([arrival, departure]).toEqual(['2026-03-28T14:00', '2026-03-30T09:00']);
  });

  it('opens before and closes after by the configured minutes', () => {
    const [, , opens, closes] = hoursOf('2026-07-01', '2026-07-02', { minutesBefore: 30, minutesAfter: 15 });
    expect([opens, closes]).toEqual(['2026-07-01T12:30', '2026-07-02T09:15']);
  });

  it('locks no guest out where the clocks skip its hour or show it twice', () => {
    const night = { checkIn: '02:30', checkOut: '02:30' };
    expect(hoursOf('2026-03-29', '2026-03-30', night)[0]).toBe('2026-03-29T01:00');
    expect(hoursOf('2026-10-25', '2026-10-26', night)[0]).toBe('2026-10-25T00:30');
    expect(hoursOf('2026-10-24', '2026-10-25', night)[1]).toBe('2026-10-25T01:30');
  });

  it('with times of its own keeps those, unless a person set others', () => {
    const timed = {
      start: { kind: 'local', local: '2026-07-01T17:00' },
      end: { kind: 'instant', at: Date.UTC(2026, 6, 3, 8, 0, 30) },
    } as const;
    const own = windowOf(timed, NONE, SETTINGS, PARIS);
    expect([iso(own.arrivalAt), iso(own.departureAt)]).toEqual(['2026-07-01T15:00', '2026-07-03T08:00']);
    const set = windowOf(timed, { checkIn: '13:00', checkOut: '12:00' }, SETTINGS, PARIS);
    expect([iso(set.arrivalAt), iso(set.departureAt)]).toEqual(['2026-07-01T11:00', '2026-07-03T10:00']);
  });

  it('arrives at an odd hour before 06:00 on the clocks of the lock, by the calendar alone (faults#153)', () => {
    const isOdd = (start: CalendarTime, settings = SETTINGS): boolean =>
      hasOddArrival({ start, end: { kind: 'local', local: '2026-07-03T10:00' } }, settings, PARIS);
    expect(isOdd({ kind: 'local', local: '2026-07-01T05:59' })).toBe(true);
    expect(isOdd({ kind: 'local', local: '2026-07-01T06:00' })).toBe(false);
    expect(isOdd({ kind: 'instant', at: Date.UTC(2026, 6, 1, 3, 59) })).toBe(true);
    expect(isOdd({ kind: 'instant', at: Date.UTC(2026, 6, 1, 4) })).toBe(false);
    expect(isOdd(day('2026-07-01'), { ...SETTINGS, checkIn: '03:00' })).toBe(false);
  });

  it('is shown in local days and hours', () => {
    const at = Date.UTC(2026, 6, 1, 22, 5);
    expect([localDay(at, PARIS), localHour(at, PARIS)]).toEqual(['2026-07-02', '00:05']);
  });
});

it('two stays of one day overlap when the minutes leave no time between them', () => {
  expect(hoursOverlap(SETTINGS)).toBe(false);
  expect(hoursOverlap({ ...SETTINGS, minutesBefore: 120, minutesAfter: 120 })).toBe(false);
  expect(hoursOverlap({ ...SETTINGS, minutesBefore: 121, minutesAfter: 120 })).toBe(true);
  expect(hoursOverlap({ ...SETTINGS, checkIn: '10:00' })).toBe(true);
});
