// The next step of a change of access codes: the command, the proof of its success, and when it is given up.
import { describe, expect, it } from 'vitest';
import {
  type AccessCode,
  type AccessCodeId,
  accessCodeId,
} from '../../../../src/domain/codes/access-code.ts';
import {
  type CodeOperation,
  type CodeRequest,
  type CodeSending,
  codeIdIn,
  hasEnded,
} from '../../../../src/domain/codes/operation.ts';
import { type CodeStepFacts, nextCodeStep } from '../../../../src/domain/codes/operation-policy.ts';
import { afterRefusal, straysAfter } from '../../../../src/domain/codes/refused-operation.ts';
import type { RefusalReason } from '../../../../src/domain/commands/refusal.ts';
import { message } from '../../../../src/domain/language/message.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';

const NOW = 1_000_000_000;
const SETTLED_MS = 125_000;
const A = accessCodeId('a');
const B = accessCodeId('b');
const ANNA = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } } as const;
const BOB = { name: 'Bob', pin: '2580', schedule: { kind: 'always' } } as const;
const anna: AccessCode = { id: A, readOnly: false, ...ANNA };
const bob: AccessCode = { id: B, readOnly: false, ...BOB };

const ADD: CodeRequest = { kind: 'add', draft: ANNA };
const RENAME: CodeRequest = { kind: 'update', codeId: A, changes: { name: 'Anne' }, expected: ANNA };
const REMOVE: CodeRequest = { kind: 'remove', codeId: A, expected: ANNA };
const REMOVE_ALL: CodeRequest = { kind: 'remove-all', codeIds: [A, B] };

function operation(request: CodeRequest, rest: Partial<CodeOperation> = {}): CodeOperation {
  return { id: 'o', lockId: lockId('door'), request, requestedAt: NOW, sendings: 0, sending: null, ...rest };
}

/** It left that long ago, when these codes were to be removed. */
function left(agoMs: number, listed: readonly AccessCodeId[] = []): Partial<CodeOperation> {
  const sending: CodeSending = { at: NOW - agoMs, commandId: null, codeId: null, listed };
  return { sendings: 1, sending };
}

const step = (of: CodeOperation, codes: readonly AccessCode[], facts: Partial<CodeStepFacts> = {}) =>
  nextCodeStep(of, { codes, variableLength: true, now: NOW, ...facts });

const LOOK_AGAIN = { kind: 'look-again' };
const failed = (reason: string) => ({ kind: 'failed', failure: { reason } });
const done = (codeId: AccessCodeId | null) => ({ kind: 'done', codeId, isConfirmed: false }) as const;
const sends = (command: object, listed: readonly AccessCodeId[] = []) => ({ kind: 'send', command, listed });

describe('a code that is to be added', () => {
  it('is sent once no rule forbids it', () => {
    expect(step(operation(ADD), [bob])).toEqual(sends({ kind: 'add', draft: ANNA }));
    const words = message('Another code on this lock is the same. Choose a different one.');
    expect(step(operation(ADD), [{ ...bob, pin: '4711' }])).toEqual({
      kind: 'failed',
      failure: { reason: 'code-exists', field: 'pin', words },
    });
  });

  it('is done as soon as the list has an equal code, whoever made it', () => {
    expect(step(operation(ADD), [bob, anna])).toEqual(done(A));
    expect(step(operation(ADD, left(1)), [anna])).toEqual(done(A));
  });
});

describe('a code that is to be changed', () => {
  it('is sent with its changed members alone', () => {
    const command = { kind: 'update', codeId: A, changes: { name: 'Anne' } };
    expect(step(operation(RENAME), [bob, anna])).toEqual(sends(command));
  });

  it('is done when its members are as wanted, and another equal code proves nothing', () => {
    const anne = { ...anna, name: 'Anne' };
    expect(step(operation(RENAME), [bob, anne])).toEqual(done(A));
    expect(step(operation(RENAME, left(1)), [{ ...anne, id: B }])).toEqual(LOOK_AGAIN);
  });

  it.each<[string, readonly AccessCode[], string]>([
    ['is not listed', [bob], 'code-id-invalid'],
    ['is otherwise than the person saw it', [{ ...anna, pin: '9999' }], 'changed-meanwhile'],
    ['is read-only', [{ ...anna, readOnly: true }], 'read-only'],
    ['would take the name of another', [anna, { ...bob, name: 'ANNE' }], 'code-name-exists'],
  ])('fails when it %s', (_, codes, reason) => {
    expect(step(operation(RENAME), codes)).toMatchObject(failed(reason));
  });

  it('is judged by its new members alone', () => {
    const schedule = { kind: 'temporary', from: 0, until: 1 } as const;
    const update = { kind: 'update', codeId: A } as const;
    const renamed = step(operation({ ...update, changes: { name: 'Anne' } }), [{ ...anna, schedule }]);
    expect(renamed).toMatchObject({ kind: 'send' });
    const booked = step(operation({ ...update, changes: { schedule } }), [anna]);
    expect(booked).toMatchObject(failed('schedule-invalid'));
  });
});

