// Which lock is meant: beginnings of names are enough, and a guess between two is never made.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meantLocks, NameError } from '../../../../src/cli/terminal/lock-names.ts';
import { anyText } from '../../../support/any-text.ts';
import { lockView } from './lock-view.ts';

const HOME = ['Front door', 'Back door', 'Garage', 'Garage gate'].map((name) => lockView(name));

function namesMeantBy(...wanted: readonly string[]): readonly string[] {
  return meantLocks(wanted, HOME).map(({ description }) => description.name);
}

describe('the name of a lock', () => {
  it.each([
    ['front door', 'Front door'],
    ['F', 'Front door'],
    ['bAcK', 'Back door'],
    ['  back ', 'Back door'],
    ['id-of-Garage gate', 'Garage gate'],
    ['ｆｒｏｎｔ', 'Front door'],
    ['garage', 'Garage'],
  ])('may be "%s" for %s', (wanted, name) => {
    expect(namesMeantBy(wanted)).toEqual([name]);
  });

  it('is refused when several names begin with it, and they are listed', () => {
    expect(() => namesMeantBy('gar')).toThrow(
      '"gar" could be "Garage" or "Garage gate". Say more of its name.',
    );
  });

  it('is refused when two locks have it, and their ids are listed', () => {
    const twins = [lockView('Door'), { ...lockView('Door'), id: HOME[0]?.id ?? lockView('x').id }];
    expect(() => meantLocks(['door'], twins)).toThrow(
      '"door" could be "Door" (id-of-Door) or "Door" (id-of-Front door). Say its id instead.',
    );
  });

  it('is refused when it is the beginning of one name of two locks, and their ids are listed', () => {
    const twins = [lockView('Door'), { ...lockView('Door'), id: HOME[0]?.id ?? lockView('x').id }];
    expect(() => meantLocks(['do'], twins)).toThrow('Say its id instead.');
  });

  it('is refused when no lock has it, and the existing names are listed', () => {
    expect(() => namesMeantBy('attic')).toThrow(
      'No lock is called "attic". There is "Front door", "Back door"',
    );
    expect(() => meantLocks(['attic'], [])).toThrow('No lock is called "attic".');
    expect(() => namesMeantBy('')).toThrow(NameError);
  });

  it('stops the whole command when one of several names is ambiguous', () => {
    expect(() => namesMeantBy('front', 'gar')).toThrow(NameError);
  });

  it('counts a lock once, however often it is named', () => {
    expect(namesMeantBy('front', 'Front door', 'back')).toEqual(['Front door', 'Back door']);
  });

  it('never means a lock whose name begins otherwise, and its message is one line for any input', () => {
    fc.assert(
      fc.property(anyText(), (wanted) => {
        try {
          const [name = ''] = namesMeantBy(wanted);
          const spoken = wanted.normalize('NFKC').trim().toLowerCase();
          expect(name.toLowerCase().startsWith(spoken) || wanted === `id-of-${name}`).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(NameError);
          expect((error as Error).message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        }
      }),
    );
  });
});
