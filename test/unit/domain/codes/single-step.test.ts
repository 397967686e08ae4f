// The next step of a single change of a lock's codes: the command, the proof of its success, and what refuses it.
import { describe, expect, it } from 'vitest';
import { type AccessCode, accessCodeId } from '../../../../src/domain/codes/access-code.ts';
import { unknownCode } from '../../../../src/domain/codes/code-machine.ts';
import { endOfSingle, nextStep } from '../../../../src/domain/codes/difference.ts';
import { type GuestCode, leftAfter, rowOfSingle } from '../../../../src/domain/codes/guest.ts';
import type { GuestFacts } from '../../../../src/domain/codes/guest-step.ts';
import { type CodeRequest, codeIdIn, hasEnded } from '../../../../src/domain/codes/operation.ts';
import { DOOR, factsOf, NOW, SETTLED_MS } from '../../../support/guest-codes.ts';

const A = accessCodeId('a');
const B = accessCodeId('b');
const ANNA = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } } as const;
const BOB = { name: 'Bob', pin: '2580', schedule: { kind: 'always' } } as const;
const anna: AccessCode = { id: A, readOnly: false, ...ANNA };
const bob: AccessCode = { id: B, readOnly: false, ...BOB };

const ADD: CodeRequest = { kind: 'add', draft: ANNA };
const RENAME: CodeRequest = { kind: 'update', codeId: A, changes: { name: 'Anne' }, expected: ANNA };
const REMOVE: CodeRequest = { kind: 'remove', codeId: A, expected: ANNA };
const UNSEEN: CodeRequest = { kind: 'remove', codeId: A };
const REMOVE_ALL: CodeRequest = { kind: 'remove-all', codeIds: [A, B] };

/** A command left, and may take effect until then. */
const sentUntil = (unsettledUntil: number, rest: Partial<GuestCode> = {}): Partial<GuestCode> => ({
  sending: { draft: null },
  unsettledUntil,
  ...rest,
});

function step(
  request: CodeRequest,
  codes: readonly AccessCode[],
  code: Partial<GuestCode> | null = null,
  facts: Partial<GuestFacts> = {},
): unknown {
  const single = { lockId: DOOR, request, requestedAt: NOW, sendings: code === null ? 0 : 1 };
  const row = {
    ...rowOfSingle('r', single, null),
    codes: code === null ? [] : [{ ...unknownCode(DOOR), ...code }],
  };
  const next = nextStep(row, factsOf(codes, facts));
  const end = endOfSingle(next);
  if (end !== null) {
    return end.kind === 'done' ? ['done', end.codeId] : ['failed', end.failure.reason];
  }
  return next.request?.kind ?? (next.standing.kind === 'waiting' ? 'waits' : 'looks');
}

describe('a code that is to be added', () => {
  it('is sent once no rule forbids it, and done as soon as the list has an equal code, whoever made it', () => {
    expect(step(ADD, [bob])).toBe('add');
    expect(step(ADD, [{ ...bob, pin: '4711' }])).toEqual(['failed', 'code-exists']);
    expect([step(ADD, [bob, anna]), step(ADD, [anna], sentUntil(NOW + 1))]).toEqual([
      ['done', A],
      ['done', A],
    ]);
  });

  it('may still take effect for 125 s, and only then is sent again', () => {
    expect(step(ADD, [], sentUntil(NOW + SETTLED_MS))).toBe('waits');
    expect([step(ADD, [], sentUntil(NOW + 1)), step(ADD, [], sentUntil(NOW))]).toEqual(['waits', 'add']);
  });
});

describe('a code that is to be changed', () => {
  it('is done when its members are as wanted, and another equal code proves nothing', () => {
    const anne = { ...anna, name: 'Anne' };
    expect([step(RENAME, [bob, anna]), step(RENAME, [bob, anne])]).toEqual(['update', ['done', A]]);
    expect(step(RENAME, [{ ...anne, id: B }], sentUntil(NOW + 1))).toBe('waits');
  });

  it.each<[string, readonly AccessCode[], string]>([
    ['is not listed', [bob], 'code-id-invalid'],
    ['is otherwise than the person saw it', [{ ...anna, pin: '9999' }], 'changed-meanwhile'],
    ['is read-only', [{ ...anna, readOnly: true }], 'read-only'],
    ['would take the name of another', [anna, { ...bob, name: 'ANNE' }], 'code-name-exists'],
  ])('fails when it %s', (_, codes, reason) => {
    expect(step(RENAME, codes)).toEqual(['failed', reason]);
  });

  it('is judged by its new members alone', () => {
    const schedule = { kind: 'temporary', from: 0, until: 1 } as const;
    const update = { kind: 'update', codeId: A } as const;
    expect(step({ ...update, changes: { name: 'Anne' } }, [{ ...anna, schedule }])).toBe('update');
    expect(step({ ...update, changes: { schedule } }, [anna])).toEqual(['failed', 'schedule-invalid']);
  });
});

