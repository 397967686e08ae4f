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
import type { LockView } from '../../../../src/panel/views/lock.ts';
import { anyText } from '../../../support/any-text.ts';
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

  it('is listed with its id where that is asked for, or where another one has its name', () => {
    const twins = [lockView('Garage'), { ...lockView('garage'), id: lockView('Shed').id }];
    const ids = (...args: Parameters<typeof lockLines>) =>
      lockLines(...args).map((line) => /id-of-.*$/u.exec(line)?.[0] ?? null);
    expect(ids([DOOR, ...twins], 0)).toEqual([null, 'id-of-Garage', 'id-of-Shed']);
    expect(ids([DOOR], 0, { withIds: true })).toEqual(['id-of-Front door']);
  });

  it('sends no control character to the terminal, in any name (faults#65)', () => {
    fc.assert(
      fc.property(anyText(), (name) => {
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
  const lastMove = { to: 'unsecured', by: WALKER, at: 5 } as const;
  const unsecured = { bolt: 'unsecured' } as const;
  const requested = { target: 'unsecured' } as const;
  const offline = { presence: 'offline' } as const;
  it.each<readonly [string, Partial<LockView>, Partial<LockView>, readonly string[]]>([
    ['names the accessor of a new move', {}, { ...unsecured, lastMove }, ['unlocked by Dog walker (a code)']],
    ['leaves out the accessor of an earlier move', { lastMove }, { ...unsecured, lastMove }, ['unlocked']],
    ['shows a command that begins', {}, requested, ['unlocking']],
    ['shows a command that failed', requested, {}, ['couldn’t unlock']],
    ['shows a command that is done', requested, unsecured, ['unlocked']],
    ['shows a loss', {}, offline, ['offline']],
    ['shows a return', offline, {}, ['back online']],
    ['shows a low battery', {}, { battery: { grade: 'low', percent: 9 } }, ['battery low, 9%']],
    ['leaves out what no person would notice', {}, { confirmedAt: 99 }, []],
  ])('%s', (_, before, after, words) => {
    const lines = changeLines(lockView('Front door', before), lockView('Front door', after));
    expect(lines).toEqual(words.map((each) => `Front door: ${each}`));
  });
});

it.each([
  [-240, '2026-04-14 08:15:30 -04:00'],
  [0, '2026-04-14 12:15:30 +00:00'],
  [345, '2026-04-14 18:00:30 +05:45'],
])('an instant %d minutes ahead of UTC is "%s"', (offset, words) => {
  expect(localTime(Date.UTC(2026, 3, 14, 12, 15, 30, 250), offset)).toBe(words);
});

it('columns are aligned, and end without blanks', () => {
  const rows = [
    ['Front door', 'locked', ''],
    ['Garage', 'unlocked', 'x'],
  ];
  expect(columns(rows)).toEqual(['Front door  locked', 'Garage      unlocked  x']);
  expect(columns([])).toEqual([]);
});
