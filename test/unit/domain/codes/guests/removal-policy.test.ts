// How a guest's code leaves a lock: which codes count as it, which raise a question, and when its absence is proven (faults#116).
import { describe, expect, it } from 'vitest';
import { reconcileUnwanted } from '../../../../../src/domain/codes/absence.ts';
import {
  type AccessCode,
  accessCodeId,
  type CodeDraft,
} from '../../../../../src/domain/codes/access-code.ts';
import { decided, leftThere } from '../../../../../src/domain/codes/code-machine.ts';
import type { GuestCode } from '../../../../../src/domain/codes/guest.ts';
import type { GuestFacts, GuestStep } from '../../../../../src/domain/codes/guest-step.ts';
import {
  FORMER,
  factsOf,
  ID,
  listed,
  OTHER_ID,
  UNKNOWN,
  WANTED,
  WRITTEN,
} from '../../../../support/guest-codes.ts';

const like = (draft: Partial<CodeDraft>, id = OTHER_ID): AccessCode => listed({ ...WANTED, ...draft }, id);

function step(code: GuestCode, codes: readonly AccessCode[], facts: Partial<GuestFacts> = {}): GuestStep {
  return reconcileUnwanted(WANTED, code, codes, factsOf(codes, { listedAt: 100_000, ...facts }));
}

const GONE: GuestStep = { code: null, standing: { kind: 'up-to-date' }, request: null, found: null };

describe('the absence of a code', () => {
  it('is no proof by itself: its removal is sent by id when a second list lacks the code, too (faults#152)', () => {
    const once = { ...WRITTEN, absent: { said: null, since: 100_000 } };
    expect(step(WRITTEN, [])).toEqual({ ...GONE, code: once, standing: { kind: 'on-its-way' } });
    expect(step(once, [], { listedAt: 109_999 })).toMatchObject({ code: once, request: null });
    const request = { kind: 'remove', codeId: ID };
    expect(step(once, [], { listedAt: 110_000 })).toMatchObject({ code: once, request });
    // It waits for a lock that is offline: lists say nothing of what its keypad takes.
    const offline = step(once, [], { listedAt: 110_000, presence: 'offline' });
    expect(offline).toMatchObject({ code: once, request: null, standing: { kind: 'waiting' } });
  });

  it('is proven by one list after the service’s word, and where it knows no such id by lists over a minute', () => {
    expect(step({ ...WRITTEN, absent: { said: 'removed', since: null } }, [])).toEqual(GONE);
    const unknown = { ...WRITTEN, absent: { said: 'no-such-id', since: 100_000 } } as const;
    expect(step(unknown, [], { listedAt: 169_999 }).code).toEqual(unknown);
    expect(step(unknown, [], { listedAt: 170_000 })).toEqual(GONE);
  });

  it('is proven by lists over a minute where the service removed an id that lists lacked: it may have been another code’s', () => {
    const unseen = { ...WRITTEN, absent: { said: 'removed', since: 100_000 } } as const;
    expect(step(unseen, [], { listedAt: 169_999 }).code).toEqual(unseen);
    expect(step(unseen, [], { listedAt: 170_000 })).toEqual(GONE);
  });

  it.each<[string, GuestCode, readonly AccessCode[]]>([
    ['was never known', { ...WRITTEN, codeId: null }, []],
    ['belongs to another code by now', WRITTEN, [like({ name: 'Bob', pin: '2580' }, ID)]],
    ['may be that of a code which a person left', leftThere(WRITTEN, like({ pin: '2580' })), []],
  ])('is proven by lists over a minute where the id %s', (_, code, codes) => {
    const known = { ...code, absent: { said: null, since: 100_000 } };
    const last = (listedAt: number) => reconcileUnwanted(WANTED, known, [], factsOf(codes, { listedAt }));
    expect(last(169_999)).toMatchObject({ code: known, request: null });
    expect(last(170_000)).toEqual(GONE);
  });

  it('is proven anew when the code is seen again', () => {
    const since = { said: null, since: 1 };
    expect(step({ ...WRITTEN, absent: since }, [like({ name: 'Anne' })]).code?.absent).toBeNull();
    expect(step({ ...WRITTEN, absent: { said: 'removed', since: 1 } }, [like({})]).code?.absent).toBeNull();
  });

  it('is not proven by a list of a lock that the account does not have', () => {
    const missing = step({ ...WRITTEN, absent: { said: null, since: 1 } }, [], { presence: 'missing' });
    expect(missing).toMatchObject({ code: WRITTEN, standing: { kind: 'waiting' } });
  });

  it('needs no proof where no code was ever sent', () => {
    expect(step(UNKNOWN, [like({})])).toEqual(GONE);
    expect(step(UNKNOWN, [], { presence: 'missing' })).toEqual(GONE);
    expect(step({ ...UNKNOWN, attempted: [WANTED] }, []).code).not.toBeNull();
  });
});

