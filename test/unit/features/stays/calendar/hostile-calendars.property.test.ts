// For any answer of a portal, reading it ends with valid entries, or with a named problem.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALENDAR_PROBLEMS } from '../../../../../src/features/stays/calendar/calendar-problems.ts';
import { parseCalendar } from '../../../../../src/features/stays/calendar/parse-calendar.ts';
import type { CalendarEntry, CalendarTime } from '../../../../../src/features/stays/policy/calendar-ports.ts';
import { SPAN_2026 } from '../../../../support/calendar-text.ts';
import { hostileCalendars } from '../../../../support/hostile-calendars.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

function isTime(time: CalendarTime): boolean {
  if (time.kind === 'instant') {
    return Number.isSafeInteger(time.at);
  }
  return time.kind === 'day' ? DAY.test(time.day) : LOCAL.test(time.local);
}

const orderOf = (time: CalendarTime): number | string =>
  time.kind === 'instant' ? time.at : time.kind === 'day' ? time.day : time.local;

function faultOf({ uid, sequence, start, end, summary, description }: CalendarEntry): string | null {
  const faults: readonly (readonly [string, boolean])[] = [
    ['uid', uid !== '' && uid.length < 600 && !/\p{Cc}/u.test(uid)],
    ['sequence', Number.isInteger(sequence) && sequence >= 0],
    ['time', isTime(start) && isTime(end)],
    [
      'order',
      // A day may have an hour at its other end.
      start.kind !== end.kind ||
        orderOf(start) < orderOf(end) ||
        (start.kind === 'local' && orderOf(start) === orderOf(end)),
    ],
    ['summary', summary.length <= 200 && !/\p{Cc}/u.test(summary)],
    ['description', description.length <= 2_000 && !/(?!\n)\p{Cc}/u.test(description)],
  ];
  return faults.find(([, isSound]) => !isSound)?.[0] ?? null;
}

describe('a hostile calendar', () => {
  it('gives valid entries, each uid once, or a problem', () => {
    fc.assert(
      fc.property(hostileCalendars, (text) => {
        const parsed = parseCalendar(text, SPAN_2026);
        if (parsed.kind === 'failed') {
          expect(CALENDAR_PROBLEMS).toContain(parsed.problem);
          return;
        }
        expect(parsed.entries.map(faultOf).filter((fault) => fault !== null)).toEqual([]);
        expect(new Set(parsed.entries.map(({ uid }) => uid)).size).toBe(parsed.entries.length);
        expect(parsed.entries.length).toBeLessThanOrEqual(10_000);
      }),
      { numRuns: Number(process.env['CALENDARS'] ?? 300) },
    );
  });
});
