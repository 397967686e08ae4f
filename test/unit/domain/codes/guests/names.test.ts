// What guests may be called, and the names that their codes get on locks.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asCalled, faultOfCall, isStorable, nameOnLocks } from '../../../../../src/domain/codes/names.ts';

const NONE: ReadonlySet<string> = new Set();

it.each([
  ['Anna', 'Anna'],
  ['Jürgen Weiß', 'Jurgen Weiss'],
  ['Łukasz Ærø', 'Lukasz Aero'],
  ['王小明', 'Guest'],
  ['Анна Каренина', 'Guest'],
  ['أحمد', 'Guest'],
  ['🧹', 'Guest'],
  ['🧹 Cleaner', 'Cleaner'],
  ['Alexandra Wilhelmina von Habsburg', 'Alexandra Wilhelmina von'],
])('a guest called %s has a code that the lock stores as %s', (called, stored) => {
  expect(faultOfCall(called, [])).toBeNull();
  expect(nameOnLocks(called, null, NONE)).toBe(stored);
});

it('a name that is taken by somebody else gets a letter, also where a lock could store it', () => {
  expect(nameOnLocks('Müller', null, new Set(['muller']))).toBe('Muller B');
  expect(nameOnLocks('Muller', null, new Set(['muller']))).toBe('Muller B');
  expect(nameOnLocks('安娜', null, new Set(['guest', 'guest b']))).toBe('Guest C');
});

it('the name on the locks stays while it fits, and a storable name is taken as it is', () => {
  expect(nameOnLocks('安娜', 'Guest C', NONE)).toBe('Guest C');
  expect(nameOnLocks('安娜', 'Guest C', new Set(['guest c']))).toBe('Guest');
  expect(nameOnLocks('Anna', 'Anna B', NONE)).toBe('Anna');
  expect(nameOnLocks('Anna', 'Guest C', NONE)).toBe('Anna');
});

it.each([
  [' ', 'Enter a name.'],
  ['\u200d', 'Enter a name.'],
  ['An\nna', 'The name has characters that cannot be shown.'],
  ['Anna\u202egnp', 'The name has characters that cannot be shown.'],
  ['a'.repeat(61), 'Use at most {most} characters.'],
  ['ANNA', 'Another guest has this name.'],
  ['Ａnna', 'Another guest has this name.'],
])('refuses to call a guest %j', (called, words) => {
  expect(faultOfCall(called, ['Anna'])?.words).toMatchObject({ text: words });
});

it.each([
  ['İris', 'iris'],
  ['ΟΔΟΣ', 'οδος'],
  ['STRASSE', 'straße'],
])('two guests cannot be called %s and %s', (one, other) => {
  expect(faultOfCall(other, [one])?.reason).toBe('code-name-exists');
});

it('whatever guests are called, no two of them have one name on a lock, and each lock can store it', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 30 }), (names) => {
      const taken = new Set<string>();
      for (const called of names.map(asCalled)) {
        const stored = nameOnLocks(called, null, taken);
        expect(isStorable(stored)).toBe(true);
        expect(stored.trim()).toBe(stored);
        expect(stored).not.toBe('');
        expect(taken.has(stored.toLowerCase())).toBe(false);
        taken.add(stored.toLowerCase());
      }
    }),
  );
});
