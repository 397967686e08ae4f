// How codes of stays are made, and which of them the locks would take.
import { describe, expect, it } from 'vitest';
import { type AccessCode, accessCodeId } from '../../../../../src/domain/codes/access-code.ts';
import type { TakenLengths } from '../../../../../src/domain/codes/pin-length.ts';
import {
  type CodeRule,
  codesToTry,
  isCodeRule,
  isEasyToGuess,
  readTemplate,
} from '../../../../../src/features/stays/policy/stay-code-policy.ts';

const ANY: TakenLengths = { anyLength: true, knownLength: null, refusedLengths: [] };
const SIX: TakenLengths = { anyLength: false, knownLength: 6, refusedLengths: [] };

const held = (...pins: readonly string[]): readonly AccessCode[] =>
  pins.map((pin) => ({
    id: accessCodeId(pin),
    readOnly: false,
    name: pin,
    pin,
    schedule: { kind: 'always' },
  }));

const tried = (more: Partial<CodeRule> = {}) =>
  codesToTry({
    code: 'phone',
    phone4: '4711',
    former: null,
    spent: new Set(),
    locks: [{ codes: [], lengths: ANY }],
    randomDigits: (count) => '204918375'.slice(0, count),
    ...more,
  });

const beside = (codes: readonly AccessCode[], lengths = ANY) => tried({ locks: [{ codes, lengths }] });

describe('the code of a stay', () => {
  it('has the digits of the phone, and random ones where the booking names no phone', () => {
    expect(tried()[0]).toBe('4711');
    expect(tried({ phone4: null })).toEqual(['204918']);
    expect(tried({ code: 'random' })).toEqual(['204918']);
  });

  it('has none of the digits that other guests of the calendar had, and its own ones again', () => {
    expect(tried({ spent: new Set(['4711', '204918']) })).toEqual([]);
    expect(tried({ spent: new Set(['4711']), former: '4711' })[0]).toBe('4711');
  });

  it('follows a template', () => {
    expect(tried({ code: '{random2}{phone4}' })[0]).toBe('204711');
    expect(tried({ code: '9{phone4}' })[0]).toBe('94711');
    expect(tried({ code: '9{phone4}', phone4: null })).toEqual(['204918']);
  });

  it('has a length that every lock takes', () => {
    expect(beside([], SIX)).toEqual(['204918']);
    const four = { ...SIX, knownLength: 4 };
    expect(tried({ locks: [SIX, four].map((lengths) => ({ codes: [], lengths })) })).toEqual([]);
    const refusing = { ...ANY, refusedLengths: [4] };
    expect(beside([], refusing)).toEqual(['204918']);
  });

  it('differs from every code of a lock, and from the beginning of each', () => {
    expect(beside(held('4711'))).toEqual(['204918']);
    expect(beside(held('471'))).not.toContain('4711');
    expect(beside(held('471199'))).not.toContain('4711');
  });

  it('is the former code where the stay had one', () => {
    expect(tried({ former: '8642' })[0]).toBe('8642');
  });

  it('is never easy to guess, unless the digits are those of the guest', () => {
    expect(tried({ code: 'random', randomDigits: (count) => '123456789'.slice(0, count) })).toEqual([]);
    expect(['1111', '1234', '9876'].every(isEasyToGuess)).toBe(true);
    expect(['1357', '1123', '9080'].some(isEasyToGuess)).toBe(false);
    expect(tried({ phone4: '1234' })[0]).toBe('1234');
  });
});

describe('a rule for codes', () => {
  it.each(['phone', 'random', '{phone4}', '{random2}{phone4}', '12{random4}', '{random8}'])(
    'may be %s',
    (rule) => {
      expect(isCodeRule(rule)).toBe(true);
    },
  );

  it.each([
    '',
    '1234',
    '{random3}',
    '{phone4}{random5}',
    '{phone5}',
    'x{phone4}',
    '{phone4} ',
    '{random0}{phone4}',
  ])('is not "%s"', (rule) => {
    expect(isCodeRule(rule)).toBe(false);
    expect(readTemplate(rule)).toBeNull();
  });
});
