// How a guest's code leaves a lock: which codes count as it, which raise a question, and when its absence is proven (faults#116).
import { describe, expect, it } from 'vitest';
import {
  type AccessCode,
  accessCodeId,
  type CodeDraft,
} from '../../../../../src/domain/codes/access-code.ts';
import { decided, leftThere, unknownCode } from '../../../../../src/domain/codes/guests/code-machine.ts';
import type { GuestCode } from '../../../../../src/domain/codes/guests/guest.ts';
import { takeAway } from '../../../../../src/domain/codes/guests/removal-policy.ts';
import type { GuestFacts, GuestStep } from '../../../../../src/domain/codes/guests/step.ts';
import { lockId } from '../../../../../src/domain/locks/lock.ts';

const DOOR = lockId('door');
const ID = accessCodeId('code-1');
const OTHER = accessCodeId('code-2');
const WANTED: CodeDraft = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } };
const FORMER: CodeDraft = { ...WANTED, pin: '0815' };
const WRITTEN: GuestCode = { ...unknownCode(DOOR), codeId: ID, written: WANTED };

function listed(draft: Partial<CodeDraft>, id = OTHER): AccessCode {
  return { id, readOnly: false, ...WANTED, ...draft };
}

function step(code: GuestCode, codes: readonly AccessCode[], facts: Partial<GuestFacts> = {}): GuestStep {
  return takeAway(WANTED, code, codes, {
    lockId: DOOR,
    codes,
    listedAt: 100_000,
    variableLength: true,
    presence: 'reachable',
    isOwned: true,
    taken: [],
    now: 0,
    ...facts,
  });
}

const GONE: GuestStep = { code: null, standing: { kind: 'up-to-date' }, request: null, found: null };

describe('the absence of a code', () => {
  it('is proven by two lists ten seconds apart, or by one after the service’s word', () => {
    const once = { ...WRITTEN, absent: 100_000 };
    expect(step(WRITTEN, [])).toEqual({
      code: once,
      standing: { kind: 'on-its-way' },
      request: null,
      found: null,
    });
    expect(step(once, [], { listedAt: 109_999 }).code).toEqual(once);
    expect(step(once, [], { listedAt: 110_000 })).toEqual(GONE);
    expect(step({ ...WRITTEN, absent: 'confirmed' }, [])).toEqual(GONE);
  });

  it('is proven anew when the code is seen again', () => {
    expect(step({ ...WRITTEN, absent: 1 }, [listed({ name: 'Anne' })]).code?.absent).toBeNull();
    expect(step({ ...WRITTEN, absent: 'confirmed' }, [listed({})]).code?.absent).toBeNull();
  });

  it('is not proven by a list of a lock that the account does not have', () => {
    expect(step({ ...WRITTEN, absent: 1 }, [], { presence: 'missing' })).toMatchObject({
      code: { ...WRITTEN, absent: null },
      standing: { kind: 'waiting' },
    });
  });

  it('needs no proof where no code was ever sent', () => {
    expect(step(unknownCode(DOOR), [listed({})])).toEqual(GONE);
    expect(step(unknownCode(DOOR), [], { presence: 'missing' })).toEqual(GONE);
    expect(step({ ...unknownCode(DOOR), attempted: [WANTED] }, []).code).not.toBeNull();
  });
});

describe('a code that is still listed', () => {
  it.each<[string, AccessCode, GuestCode]>([
    ['under its id', listed({}, ID), WRITTEN],
    ['under another id', listed({}), WRITTEN],
    ['as it may have been stored', listed(FORMER), { ...WRITTEN, attempted: [FORMER] }],
    ['as it is wanted, under its id', listed({}, ID), { ...WRITTEN, written: FORMER }],
    ['with digits that the service hides, under its id', listed({ pin: '' }, ID), WRITTEN],
  ])('as it was written, %s, is removed', (_, code, known) => {
    expect(step(known, [listed({ name: 'Bob', pin: '2580' }, accessCodeId('bob')), code])).toMatchObject({
      request: {
        kind: 'remove',
        codeId: code.id,
        expected: { name: code.name, pin: code.pin, schedule: code.schedule },
      },
      found: code,
    });
  });

  it.each<[string, AccessCode, 'digits' | 'id' | 'name']>([
    ['with the same digits', listed({ name: 'Bob' }), 'digits'],
    ['with the same digits at other times', listed({ schedule: { kind: 'unrecognised' } }), 'digits'],
    ['under its id with everything else', listed({ name: 'Bob', pin: '2580' }, ID), 'id'],
    ['with the same name in another case', listed({ name: 'ANNA', pin: '2580' }), 'name'],
    ['with the same name and hidden digits', listed({ pin: '' }), 'name'],
  ])('%s is named, and a person decides', (_, code, has) => {
    expect(step(WRITTEN, [code])).toEqual({
      code: WRITTEN,
      standing: { kind: 'look-alike', name: code.name, has, isLeft: false },
      request: null,
      found: code,
    });
    const { name, pin, schedule } = code;
    const remove = decided(WRITTEN, { choice: 'overwrite', seen: { name, pin, schedule } });
    expect(step(remove, [code]).request).toMatchObject({ kind: 'remove', codeId: code.id });
    // Another change since then was not seen.
    expect(step(remove, [{ ...code, name: 'anna' }]).request).toBeNull();
  });

  it('and left by a person is named for as long as it may open the door', () => {
    const left = (code: AccessCode) => step(leftThere(WRITTEN, code), [code]);
    expect(left(listed({ name: 'Bob' })).standing).toMatchObject({ kind: 'look-alike', isLeft: true });
    expect(left(listed({ pin: '' })).standing).toMatchObject({ kind: 'look-alike', isLeft: true });
    expect(left(listed({ pin: '2580' })).standing).toEqual({ kind: 'on-its-way' });
    expect(left(listed({ name: 'Bob', pin: '2580' }, ID)).standing).toEqual({ kind: 'on-its-way' });
  });

  it('is asked about after the one that is more likely to open the door', () => {
    const name = listed({ pin: '2580' });
    const digits = listed({ name: 'Bob' }, accessCodeId('bob'));
    expect(step(WRITTEN, [name, digits]).standing).toMatchObject({ name: 'Bob' });
    expect(step(leftThere(WRITTEN, digits), [name, digits]).standing).toMatchObject({
      name: 'Anna',
      isLeft: false,
    });
    const both = leftThere(leftThere(WRITTEN, digits), name);
    expect(step(both, [name, digits]).standing).toMatchObject({ name: 'Bob', isLeft: true });
  });

  it('of another person is not named: it has neither the id, nor the digits, nor the name', () => {
    expect(step({ ...WRITTEN, absent: 0 }, [listed({ name: 'Bob', pin: '2580' })])).toEqual(GONE);
  });
});
