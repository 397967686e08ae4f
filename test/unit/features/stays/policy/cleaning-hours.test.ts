// When whoever cleans may come in: never inside a stay, across zones and daylight saving.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lockId } from '../../../../../src/domain/locks/lock.ts';
import {
  calendarsOf,
  cleaningHours,
  nextGap,
  takenBy,
} from '../../../../../src/features/stays/policy/cleaning-hours.ts';
import type { Stay } from '../../../../../src/features/stays/policy/stay.ts';
import { NO_OWN_HOURS, windowOf } from '../../../../../src/features/stays/policy/stay-hours.ts';
import type { Span } from '../../../../../src/features/stays/policy/stay-windows.ts';
import { aCalendar } from '../../../../homes/stay-home.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The week in which the clocks of Europe go back, and the one in which those of New York do. */
const BASE = Date.parse('2026-10-20T00:00:00Z');
const ZONES = ['UTC', 'Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
const [HOUSE, FLAT, OTHER] = [lockId('house'), lockId('flat'), lockId('other')];

const at = (text: string): number => Date.parse(text);
const span = fc
  .tuple(fc.integer({ min: 0, max: 20 * 24 * 4 }), fc.integer({ min: 1, max: 5 * 24 * 4 }))
  .map(([from, quarters]): Span => {
    const opensAt = BASE + from * 15 * MINUTE;
    return { opensAt, closesAt: opensAt + quarters * 15 * MINUTE };
  });
const spans = fc.array(span, { maxLength: 12 });
const anHour = fc.option(
  fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '30'))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`),
);
const facts = fc.record({
  taken: spans,
  until: anHour,
  zone: fc.constantFrom(...ZONES),
  now: fc.integer({ min: 0, max: 25 * 24 }).map((hours) => BASE + hours * HOUR),
});

const instant = fc.integer({ min: -3 * 24, max: 25 * 24 }).map((hours) => BASE + hours * HOUR);
/** When calendars that cannot be read were read last; null: they can. */
const unread = fc.option(instant);

const overlap = (a: Span, b: Span): boolean => a.opensAt < b.closesAt && b.opensAt < a.closesAt;

describe('the hours of whoever cleans', () => {
  it('never lie inside a stay, whatever was known and whether or not the calendars were read', () => {
    const known = fc.option(span);
    fc.assert(
      fc.property(facts, known, unread, (said, before, unreadSince) => {
        const hours = cleaningHours(before, unreadSince, said);
        const isOpen = hours !== null && hours.closesAt > said.now;
        const coming = said.taken.filter(({ closesAt }) => closesAt > said.now);
        expect(isOpen && coming.some((one) => overlap(one, hours))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('begin with a check-out, and end with the next check-in or earlier', () => {
    fc.assert(
      fc.property(facts, (said) => {
        const gap = nextGap(said);
        if (gap !== null) {
          const next = Math.min(
            ...said.taken.map(({ opensAt }) => opensAt).filter((one) => one >= gap.opensAt),
          );
          expect(said.taken.some(({ closesAt }) => closesAt === gap.opensAt)).toBe(true);
          expect(gap.closesAt).toBeLessThanOrEqual(next);
          expect(gap.closesAt).toBeGreaterThan(said.now);
          expect(gap.closesAt - gap.opensAt).toBeLessThanOrEqual(said.until === null ? 7 * DAY : 26 * HOUR);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('never become wider while a calendar cannot be read, and end a day after it was read', () => {
    fc.assert(
      fc.property(facts, span, instant, (said, before, unreadSince) => {
        const hours = cleaningHours(before, unreadSince, said);
        const isOver = before.closesAt <= said.now;
        const isWithin =
          hours === null ||
          (hours.opensAt >= before.opensAt &&
            hours.closesAt <= Math.min(before.closesAt, unreadSince + DAY) &&
            hours.closesAt > hours.opensAt);
        expect(isOver ? hours === before : isWithin).toBe(true);
        expect(cleaningHours(null, unreadSince, said)).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  it('are none without a check-out to come, unless a gap is under way', () => {
    const none = { taken: [], until: null, zone: 'UTC', now: BASE };
    expect(cleaningHours({ opensAt: BASE + HOUR, closesAt: BASE + DAY }, null, none)).toBeNull();
    const underWay = { opensAt: BASE - HOUR, closesAt: BASE + HOUR };
    expect(cleaningHours(underWay, null, none)).toBe(underWay);
  });

  it('end at the hour that was set, on the clocks of the lock, also on a day of 25 hours', () => {
    const stay = { opensAt: at('2026-10-22T13:00Z'), closesAt: at('2026-10-24T22:30Z') };
    const said = { taken: [stay], zone: 'Europe/Paris', now: at('2026-10-23T00:00Z') };
    // 00:30 on 25 October, in summer time; the hour comes in winter time.
    expect(nextGap({ ...said, until: '18:00' })?.closesAt).toBe(at('2026-10-25T17:00Z'));
    // Shown twice: the earlier one counts.
    expect(nextGap({ ...said, until: '02:30' })?.closesAt).toBe(at('2026-10-25T00:30Z'));
    expect(nextGap({ ...said, until: '00:15' })?.closesAt).toBe(at('2026-10-25T23:15Z'));
  });
});

describe('the calendars that count', () => {
  const one = aCalendar('one', [HOUSE, FLAT]);
  const portal = aCalendar('portal', [FLAT]);
  const neighbour = aCalendar('neighbour', [HOUSE, OTHER]);

  it('are those of the same doors, also where they were not chosen, and not those of another flat', () => {
    const of = (...calendars: readonly string[]) =>
      calendarsOf({ calendars, until: null }, [one, portal, neighbour]).map(({ id }) => id);
    expect(of('one')).toEqual(['one', 'portal']);
    expect(of('neighbour')).toEqual(['neighbour']);
    expect(of('gone')).toEqual([]);
  });
});

describe('the time that a stay takes', () => {
  const calendar = aCalendar('one', [HOUSE, FLAT], {
    minutesAfter: 30,
    lockHours: [{ lock: HOUSE, minutesBefore: 180, minutesAfter: 90 }],
  });
  const days = {
    start: { kind: 'day', day: '2026-10-22' },
    end: { kind: 'day', day: '2026-10-25' },
  } as const;
  const window = windowOf(days, NO_OWN_HOURS, calendar, 'Europe/Paris');
  const stay = { window, isCancelled: false, isSkipped: false, arrivedAt: null } as unknown as Stay;

  it('is that in which its code opens the flat, whatever the door of the house does', () => {
    expect(takenBy(stay, calendar)).toEqual([
      { opensAt: at('2026-10-22T13:00Z'), closesAt: at('2026-10-25T10:30Z') },
    ]);
  });

  it('is none once it is cancelled, unless the guest was seen; a skipped stay takes its time', () => {
    expect(takenBy({ ...stay, isCancelled: true }, calendar)).toEqual([]);
    expect(takenBy({ ...stay, isCancelled: true, arrivedAt: 1 }, calendar)).toHaveLength(1);
    expect(takenBy({ ...stay, isSkipped: true }, calendar)).toHaveLength(1);
  });

  it('ends with a check-out before its end', () => {
    const early = at('2026-10-24T07:00Z');
    expect(takenBy({ ...stay, checkedOutAt: early }, calendar)).toEqual([
      { opensAt: at('2026-10-22T13:00Z'), closesAt: early },
    ]);
    expect(takenBy({ ...stay, checkedOutAt: at('2026-10-25T12:00Z') }, calendar)).toEqual(
      takenBy(stay, calendar),
    );
  });
});
