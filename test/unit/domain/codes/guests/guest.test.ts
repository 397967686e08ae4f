// A guest: the locks of the code, its state there, and which guests may stand beside each other.
import { describe, expect, it } from 'vitest';
import { accessCodeId, type CodeDraft } from '../../../../../src/domain/codes/access-code.ts';
import { unknownCode } from '../../../../../src/domain/codes/code-machine.ts';
import {
  faultsOfGuest,
  type Guest,
  type GuestCode,
  isWantedOn,
  leaving,
  withCodeOn,
} from '../../../../../src/domain/codes/guest.ts';
import { lockId } from '../../../../../src/domain/locks/lock.ts';
import { codeFailure } from '../../../../../src/words/code-failures.ts';
import { t } from '../../../../../src/words/translate.ts';
import { DOOR, GUEST, NOW, sending, UNKNOWN, WANTED } from '../../../../support/guest-codes.ts';

const SHED = lockId('shed');
const onDoor: GuestCode = { ...UNKNOWN, codeId: accessCodeId('c') };
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

  it.each<[string, Partial<GuestCode>]>([
    ['an id', { codeId: accessCodeId('c') }],
    ['something under way', { sending: sending(WANTED) }],
    ['a decision', { decision: { choice: 'keep', seen: null } }],
    ['a setback', { setback }],
  ])('is remembered with %s alone', (_, known) => {
    const code = { ...UNKNOWN, ...known };
    expect(withCodeOn(GUEST, DOOR, code).codes).toEqual([code]);
  });

  it('of a guest who leaves stays known where the lock has it or may have it', () => {
    const sent = { ...unknownCode(SHED), sending: sending(WANTED) };
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
  /** The reasons and the sentences of what the guest breaks beside the others. */
  const faults = (
    others: readonly Guest[],
    { draft = WANTED, locks = 'all', judged = draft }: Partial<Guest> & { judged?: Partial<CodeDraft> } = {},
  ) =>
    faultsOfGuest({ id: 'g', draft, locks }, judged, { others, now: NOW }).map(
      ({ field, reason, words }) => [field, reason, t(words)] as const,
    );
  const reasons = (...given: Parameters<typeof faults>) => faults(...given).map(([, reason]) => reason);
  const withPin = (pin: string, more: Partial<Guest> = {}): Guest => ({
    ...other,
    draft: { ...other.draft, pin },
    ...more,
  });

  it.each<[Guest, string, string]>([
    [
      { ...other, draft: { ...other.draft, name: 'ANNA' } },
      'code-name-exists',
      'Another guest has this name.',
    ],
    [withPin('4711'), 'code-exists', 'Another guest has this code. Choose a different one.'],
    [
      withPin('471'),
      'code-subset-in-use',
      'The shorter code of another guest begins the same way. Choose a different one.',
    ],
    [
      withPin('47110'),
      'code-superset-in-use',
      'The longer code of another guest begins with these digits. Choose a different one.',
    ],
  ])('clashes with another one in the words of guests (%#)', (beside, reason, words) => {
    expect(faults([beside])).toEqual([[reason === 'code-name-exists' ? 'name' : 'pin', reason, words]]);
  });

  it('needs a lock, a name and a code of its own among those on the same locks', () => {
    const doubles = { draft: { ...WANTED, name: 'bob' } };
    expect(reasons([withPin('4711')], doubles)).toEqual(['code-name-exists', 'code-exists']);
    expect(reasons([], { draft: { ...WANTED, pin: '12' } })).toEqual(['code-length-out-of-range']);
    expect(faults([], { locks: [] })).toEqual([['lock', 'values-invalid', 'Choose at least one lock.']]);
    // Not of itself, nor of one who leaves.
    expect(reasons([withPin('4711', { id: 'g' })])).toEqual([]);
    expect(reasons([leaving(withPin('4711'))])).toEqual([]);
  });

  it.each<[Guest['locks'], Guest['locks'], number]>([
    ['all', [DOOR], 1],
    [[DOOR], [DOOR, SHED], 1],
    [[DOOR, SHED], [SHED], 1],
    [[DOOR], [SHED], 0],
    [[DOOR], 'all', 1],
  ])('on %j clashes with one on %j: %d', (locks, others, count) => {
    expect(faults([withPin('4711', { locks: others })], { locks })).toHaveLength(count);
  });

  it('is judged by its changes alone: a schedule that is over may stay when only the name changes', () => {
    const draft: CodeDraft = { ...WANTED, schedule: { kind: 'temporary', from: 0, until: 1 } };
    expect(faults([], { draft, judged: { name: 'x' } })).toEqual([]);
  });

  const hundred = (locks: (index: number) => Guest['locks']): readonly Guest[] =>
    Array.from({ length: 100 }, (_, index) => ({
      ...other,
      id: String(index),
      draft: { ...WANTED, name: `Tenant ${String(index)}`, pin: String(10_000_000 + index) },
      locks: locks(index),
    }));
  const second: Guest = { ...other, id: 'second', draft: { ...WANTED, name: 'Ben', pin: '99999999' } };

  it('is one of at most a hundred on the same locks, after any change', () => {
    const crowded = hundred(() => [DOOR]);
    expect(
      reasons(
        hundred(() => 'all'),
        { judged: { name: 'x' } },
      ),
    ).toEqual(['code-not-added']);
    expect(reasons(crowded)).toEqual(['code-not-added']);
    expect(reasons(crowded, { locks: [DOOR] })).toEqual(['code-not-added']);
    expect(reasons(crowded, { locks: [SHED] })).toEqual([]);
    expect(reasons([...crowded.slice(1), second], { locks: [DOOR, SHED] })).toEqual(['code-not-added']);
  });

  it('is counted for each lock: a caretaker beside a hundred tenants, one on each of a hundred locks (faults#118)', () => {
    const tenants = hundred((index) => [lockId(`lock-${String(index)}`)]);
    expect(reasons(tenants)).toEqual([]);
    expect(reasons([...tenants, second])).toEqual([]);
  });
});
