// Local times and instants, held against Intl and the ECMAScript date parser.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatLocal,
  formatOffset,
  instantOfWall,
  nextWallTime,
  offsetMinutesAt,
  wallClock,
} from '../../src/time/zone.ts';
import { formatCompactTime, parseCompactTime } from '../../src/world/schedule.ts';
import { DAY, HOUR, MINUTE } from './home.ts';

const ZONES = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'Europe/London',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Chatham',
];
const zone = fc.constantFrom(...ZONES);
const minute = fc
  .integer({ min: Date.UTC(2024, 0, 1) / MINUTE, max: Date.UTC(2031, 0, 1) / MINUTE })
  .map((minutes) => minutes * MINUTE);

describe('offsets', () => {
  test.each([
    ['UTC', 0, '+00:00'],
    ['America/St_Johns', -210, '-03:30'],
    ['Asia/Kathmandu', 345, '+05:45'],
    ['America/New_York', -300, '-05:00'],
  ])('%s in January is %i minutes, %s', (timeZone, minutes, text) => {
    expect(offsetMinutesAt(timeZone, Date.UTC(2026, 0, 1))).toBe(minutes);
    expect(formatOffset(minutes)).toBe(text);
  });

  test('a zone that does not exist is a RangeError', () => {
    expect(() => offsetMinutesAt('Atlantis/Harbour', 0)).toThrow(RangeError);
  });
});

describe('texts', () => {
  test('a local time with its offset is the same instant', () => {
    fc.assert(
      fc.property(zone, minute, fc.nat(59_999), (timeZone, at, more) => {
        expect(Date.parse(formatLocal(timeZone, at + more))).toBe(at + more);
      }),
    );
  });

  test('a compact time is the same minute both ways', () => {
    fc.assert(
      fc.property(zone, minute, (timeZone, at) => {
        expect(parseCompactTime(formatCompactTime(timeZone, at))).toBe(at);
      }),
    );
  });

  test('the wall clock shows what Intl shows', () => {
    fc.assert(
      fc.property(zone, minute, (timeZone, at) => {
        const shown = new Intl.DateTimeFormat('sv-SE', {
          timeZone,
          dateStyle: 'short',
          timeStyle: 'medium',
        }).format(at);
        expect(wallClock(timeZone, at).toISOString().slice(0, 19).replace('T', ' ')).toBe(shown);
      }),
    );
  });
});

describe('from the wall to the instant', () => {
  test('a time the wall shows once is that instant, one it shows twice the first', () => {
    fc.assert(
      fc.property(zone, minute, (timeZone, at) => {
        const wall = wallClock(timeZone, at).getTime();
        const found = instantOfWall(timeZone, wall);
        expect(wallClock(timeZone, found).getTime()).toBe(wall);
        expect(found).toBeLessThanOrEqual(at);
        expect(at - found).toBeLessThanOrEqual(HOUR);
      }),
    );
  });

  test('a time that the clocks skip is moved on as they are', () => {
    const skipped = Date.UTC(2026, 2, 8, 2, 30);
    expect(formatLocal('America/New_York', instantOfWall('America/New_York', skipped))).toBe(
      '2026-03-08T03:30:00.000-04:00',
    );
  });

  test('a time that the clocks repeat is its first occurrence', () => {
    const repeated = Date.UTC(2026, 10, 1, 1, 30);
    expect(formatLocal('America/New_York', instantOfWall('America/New_York', repeated))).toBe(
      '2026-11-01T01:30:00.000-04:00',
    );
  });

  test('the next time of day is after now, within a day and an hour, and no other comes between', () => {
    fc.assert(
      fc.property(zone, minute, fc.nat(23), fc.nat(59), (timeZone, at, hours, minutes) => {
        const time = `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
        const next = nextWallTime(timeZone, time, at);
        expect(next).toBeGreaterThan(at);
        expect(next - at).toBeLessThanOrEqual(DAY + HOUR);
        const wanted = Date.parse(`${formatLocal(timeZone, next).slice(0, 10)}T${time}:00Z`);
        expect(next).toBe(instantOfWall(timeZone, wanted));
        expect(instantOfWall(timeZone, wanted - DAY)).toBeLessThanOrEqual(at);
      }),
    );
  });
});
