// The command line's words for locks and instants: short, exact, and harmless to a terminal for any name of a lock.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryLines } from '../../../../src/cli/history/lines.ts';
import {
  changeLines,
  columns,
  localTime,
  lockLines,
  stateWords,
} from '../../../../src/cli/terminal/lock-lines.ts';
import { lockView } from './lock-view.ts';

const DOOR = lockView('Front door');
const WALKER = { method: 'access-code', id: 'a71e', name: 'Dog walker' } as const;

describe('a lock in words', () => {
  it.each([
    [{}, 'locked'],
    [{ bolt: 'unsecured' }, 'unlocked'],
    [{ target: 'unsecured' }, 'locked, unlocking'],
    [{ target: 'secured' }, 'locked'],
    [{ bolt: 'unknown', presence: 'offline' }, 'unknown, offline'],
    [{ bolt: 'jammed' }, 'jammed'],
    [{ bolt: 'unknown', presence: 'missing' }, 'unknown, removed from the account'],
  ] as const)('with %j is "%s"', (changes, words) => {
    expect(stateWords(lockView('Front door', changes))).toBe(words);
  });

  it('of which nothing was heard says so', () => {
    expect(lockLines([lockView('Garage', { confirmedAt: null, bolt: 'unknown' })], 0)[0]).toContain(
      'no update since startup',
    );
  });

  it('sends no control character to the terminal, in any name (faults#65)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const lock = lockView(name, { lastMove: { to: 'secured', at: 1, by: { ...WALKER, name } } });
        const entry = {
          id: '1',
          at: 0,
          offsetMinutes: 0,
          what: 'unrecognised',
          serviceWord: name,
          lock: lock.id,
          lockName: name,
          by: { ...WALKER, name },
        } as const;
        const lines = [...lockLines([lock], 0), ...entryLines([entry], true), ...changeLines(DOOR, lock)];
        expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

describe('a change in words', () => {
  it('names the accessor of a new move', () => {
    const after = lockView('Front door', {
      bolt: 'unsecured',
      lastMove: { to: 'unsecured', by: WALKER, at: 5 },
    });
    expect(changeLines(DOOR, after)).toEqual(['Front door: unlocked by Dog walker (a code)']);
  });

  it('leaves out the accessor of an earlier move', () => {
    const lastMove = { to: 'unsecured', by: WALKER, at: 5 } as const;
    const before = lockView('Front door', { lastMove });
    const after = lockView('Front door', { lastMove, bolt: 'unsecured' });
    expect(changeLines(before, after)).toEqual(['Front door: unlocked']);
  });

  it('shows a command that begins, and one that failed', () => {
    const requested = lockView('Front door', { target: 'unsecured' });
    expect(changeLines(DOOR, requested)).toEqual(['Front door: unlocking']);
    expect(changeLines(requested, DOOR)).toEqual(['Front door: couldn’t unlock']);
    const done = lockView('Front door', { bolt: 'unsecured' });
    expect(changeLines(requested, done)).toEqual(['Front door: unlocked']);
  });

  it('shows loss, return and a low battery, and leaves out what no person would notice', () => {
    const offline = lockView('Front door', { presence: 'offline' });
    expect(changeLines(DOOR, offline)).toEqual(['Front door: offline']);
    expect(changeLines(offline, DOOR)).toEqual(['Front door: back online']);
    const low = lockView('Front door', { battery: { grade: 'low', percent: 9 } });
    expect(changeLines(DOOR, low)).toEqual(['Front door: battery low, 9%']);
    expect(changeLines(DOOR, lockView('Front door', { confirmedAt: 99 }))).toEqual([]);
  });
});

describe('an instant', () => {
  it.each([
    [-240, '2026-04-14 08:15:30 -04:00'],
    [0, '2026-04-14 12:15:30 +00:00'],
    [345, '2026-04-14 18:00:30 +05:45'],
  ])('an instant %d minutes ahead of UTC is "%s"', (offset, words) => {
    expect(localTime(Date.UTC(2026, 3, 14, 12, 15, 30, 250), offset)).toBe(words);
  });
});

describe('columns', () => {
  it('are aligned, and end without blanks', () => {
    const rows = [
      ['Front door', 'locked', ''],
      ['Garage', 'unlocked', 'x'],
    ];
    expect(columns(rows)).toEqual(['Front door  locked', 'Garage      unlocked  x']);
    expect(columns([])).toEqual([]);
  });
});
