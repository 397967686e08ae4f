// A guest: the locks of the code, its state there, and which guests may stand beside each other.
import { describe, expect, it } from 'vitest';
import { accessCodeId, type CodeDraft } from '../../../../../src/domain/codes/access-code.ts';
import { unknownCode } from '../../../../../src/domain/codes/guests/code-machine.ts';
import {
  codeOn,
  faultsOfGuest,
  type Guest,
  type GuestCode,
  isWantedOn,
  leaving,
  withCodeOn,
} from '../../../../../src/domain/codes/guests/guest.ts';
import { message } from '../../../../../src/domain/language/message.ts';
import { lockId } from '../../../../../src/domain/locks/lock.ts';
import { codeFailure } from '../../../../../src/words/code-failures.ts';
import { t } from '../../../../../src/words/translate.ts';

const DOOR = lockId('door');
const SHED = lockId('shed');
const NOW = 1_000_000_000;
const WANTED: CodeDraft = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } };
const GUEST: Guest = { id: 'g', draft: WANTED, locks: 'all', isLeaving: false, revision: 1, codes: [] };
const onDoor: GuestCode = { ...unknownCode(DOOR), codeId: accessCodeId('c') };
const onShed: GuestCode = { ...unknownCode(SHED), codeId: accessCodeId('s') };
const sending = { operationId: 'o', draft: WANTED };
const setback = { failure: codeFailure('lock-silent'), draft: WANTED, retryAt: null, tries: 1 };

describe('the code of a guest', () => {
  it('belongs on the named locks, or on every lock that the account owns, until the guest leaves', () => {
    const named: Guest = { ...GUEST, locks: [DOOR] };
    expect([isWantedOn(GUEST, DOOR, true), isWantedOn(GUEST, DOOR, false)]).toEqual([true, false]);
    expect([isWantedOn(named, DOOR, false), isWantedOn(named, SHED, true)]).toEqual([true, false]);
    expect([isWantedOn(leaving(GUEST), DOOR, true), isWantedOn(leaving(named), DOOR, true)]).toEqual([
      false,
      false,
    ]);
  });

  it('is known for each lock by itself', () => {
    const guest = withCodeOn(withCodeOn(GUEST, DOOR, unknownCode(DOOR)), SHED, onShed);
    expect(guest.codes).toEqual([onShed]);
    const both = withCodeOn(guest, DOOR, onDoor);
    expect([codeOn(both, DOOR), codeOn(both, SHED)]).toEqual([onDoor, onShed]);
    expect(codeOn(GUEST, DOOR)).toBeNull();
    const other = { ...onDoor, codeId: accessCodeId('d') };
    expect(withCodeOn(both, DOOR, other).codes).toEqual([onShed, other]);
    expect(withCodeOn(both, DOOR, null).codes).toEqual([onShed]);
  });

  it.each<[string, Partial<GuestCode>]>([
    ['an id', { codeId: accessCodeId('c') }],
    ['something under way', { sending }],
    ['a decision', { decision: { choice: 'keep', seen: null } }],
    ['a setback', { setback }],
  ])('is remembered with %s alone', (_, known) => {
    const code = { ...unknownCode(DOOR), ...known };
    expect(withCodeOn(GUEST, DOOR, code).codes).toEqual([code]);
  });

  it('of a guest who leaves stays known where the lock has it or may have it', () => {
    const sent = { ...unknownCode(SHED), sending };
    const refused = { ...unknownCode(lockId('gate')), setback };
    expect(leaving({ ...GUEST, codes: [onDoor, sent, refused] })).toEqual({
      ...GUEST,
      isLeaving: true,
      codes: [onDoor, sent],
    });
  });
});

