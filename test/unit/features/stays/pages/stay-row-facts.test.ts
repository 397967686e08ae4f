// What a row of the page shows of a stay, and what is typed of a calendar.

import { afterEach, describe, expect, test } from 'vitest';
import { message } from '../../../../../src/domain/language/message.ts';
import { lockId } from '../../../../../src/domain/locks/lock.ts';
import type { StayView } from '../../../../../src/features/stays/panel/views.ts';
import { ENGLISH, setLanguage } from '../../../../../src/words/translate.ts';
import {
  changeOf,
  faultsBefore,
  suggestedName,
  type TypedCalendar,
  typedCalendar,
  wordsOf,
} from '../../../../../web/panel/stays/calendar-draft.ts';
import { groupOf, ownObstacles, whenWords } from '../../../../../web/panel/stays/stay-row-facts.ts';
import { aCalendar, aStay } from '../../../../stand-ins/account/stays.ts';

const ZONE = 'Europe/Paris';
const AT = Date.UTC(2026, 11, 12, 14);

/** From the 12th to the 15th of December. */
function stay(options: Partial<StayView> = {}): StayView {
  const days = { arrivalDay: '2026-12-12', departureDay: '2026-12-15' };
  return aStay(0, 3, { ...days, opensAt: AT, closesAt: AT + 3 * 86_400_000, ...options });
}

afterEach(() => setLanguage(ENGLISH));

describe('the row of a stay', () => {
  test('has its dates and hours at the lock, and the zone where it is not that of the page', () => {
    expect(whenWords(stay(), ZONE)).toBe('Sat, Dec 12, 15:00 to Tue, Dec 15, 11:00');
    expect(whenWords(stay({ hasOwnHours: true }), 'UTC')).toBe(
      'Sat, Dec 12, 15:00 to Tue, Dec 15, 11:00 (Europe/Paris). Hours changed',
    );
  });

  test('stands with the present guests from when its code opens, and is never folded while a code may be left', () => {
    expect(groupOf(stay(), AT - 1)).toBe('coming');
    expect(groupOf(stay(), AT)).toBe('now');
    expect(groupOf(stay({ phase: 'leaving' }), AT)).toBe('leaving');
    expect(groupOf(stay({ phase: 'gone' }), AT)).toBe('ended');
  });

  test('leaves the state of each lock to the list of its locks', () => {
    const on = { lockId: lockId('a'), lockName: 'Front door', codeId: null, isLeaving: false };
    const onLocks = [{ ...on, standing: { kind: 'up-to-date' }, mayRetry: false, revision: 1 }] as const;
    const obstacles = [
      message('{lock}: {words}', { lock: 'Front door', words: message('The lock is offline.') }),
      message('Another booking has {day} as well.', { day: '2026-12-12' }),
    ];
    expect(ownObstacles(stay({ obstacles, onLocks }))).toEqual(['Another booking has 2026-12-12 as well.']);
    setLanguage({ code: 'fr', locale: 'fr', messages: { '{lock}: {words}': '{lock}\u00A0: {words}' } });
    expect(ownObstacles(stay({ obstacles, onLocks }))).toHaveLength(1);
  });
});

describe('a new calendar', () => {
  test('is named after its only lock, and unlike all others', () => {
    const lock = (name: string) => ({ id: lockId(name), name });
    const calendar = (name: string, ...locks: readonly string[]) => ({ name, locks: locks.map(lockId) });
    expect(suggestedName([lock('Front door')], [])).toBe('Front door');
    const others = [calendar('front DOOR'), calendar('Front door 2')];
    expect(suggestedName([lock('Front door')], others)).toBe('Front door 3');
    expect(suggestedName([lock('A'), lock('B')], [calendar('Bookings')])).toBe('Bookings 2');
    expect(suggestedName([lock('x'.repeat(80))], []).length).toBeLessThanOrEqual(40);
  });

  test('with the house door is named after the lock that no other calendar has', () => {
    const [house, flat] = [
      { id: lockId('house'), name: 'House door' },
      { id: lockId('flat2'), name: 'Flat 2' },
    ];
    expect(
      suggestedName([house, flat], [{ name: 'Flat 1', locks: [lockId('house'), lockId('flat1')] }]),
    ).toBe('Flat 2');
  });

  test('has the words that mark no stay, between commas', () => {
    expect(wordsOf(' Blocked, ,Owner stay ')).toEqual(['Blocked', 'Owner stay']);
  });
});

describe('a calendar in the form', () => {
  const front = lockId('front');
  const typed = (options: Partial<TypedCalendar>): TypedCalendar => ({
    ...typedCalendar(null, [front]),
    ...options,
  });

  test('has the only lock chosen, and of several locks none', () => {
    expect(typedCalendar(null, [front]).locks).toEqual([front]);
    expect(typedCalendar(null, [front, lockId('back')]).locks).toEqual([]);
  });

  test('is sent with the members that were touched, and the address where one was typed', () => {
    const opened = typed({});
    expect(changeOf(opened, opened)).toEqual({});
    const changes = { address: ' https://a.example ', minutesBefore: '30', notStays: 'Busy', endEarly: true };
    expect(changeOf(opened, { ...opened, ...changes })).toEqual({
      address: 'https://a.example',
      minutesBefore: 30,
      notStays: ['Busy'],
      endEarly: true,
    });
  });

  test('from a page never holds the address that is stored', () => {
    const saved = typedCalendar(aCalendar({ name: 'Flat' }), [front]);
    expect(saved).toMatchObject({ address: '', name: 'Flat', daysAhead: '7' });
  });

  test('needs an address when it is new, a lock, and whole numbers', () => {
    expect(faultsBefore(typed({ locks: [], daysAhead: 'x' }), true).map(({ field }) => field)).toEqual([
      'address',
      'locks',
      'daysAhead',
    ]);
    expect(faultsBefore(typed({}), false)).toEqual([]);
  });
});
