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
import {
  afterUnknownId,
  type CodeStepFacts,
  nextCodeStep,
  strayAfter,
} from '../../../../src/domain/codes/operation-policy.ts';
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

const failed = (reason: string) => ({ kind: 'failed', failure: { reason } });

describe('a code that is to be added', () => {
  it('is sent once no rule forbids it', () => {
    expect(step(operation(ADD), [bob])).toEqual({
      kind: 'send',
      command: { kind: 'add', draft: ANNA },
      listed: [],
    });
    expect(step(operation(ADD), [{ ...bob, pin: '4711' }])).toEqual({
      kind: 'failed',
      failure: {
        reason: 'code-exists',
        field: 'pin',
        words: message('Another code on this lock is the same. Choose a different one.'),
      },
    });
  });

  it('is done as soon as the list has an equal code, whoever made it', () => {
    expect(step(operation(ADD), [bob, anna])).toEqual({ kind: 'done', codeId: A, isConfirmed: false });
    expect(step(operation(ADD, left(1)), [anna])).toEqual({ kind: 'done', codeId: A, isConfirmed: false });
  });
});

describe('a code that is to be changed', () => {
  it('is sent with its changed members alone', () => {
    expect(step(operation(RENAME), [bob, anna])).toEqual({
      kind: 'send',
      command: { kind: 'update', codeId: A, changes: { name: 'Anne' } },
      listed: [],
    });
  });

  it('is done when its members are as wanted, and another equal code proves nothing', () => {
    const anne = { ...anna, name: 'Anne' };
    expect(step(operation(RENAME), [bob, anne])).toEqual({ kind: 'done', codeId: A, isConfirmed: false });
    expect(step(operation(RENAME, left(1)), [{ ...anne, id: B }])).toEqual({ kind: 'look-again' });
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
    const over = { ...anna, schedule: { kind: 'temporary', from: 0, until: 1 } } as const;
    const rename: CodeRequest = { kind: 'update', codeId: A, changes: { name: 'Anne' } };
    expect(step(operation(rename), [over])).toMatchObject({ kind: 'send' });
    const again: CodeRequest = { kind: 'update', codeId: A, changes: { schedule: over.schedule } };
    expect(step(operation(again), [anna])).toMatchObject(failed('schedule-invalid'));
  });
});

describe('a code that is to be removed', () => {
  it('is sent with the proof to look for: its absence, if it was listed', () => {
    const command = { kind: 'remove', codeId: A };
    expect(step(operation(REMOVE), [bob, anna])).toEqual({ kind: 'send', command, listed: [A] });
    const unseen: CodeRequest = { kind: 'remove', codeId: A };
    expect(step(operation(unseen), [bob])).toEqual({ kind: 'send', command, listed: [] });
    // A code that was seen, and is listed no more, may have another id, and somebody else's code this one (faults#116).
    expect(step(operation(REMOVE), [bob])).toMatchObject(failed('changed-meanwhile'));
  });

  it('is done when it was listed and is no longer', () => {
    expect(step(operation(REMOVE, left(1, [A])), [bob])).toEqual({
      kind: 'done',
      codeId: A,
      isConfirmed: false,
    });
    expect(step(operation(REMOVE, left(1, [A])), [anna, bob])).toEqual({ kind: 'look-again' });
    expect(step(operation(REMOVE, left(1)), [bob])).toEqual({ kind: 'look-again' });
  });

  it('fails when it differs from the code that the person saw, or is read-only', () => {
    expect(step(operation(REMOVE), [{ ...anna, pin: '9999' }])).toMatchObject(failed('changed-meanwhile'));
    expect(step(operation(REMOVE), [{ ...anna, readOnly: true }])).toMatchObject(failed('read-only'));
    // Without a code that was seen, any will do.
    expect(step(operation({ kind: 'remove', codeId: A }), [anna])).toMatchObject({ kind: 'send' });
  });
});

