// What a refusal and the list say together of a command on access codes, and the codes that it may leave on one side.
import { describe, expect, it } from 'vitest';
import { type AccessCodeId, accessCodeId } from '../../../../src/domain/codes/access-code.ts';
import {
  achieved,
  afterRefusal,
  type SentCommand,
  straysAfter,
} from '../../../../src/domain/codes/command-result.ts';
import type { CodeRequest } from '../../../../src/domain/codes/operation.ts';
import type { RefusalReason } from '../../../../src/domain/commands/refusal.ts';

const A = accessCodeId('a');
const B = accessCodeId('b');
const ANNA = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } } as const;

const ADD: CodeRequest = { kind: 'add', draft: ANNA };
const RENAME: CodeRequest = { kind: 'update', codeId: A, changes: { name: 'Anne' }, expected: ANNA };
const REMOVE: CodeRequest = { kind: 'remove', codeId: A, expected: ANNA };
const REMOVE_ALL: CodeRequest = { kind: 'remove-all', codeIds: [A, B] };

const command = (request: CodeRequest, listed: readonly AccessCodeId[] = [], sendings = 1): SentCommand => ({
  request,
  listed,
  sendings,
  codeId: null,
});
const done = (codeId: AccessCodeId | null) => ({ kind: 'done', codeId, isConfirmed: false }) as const;
const unknown = { kind: 'failed', failure: { reason: 'outcome-unknown' } };

it('a removal is shown by the absence of codes that were listed before, and names a code only if it was the only one', () => {
  const gone = (listed: readonly AccessCodeId[]) => achieved(command(REMOVE_ALL, listed), []);
  expect([gone([A, B]), gone([A]), gone([])]).toEqual([done(null), done(A), null]);
});

it('a removal of a code that the service does not know was done before, if the lock alone had it', () => {
  const ended = (
    listed: readonly AccessCodeId[],
    sendings: number,
    reason: RefusalReason = 'code-id-invalid',
  ) => afterRefusal(command(REMOVE, listed, sendings), reason, null);
  expect([ended([], 2), ended([], 1)]).toEqual([done(A), null]);
  // While the list still has it, it may open the door.
  expect(ended([A], 2)).toMatchObject(unknown);
  // Refused for another reason, it may have been removed by the command before.
  expect(afterRefusal(command(REMOVE, [A], 2), 'code-name-exists', done(A))).toMatchObject(unknown);
  expect(ended([], 2, 'code-name-exists')).toMatchObject(unknown);
  // Other refusals and other requests fail.
  expect([ended([A], 2, 'code-name-exists'), ended([], 1, 'code-name-exists')]).toEqual([null, null]);
  expect(afterRefusal(command(RENAME, [], 2), 'code-id-invalid', null)).toBeNull();
});

describe('a refused change', () => {
  const named = (request: CodeRequest): SentCommand => ({ ...command(request), codeId: B });

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
    expect(straysAfter(command(ADD), reason, null)).toEqual([]);
  });

  it('that the list shows all the same is done, unless the lock may not have done it', () => {
    const ended = (request: CodeRequest, reason: RefusalReason) =>
      afterRefusal(command(request, [A, B]), reason, done(A));
    for (const request of [RENAME, REMOVE, REMOVE_ALL]) {
      expect(ended(request, 'lock-silent')).toMatchObject(unknown);
      expect(ended(request, 'unrecognised')).toMatchObject(unknown);
      expect(ended(request, 'user-not-on-lock')).toEqual(done(A));
      expect(ended(request, 'code-exists')).toEqual(request === REMOVE ? null : done(A));
    }
    expect(ended(ADD, 'lock-silent')).toEqual(done(A));
  });

  it('of a removal leaves each code that the list lacks to the lock alone', () => {
    const after = (request: CodeRequest, end: ReturnType<typeof afterRefusal>) =>
      straysAfter(command(request, [A, B]), 'lock-silent', end).map(({ codeId }) => codeId);
    const contradicted = afterRefusal(command(REMOVE), 'lock-silent', done(A));
    const listed = afterRefusal(command(REMOVE, [A]), 'code-id-invalid', null);
    expect(straysAfter(command(REMOVE, [A]), 'code-id-invalid', listed)).toEqual([]);
    expect([after(REMOVE_ALL, contradicted), after(REMOVE, null), after(RENAME, contradicted)]).toEqual([
      [A, B],
      [],
      [],
    ]);
  });
});
