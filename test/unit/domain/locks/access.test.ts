// Which names of codes and people may be shown.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { speakableName, withoutCodes } from '../../../../src/domain/locks/access.ts';
import { lockId, unknownLock } from '../../../../src/domain/locks/lock.ts';
import { viewOf } from '../../../../src/panel/views/lock.ts';
import { named } from '../../../support/named-lock.ts';

describe('the name of a code or a person', () => {
  it.each(['Dog walker', 'Ann 2', 'Flat 12', 'Zoë', "O'Hara", 'Room 101'])('is shown: %s', (name) => {
    expect(speakableName(name)).toBe(name);
  });

  it.each([
    '4711',
    'Ann 4711',
    '12-34',
    '1 2 3 4',
    '(0)170 1234567',
    '+49.170.12',
    '٤٧١١',
    'ann@home.example',
    '',
    '  ',
    null,
  ])('is left out, because it may be a secret or is empty: %s (faults#66)', (name) => {
    expect(speakableName(name)).toBeNull();
  });

  it('is left out wherever four digits stand in it, with any characters between them', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 12 });
    const between = fc.constantFrom('', ' ', '-', '.', '/', ' - ', '_', ', ', '*', '\u200b');
    fc.assert(
      fc.property(fc.string(), digits, between, fc.string(), (before, code, gap, after) => {
        expect(speakableName(`${before}${code.join(gap)}${after}`)).toBeNull();
      }),
    );
  });

  it('is left out of the view of a lock as well, and the way is shown', () => {
    const description = named('Door');
    const by = { method: 'access-code', id: 'a71e', name: 'Ann 4711' } as const;
    const lock = {
      ...unknownLock(lockId('front'), description),
      lastMove: { to: 'secured', at: 1, by },
    } as const;
    expect(viewOf(lock).lastMove).toEqual({ to: 'secured', at: 1, by: { ...by, name: null } });
  });
});

it.each([
  ['Entered40719263', 'Entered••••'],
  ['0417 and ٤٧١١', '•••• and ••••'],
  ['Slot123', 'Slot123'],
])('a word of the service %s is shown as %s', (word, shown) => {
  expect(withoutCodes(word)).toBe(shown);
});