describe('a code that is to be removed', () => {
  const unseen: CodeRequest = { kind: 'remove', codeId: A };

  it('is sent with the proof to look for: its absence, if it was listed', () => {
    expect(step(operation(REMOVE), [bob, anna])).toEqual(sends(unseen, [A]));
    expect(step(operation(unseen), [bob])).toEqual(sends(unseen));
  });

  it('is sent by its id also when the list lacks it, whether a person saw it there or not (faults#152)', () => {
    for (const codes of [[], [bob]]) {
      expect(step(operation(REMOVE), codes)).toEqual(sends(unseen));
    }
  });

  it('is sent again while no list has it, until the service says that it is gone (faults#152)', () => {
    const asked = (agoMs: number, codes: readonly AccessCode[]) =>
      step(operation(REMOVE, left(agoMs, [A])), codes);
    expect([asked(9_999, [bob]), asked(10_000, [bob])]).toEqual([LOOK_AGAIN, sends(unseen)]);
    expect([asked(10_000, [anna, bob]), asked(SETTLED_MS - 1, [anna])]).toEqual([LOOK_AGAIN, LOOK_AGAIN]);
    expect(step(operation(REMOVE, left(1, [A])), [anna, bob])).toEqual(LOOK_AGAIN);
    expect(step(operation(REMOVE, left(1)), [bob])).toEqual(LOOK_AGAIN);
  });

  it('fails when it differs from the code that the person saw, or is read-only', () => {
    expect(step(operation(REMOVE), [{ ...anna, pin: '9999' }])).toMatchObject(failed('changed-meanwhile'));
    expect(step(operation(REMOVE), [{ ...anna, readOnly: true }])).toMatchObject(failed('read-only'));
    // Without a code that was seen, any will do.
    expect(step(operation(unseen), [anna])).toMatchObject({ kind: 'send' });
  });

  it('and that the service does not know has been removed before, if the lock alone had it', () => {
    const ended = (rest: Partial<CodeOperation>) =>
      afterRefusal(operation(REMOVE, rest), 'code-id-invalid', null);
    expect(ended({ ...left(1), sendings: 2 })).toEqual(done(A));
    expect(ended({ sendings: 2 })).toEqual(done(A));
    expect(ended(left(1))).toBeNull();
    // While the list still has it, it may open the door.
    expect(ended({ ...left(1, [A]), sendings: 2 })).toMatchObject(failed('outcome-unknown'));
    // Refused for another reason, it may have been removed by the command before.
    const gone = afterRefusal(
      operation(REMOVE, { ...left(1, [A]), sendings: 2 }),
      'code-name-exists',
      done(A),
    );
    expect(gone).toMatchObject(failed('outcome-unknown'));
    const again = { ...left(1), sendings: 2 };
    expect(afterRefusal(operation(REMOVE, again), 'code-name-exists', null)).toMatchObject(
      failed('outcome-unknown'),
    );
    // Other refusals and other requests fail.
    const seen = { ...left(1, [A]), sendings: 2 };
    expect(afterRefusal(operation(REMOVE, seen), 'code-name-exists', null)).toBeNull();
    expect(afterRefusal(operation(REMOVE, left(1)), 'code-name-exists', null)).toBeNull();
    expect(afterRefusal(operation(RENAME, again), 'code-id-invalid', null)).toBeNull();
  });
});

describe('the removal of all codes', () => {
  const added = { ...bob, id: accessCodeId('c') };

  it('is sent while no code was added meanwhile, and leaves read-only codes out of the proof', () => {
    const sent = step(operation(REMOVE_ALL), [anna, bob, { ...added, readOnly: true }]);
    expect(sent).toEqual(sends({ kind: 'remove-all' }, [A, B]));
    expect(step(operation(REMOVE_ALL), [anna, added])).toMatchObject(failed('changed-meanwhile'));
  });

  it('is done when no code is listed any more, and names a code only if it was the only one', () => {
    const gone = (listed: readonly AccessCodeId[]) => step(operation(REMOVE_ALL, left(1, listed)), []);
    expect([gone([A, B]), gone([A])]).toEqual([done(null), done(A)]);
    expect(step(operation(REMOVE_ALL, left(1, [A, B])), [bob])).toEqual(LOOK_AGAIN);
  });
});