describe('the removal of all codes', () => {
  it('is sent while no code was added meanwhile, and leaves read-only codes out of the proof', () => {
    const readOnly = { ...bob, id: accessCodeId('c'), readOnly: true };
    expect(step(operation(REMOVE_ALL), [anna, bob, readOnly])).toEqual({
      kind: 'send',
      command: { kind: 'remove-all' },
      listed: [A, B],
    });
    expect(step(operation(REMOVE_ALL), [anna, { ...bob, id: accessCodeId('c') }])).toMatchObject(
      failed('changed-meanwhile'),
    );
  });

  it('is done when no code is listed any more, and names a code only if it was the only one', () => {
    const gone = (listed: readonly AccessCodeId[]) => step(operation(REMOVE_ALL, left(1, listed)), []);
    expect(gone([A, B])).toEqual({ kind: 'done', codeId: null, isConfirmed: false });
    expect(gone([A])).toEqual({ kind: 'done', codeId: A, isConfirmed: false });
    expect(step(operation(REMOVE_ALL, left(1, [A, B])), [bob])).toEqual({ kind: 'look-again' });
  });
});

describe('a command whose outcome the list does not show', () => {
  it('may still take effect for 125 s, and only then is sent again', () => {
    expect(step(operation(ADD, left(SETTLED_MS - 1)), [])).toEqual({ kind: 'look-again' });
    expect(step(operation(ADD, left(SETTLED_MS)), [])).toMatchObject({ kind: 'send' });
  });

  it('is sent five times at most, and still succeeds afterwards when the list shows it', () => {
    const tired = (sendings: number) => operation(ADD, { ...left(SETTLED_MS), sendings });
    expect(step(tired(4), [])).toMatchObject({ kind: 'send' });
    expect(step(tired(5), [])).toMatchObject(failed('outcome-unknown'));
    expect(step(tired(5), [anna])).toEqual({ kind: 'done', codeId: A, isConfirmed: false });
  });
});

describe('a removal of a code that the service does not know', () => {
  it('has succeeded before, if the lock alone had the code and this is another try', () => {
    expect(afterUnknownId(operation(REMOVE, { ...left(1), sendings: 2 }), 'code-id-invalid')).toEqual({
      kind: 'done',
      codeId: A,
      isConfirmed: false,
    });
    expect(afterUnknownId(operation(REMOVE, left(1)), 'code-id-invalid')).toBeNull();
    expect(afterUnknownId(operation(REMOVE, { sendings: 2 }), 'code-id-invalid')).toMatchObject({
      kind: 'done',
    });
  });

  it('has failed while the list still has the code: it may open the door', () => {
    const still = operation(REMOVE, { ...left(1, [A]), sendings: 2 });
    expect(afterUnknownId(still, 'code-id-invalid')).toMatchObject(failed('outcome-unknown'));
  });

  it('is the only such case: other refusals and other requests fail', () => {
    expect(afterUnknownId(operation(REMOVE, { ...left(1), sendings: 2 }), 'lock-busy')).toBeNull();
    expect(afterUnknownId(operation(RENAME, { ...left(1), sendings: 2 }), 'code-id-invalid')).toBeNull();
  });
});

describe('a refused change', () => {
  const named = (request: CodeRequest) =>
    operation(request, { sending: { at: NOW, commandId: null, codeId: B, listed: [] } });

  it('leaves a code on the list alone when the lock does not have it', () => {
    expect(strayAfter(named(RENAME), 'user-not-on-lock')).toEqual({ codeId: A, only: 'list' });
    expect(strayAfter(named(ADD), 'user-not-on-lock')).toBeNull();
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
    expect(strayAfter(named(ADD), reason)).toEqual(may ? { codeId: B, only: 'lock' } : null);
    expect(strayAfter(named(RENAME), reason)).toBeNull();
    // Nothing can be said of a code without a name.
    expect(strayAfter(operation(ADD), reason)).toBeNull();
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