describe('a guest', () => {
  const other: Guest = { ...GUEST, id: 'other', draft: { ...WANTED, name: 'Bob', pin: '2580' } };
  const faults = (draft: CodeDraft, others: readonly Guest[], locks: Guest['locks'] = 'all') =>
    faultsOfGuest({ id: 'g', draft, locks }, draft, { others, now: NOW }).map(({ reason }) => reason);

  it('needs a lock, a name and a code of its own among those on the same locks', () => {
    expect(faults(WANTED, [], [])).toEqual(['values-invalid']);
    expect(faults({ ...WANTED, name: 'bob' }, [{ ...other, draft: { ...WANTED, name: 'Bob' } }])).toEqual([
      'code-name-exists',
      'code-exists',
    ]);
    expect(faults(WANTED, [{ ...other, draft: { ...other.draft, pin: '471' } }])).toEqual([
      'code-subset-in-use',
    ]);
    const elsewhere = { ...other, draft: { ...WANTED }, locks: [SHED] };
    expect(faults(WANTED, [elsewhere], [DOOR])).toEqual([]);
    expect(faults(WANTED, [leaving(elsewhere)])).toEqual([]);
  });

  it('is judged by its changes alone: a schedule that is over may stay when only the name changes', () => {
    const draft: CodeDraft = { ...WANTED, schedule: { kind: 'temporary', from: 0, until: 1 } };
    expect(faultsOfGuest({ id: 'g', draft, locks: 'all' }, { name: 'x' }, { others: [], now: NOW })).toEqual(
      [],
    );
  });

  it('has clashes in the words of guests, and never clashes with its own code', () => {
    const words = (draft: CodeDraft, beside: Partial<Guest>) =>
      faultsOfGuest({ id: 'g', draft, locks: 'all' }, draft, {
        others: [{ ...other, ...beside }],
        now: NOW,
      }).map((fault) => t(fault.words));
    const pin = (digits: string): Partial<Guest> => ({ draft: { ...other.draft, pin: digits } });
    expect(words({ ...WANTED, name: 'BOB' }, {})).toEqual(['Another guest has this name.']);
    expect(words(WANTED, pin('4711'))).toEqual(['Another guest has this code. Choose a different one.']);
    expect(words(WANTED, pin('471'))).toEqual([expect.stringMatching(/^The shorter code of another guest/)]);
    expect(words(WANTED, pin('47110'))).toEqual([expect.stringMatching(/^The longer code of another guest/)]);
    expect(words({ ...WANTED, pin: '12' }, {})).toEqual([expect.stringMatching(/digits/)]);
    expect(words(WANTED, { ...pin('4711'), id: 'g' })).toEqual([]);
    expect(words(WANTED, { ...pin('4711'), locks: [DOOR] })).toHaveLength(1);
    const named = (locks: Guest['locks'], others: Guest['locks']) =>
      faultsOfGuest({ id: 'g', draft: WANTED, locks }, WANTED, {
        others: [{ ...other, ...pin('4711'), locks: others }],
        now: NOW,
      }).length;
    expect(named([DOOR], [DOOR, SHED])).toBe(1);
    expect(named([DOOR, SHED], [SHED])).toBe(1);
    expect(named([DOOR], [SHED])).toBe(0);
    expect(named([DOOR], 'all')).toBe(1);
  });

  it('is one of at most a hundred on the same locks, after any change', () => {
    const others = Array.from(
      { length: 100 },
      (_, index): Guest => ({
        ...other,
        id: String(index),
        draft: { ...WANTED, name: `Guest ${String(index)}`, pin: String(10_000_000 + index) },
      }),
    );
    const found = faultsOfGuest(
      { id: 'g', draft: WANTED, locks: 'all' },
      { name: 'x' },
      { others, now: NOW },
    );
    expect(found.map(({ field }) => field)).toEqual(['lock']);
  });

  it('is counted for each lock: a caretaker beside a hundred tenants, one on each of a hundred locks (faults#118)', () => {
    const tenants = Array.from(
      { length: 100 },
      (_, index): Guest => ({
        ...other,
        id: String(index),
        draft: { ...WANTED, name: `Tenant ${String(index)}`, pin: String(10_000_000 + index) },
        locks: [lockId(`lock-${String(index)}`)],
      }),
    );
    const fieldsOf = (others: readonly Guest[], locks: Guest['locks']): readonly string[] =>
      faultsOfGuest({ id: 'g', draft: WANTED, locks }, WANTED, { others, now: NOW }).map(
        ({ field }) => field,
      );
    expect(fieldsOf(tenants, 'all')).toEqual([]);
    const second: Guest = { ...other, id: 'second', draft: { ...WANTED, name: 'Ben', pin: '99999999' } };
    expect(fieldsOf([...tenants, second], 'all')).toEqual([]);
    const crowded = tenants.map(
      ({ id, draft }): Guest => ({ id, draft, locks: [DOOR], isLeaving: false, revision: 1, codes: [] }),
    );
    expect([fieldsOf(crowded, 'all'), fieldsOf(crowded, [DOOR]), fieldsOf(crowded, [SHED])]).toEqual([
      ['lock'],
      ['lock'],
      [],
    ]);
    expect(fieldsOf([...crowded.slice(1), second], [DOOR, SHED])).toEqual(['lock']);
  });

  it('without a lock is asked to choose one', () => {
    expect(faultsOfGuest({ id: 'g', draft: WANTED, locks: [] }, WANTED, { others: [], now: NOW })).toEqual([
      { field: 'lock', reason: 'values-invalid', words: message('Choose at least one lock.') },
    ]);
  });
});