describe('a code that is still listed', () => {
  it.each<[string, AccessCode, GuestCode]>([
    ['under its id', like({}, ID), WRITTEN],
    ['under another id', like({}), WRITTEN],
    ['as it may have been stored', like(FORMER), { ...WRITTEN, attempted: [FORMER] }],
    ['as it is wanted, under its id', like({}, ID), { ...WRITTEN, written: FORMER }],
    ['with digits that the service hides, under its id', like({ pin: '' }, ID), WRITTEN],
  ])('as it was written, %s, is removed', (_, code, known) => {
    const { id: codeId, readOnly: _readOnly, ...expected } = code;
    const bob = like({ name: 'Bob', pin: '2580' }, accessCodeId('bob'));
    const request = { kind: 'remove', codeId, expected };
    expect(step(known, [bob, code])).toMatchObject({ request, found: code });
  });

  it.each<[string, AccessCode, 'digits' | 'id' | 'name']>([
    ['with the same digits', like({ name: 'Bob' }), 'digits'],
    ['with the same digits at other times', like({ schedule: { kind: 'unrecognised' } }), 'digits'],
    ['under its id with everything else', like({ name: 'Bob', pin: '2580' }, ID), 'id'],
    ['with the same name in another case', like({ name: 'ANNA', pin: '2580' }), 'name'],
    ['with the same name and hidden digits', like({ pin: '' }), 'name'],
  ])('%s is named, and a person decides', (_, code, has) => {
    const standing = { kind: 'look-alike', name: code.name, has, isLeft: false };
    expect(step(WRITTEN, [code])).toEqual({ code: WRITTEN, standing, request: null, found: code });
    const remove = decided(WRITTEN, { choice: 'overwrite', seen: code });
    expect(step(remove, [code]).request).toMatchObject({ kind: 'remove', codeId: code.id });
    // Another change since then was not seen.
    expect(step(remove, [{ ...code, name: 'anna' }]).request).toBeNull();
  });

  it('and left by a person is named for as long as it may open the door', () => {
    const left = (code: AccessCode) => step(leftThere(WRITTEN, code), [code]);
    expect(left(like({ name: 'Bob' })).standing).toMatchObject({ kind: 'look-alike', isLeft: true });
    expect(left(like({ pin: '' })).standing).toMatchObject({ kind: 'look-alike', isLeft: true });
    expect(left(like({ pin: '2580' })).standing).toEqual({ kind: 'on-its-way' });
    expect(left(like({ name: 'Bob', pin: '2580' }, ID)).standing).toEqual({ kind: 'on-its-way' });
  });

  it('is asked about after the one that is more likely to open the door', () => {
    const name = like({ pin: '2580' });
    const digits = like({ name: 'Bob' }, accessCodeId('bob'));
    expect(step(WRITTEN, [name, digits]).standing).toMatchObject({ name: 'Bob' });
    const one = leftThere(WRITTEN, digits);
    expect(step(one, [name, digits]).standing).toMatchObject({ name: 'Anna', isLeft: false });
    const both = leftThere(leftThere(WRITTEN, digits), name);
    expect(step(both, [name, digits]).standing).toMatchObject({ name: 'Bob', isLeft: true });
  });

  it('of another person is not named: it has neither the id, nor the digits, nor the name', () => {
    const gone = { ...WRITTEN, absent: { said: 'removed', since: null } } as const;
    expect(step(gone, [like({ name: 'Bob', pin: '2580' })])).toEqual(GONE);
  });
});