describe('a command whose outcome the list does not show', () => {
  it('may still take effect for 125 s, and only then is sent again', () => {
    expect(step(operation(ADD, left(SETTLED_MS - 1)), [])).toEqual(LOOK_AGAIN);
    expect(step(operation(ADD, left(SETTLED_MS)), [])).toMatchObject({ kind: 'send' });
  });

  it('is sent five times at most, and still succeeds afterwards when the list shows it', () => {
    const tired = (sendings: number) => operation(ADD, { ...left(SETTLED_MS), sendings });
    expect(step(tired(4), [])).toMatchObject({ kind: 'send' });
    expect(step(tired(5), [])).toMatchObject(failed('outcome-unknown'));
    expect(step(tired(5), [anna])).toEqual(done(A));
  });
});

describe('a refused change', () => {
  const named = (request: CodeRequest) =>
    operation(request, { sending: { at: NOW, commandId: null, codeId: B, listed: [] } });

  it('leaves a code on the list alone when the lock does not have it', () => {
    expect(straysAfter(named(RENAME), 'user-not-on-lock', null)).toEqual([{ codeId: A, only: 'list' }]);
    expect(straysAfter(named(ADD), 'user-not-on-lock', null)).toEqual([]);
  });

  it.each([
    ['lock-silent', true],
    ['general-failure', true],
    ['claims-success', true],
    ['code-not-added', false],
    ['lock-busy', false],
    ['code-exists', false],
    ['pin-out-of-range', false],
  ] as const)('of a new code, as %s: the lock alone may have it: %s', (reason, may) => {
    expect(straysAfter(named(ADD), reason, null)).toEqual(may ? [{ codeId: B, only: 'lock' }] : []);
    expect(straysAfter(named(ADD), reason, done(B))).toEqual([]);
    expect(straysAfter(named(RENAME), reason, null)).toEqual([]);
    // Nothing can be said of a code without a name.
    expect(straysAfter(operation(ADD), reason, null)).toEqual([]);
  });

  it('that the list shows all the same is done, unless the lock may not have done it', () => {
    const ended = (request: CodeRequest, reason: RefusalReason) =>
      afterRefusal(operation(request, left(1, [A, B])), reason, done(A));
    for (const request of [RENAME, REMOVE, REMOVE_ALL]) {
      expect(ended(request, 'lock-silent')).toMatchObject(failed('outcome-unknown'));
      expect(ended(request, 'unrecognised')).toMatchObject(failed('outcome-unknown'));
      expect(ended(request, 'user-not-on-lock')).toEqual(done(A));
      expect(ended(request, 'code-exists')).toEqual(request === REMOVE ? null : done(A));
    }
    expect(ended(ADD, 'lock-silent')).toEqual(done(A));
  });

  it('of a removal leaves each code that the list lacks to the lock alone', () => {
    const after = (request: CodeRequest, end: ReturnType<typeof afterRefusal>) =>
      straysAfter(operation(request, left(1, [A, B])), 'lock-silent', end).map(({ codeId }) => codeId);
    const unknown = afterRefusal(operation(REMOVE), 'lock-silent', done(A));
    const listed = afterRefusal(operation(REMOVE, left(1, [A])), 'code-id-invalid', null);
    expect(straysAfter(operation(REMOVE, left(1, [A])), 'code-id-invalid', listed)).toEqual([]);
    expect([after(REMOVE_ALL, unknown), after(REMOVE, null), after(RENAME, unknown)]).toEqual([
      [A, B],
      [],
      [],
    ]);
  });
});

describe('an operation', () => {
  it('is about one code, or about none that it names', () => {
    expect([ADD, RENAME, REMOVE, REMOVE_ALL].map(codeIdIn)).toEqual([null, A, A, null]);
  });

  it('has ended when it has succeeded or failed', () => {
    const phases = ['queued', 'waiting', 'sent', 'checking', 'done', 'failed'] as const;
    expect(phases.filter((phase) => hasEnded({ phase }))).toEqual(['done', 'failed']);
  });
});