describe('a code that is to be removed', () => {
  it('is sent by its id also when the list lacks it, whether a person saw it there or not (faults#152)', () => {
    for (const codes of [[], [bob], [anna, bob]]) {
      expect([step(REMOVE, codes), step(UNSEEN, codes)]).toEqual(['remove', 'remove']);
    }
  });

  it('is sent again while no list has it, until the service says that it is gone (faults#152)', () => {
    const since = (ms: number): Partial<GuestCode> =>
      sentUntil(NOW + SETTLED_MS, { absent: { said: null, since: ms } });
    expect(step(REMOVE, [bob], sentUntil(NOW + SETTLED_MS), { listedAt: 10_000 })).toBe('looks');
    expect([9_999, 10_000].map((listedAt) => step(REMOVE, [bob], since(0), { listedAt }))).toEqual([
      'looks',
      'remove',
    ]);
    expect([NOW + 1, NOW].map((until) => step(REMOVE, [anna, bob], sentUntil(until)))).toEqual([
      'waits',
      'remove',
    ]);
  });

  it('fails when it differs from the code that the person saw, or is read-only', () => {
    expect(step(REMOVE, [{ ...anna, pin: '9999' }])).toEqual(['failed', 'changed-meanwhile']);
    expect(step(REMOVE, [{ ...anna, readOnly: true }])).toEqual(['failed', 'read-only']);
    // Without a code that was seen, any will do.
    expect(step(UNSEEN, [{ ...anna, pin: '9999' }])).toBe('remove');
  });
});

describe('the removal of all codes', () => {
  it('is sent while no code was added meanwhile', () => {
    const added = { ...bob, id: accessCodeId('c') };
    expect(step(REMOVE_ALL, [anna, bob, { ...added, readOnly: true }])).toBe('remove-all');
    expect(step(REMOVE_ALL, [anna, added])).toEqual(['failed', 'changed-meanwhile']);
  });

  const at = (listedAt: number, since: number | null, codes: readonly AccessCode[], request = REMOVE_ALL) =>
    step(request, codes, sentUntil(NOW + 1, { absent: { said: null, since } }), { listedAt });

  it('is asked for by the id of each code where two lists, ten seconds apart, have none after a lost answer (faults#152)', () => {
    expect([at(0, null, []), at(9_999, 0, []), at(10_000, 0, [])]).toEqual(['looks', 'looks', 'remove']);
    expect(at(70_000, 0, [bob])).toBe('waits');
    const single = { lockId: DOOR, request: REMOVE_ALL, requestedAt: NOW, sendings: 2 };
    const rest = leftAfter(single, { kind: 'remove', codeId: A });
    expect(rest).toEqual({ ...single, request: { kind: 'remove-all', codeIds: [B] }, sendings: 1 });
    expect(leftAfter(rest ?? single, { kind: 'remove', codeId: B })?.request).toEqual({
      ...REMOVE_ALL,
      codeIds: [],
    });
    expect(leftAfter(single, REMOVE_ALL)).toBeNull();
  });

  it('ends when none is left to ask for, and the lost one can take effect no more', () => {
    const none: CodeRequest = { kind: 'remove-all', codeIds: [] };
    expect([NOW + 1, NOW].map((until) => step(none, [], sentUntil(until)))).toEqual([
      'waits',
      ['done', null],
    ]);
  });
});

it('a change is about one code, or about none that it names, and has ended when it has succeeded or failed', () => {
  expect([ADD, RENAME, REMOVE, REMOVE_ALL].map(codeIdIn)).toEqual([null, A, A, null]);
  const phases = ['queued', 'waiting', 'sent', 'checking', 'done', 'failed'] as const;
  expect(phases.filter((phase) => hasEnded({ phase }))).toEqual(['done', 'failed']);
});
