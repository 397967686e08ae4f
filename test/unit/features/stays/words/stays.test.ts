// What is said of stays and calendars, on the pages and on the command line.
import { describe, expect, test } from 'vitest';
import { message } from '../../../../../src/domain/language/message.ts';
import {
  checkWords,
  entryWords,
  phaseWords,
  readingWords,
} from '../../../../../src/features/stays/words/stays.ts';

type Stay = Parameters<typeof phaseWords>[0];

const AT = Date.UTC(2026, 11, 12, 14);
const time = (at: number): string => new Date(at).toISOString().slice(11, 16);

const STAY: Stay = {
  phase: 'planned',
  timeZone: 'Europe/Paris',
  isSkipped: false,
  isCancelled: false,
  codeFromAt: AT - 7 * 86_400_000,
  guestId: null,
  arrivalAt: AT,
  readyAt: null,
  arrivedAt: null,
  goneAt: null,
  checkedOutAt: null,
  obstacles: [],
};

describe('a stay in words', () => {
  test.each<[Partial<Stay>, string, string]>([
    [{ phase: 'planned' }, 'plain', 'Code from Sat, Dec 5, 15:00'],
    [{ phase: 'preparing' }, 'plain', 'Adding the code …'],
    [{ phase: 'ready' }, 'good', 'Code ready on every lock'],
    [{ phase: 'arrived', arrivedAt: AT + 40 * 60_000 }, 'good', 'Arrived Sat, Dec 12, 15:40'],
    [{ phase: 'leaving' }, 'plain', 'Removing the code …'],
    [{ phase: 'skipped' }, 'plain', 'Skipped, no code'],
    [{ phase: 'skipped', guestId: 'g1' }, 'plain', 'Skipped, removing the code …'],
    [{ phase: 'gone', goneAt: AT }, 'plain', 'Ended, code gone Sat, Dec 12, 15:00'],
    [{ phase: 'gone', goneAt: AT, readyAt: AT }, 'plain', 'No-show, code gone Sat, Dec 12, 15:00'],
    [{ phase: 'gone', readyAt: AT, arrivedAt: AT }, 'plain', 'Ended'],
    [{ phase: 'gone', isCancelled: true }, 'plain', 'Cancelled'],
  ])('of %j is %s: %s', (options, tone, words) => {
    expect(phaseWords({ ...STAY, ...options })).toEqual({ tone, words });
  });

  test('says since when the guest is expected, and not before that (faults#159)', () => {
    const ready = { ...STAY, phase: 'ready' } as const;
    expect(phaseWords(ready, AT - 1).words).toBe('Code ready on every lock');
    expect(phaseWords(ready, AT).words).toBe('Not here yet, expected since 15:00');
    expect(phaseWords(ready, AT + 86_400_000).words).toBe('Not here yet, expected since Sat, Dec 12, 15:00');
  });

  test('is never shown as fine while a problem is open', () => {
    for (const phase of ['planned', 'preparing', 'ready', 'arrived', 'leaving'] as const) {
      expect(phaseWords({ ...STAY, phase, obstacles: ['Something.'] }).tone).toBe('warning');
    }
  });
});

describe('a calendar in words', () => {
  test('shows when it was read, and when it will be next', () => {
    expect(readingWords({ lastGoodAt: null, nextReadingAt: null }, time)).toBe('Not read yet. Reading …');
    expect(readingWords({ lastGoodAt: AT, nextReadingAt: AT + 60_000 }, time)).toBe(
      'Last read 14:00. Next reading 14:01.',
    );
  });

  test('counts its entries', () => {
    expect(entryWords({ stays: 1, notStays: 0, leftOut: 0 })).toBe('1 stay');
    expect(entryWords({ stays: 0, notStays: 1, leftOut: 2 })).toBe(
      '0 stays, 1 entry blocked or closed, 2 entries left out',
    );
  });

  test('shows the findings of a check', () => {
    const check = {
      counts: { stays: 2, notStays: 0, leftOut: 0 },
      changes: { added: 0, moved: 0, cancelled: 0, doubted: 0 },
    };
    expect(checkWords({ ...check, kind: 'read', words: null })).toBe(
      'The calendar can be read: 2 stays. Nothing would change.',
    );
    const changes = { added: 1, moved: 2, cancelled: 3, doubted: 4 };
    expect(checkWords({ ...check, kind: 'read', words: null, changes })).toBe(
      'The calendar can be read: 2 stays. It would change: 1 new, 2 moved, 3 cancelled. 4 stays that were to come are missing from the calendar. This is believed once several readings over some hours say the same.',
    );
    expect(checkWords({ ...check, kind: 'failed', words: message('Not found.') })).toBe('Not found.');
  });
});
