// What a refusal and the list say together of a command on access codes, and the codes that it may leave on one side.
import { expect, it } from 'vitest';
import { type AccessCodeId, accessCodeId } from '../../../../src/domain/codes/access-code.ts';
import { achieved, afterRefusal, type SentCommand } from '../../../../src/domain/codes/command-result.ts';
import { judgedFailure } from '../../../../src/domain/codes/failure.ts';
import type { CodeRequest } from '../../../../src/domain/codes/operation.ts';
import type { RefusalReason } from '../../../../src/domain/commands/refusal.ts';

const A = accessCodeId('a');
const B = accessCodeId('b');
const ANNA = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } } as const;

const ADD: CodeRequest = { kind: 'add', draft: ANNA };
const RENAME: CodeRequest = { kind: 'update', codeId: A, changes: { name: 'Anne' }, expected: ANNA };
const REMOVE: CodeRequest = { kind: 'remove', codeId: A, expected: ANNA };
const CLEAR: CodeRequest = { kind: 'remove-all', codeIds: [A, B] };

const done = (codeId: AccessCodeId | null) => ({ kind: 'done', codeId, isConfirmed: false }) as const;
const command = (
  request: CodeRequest,
  listed: readonly AccessCodeId[] = [],
  sendings = 1,
  codeId: AccessCodeId | null = null,
): SentCommand => ({ request, listed, sendings, codeId });
const named = (request: CodeRequest) => command(request, [], 1, B);

it('a removal is shown by the absence of codes that were listed before, and names a code only if it was the only one', () => {
  const gone = (listed: readonly AccessCodeId[]) => achieved(command(CLEAR, listed), []);
  expect([gone([A, B]), gone([A]), gone([])]).toEqual([done(null), done(A), null]);
});

/** `shown`: by the list. The end is what it shows, unknown, or a failure. */
type Row = [
  what: string,
  SentCommand,
  RefusalReason,
  shown: boolean,
  end: 'shown' | 'unknown' | 'failed' | 'done',
  strays?: string,
];

it.each<Row>([
  ['an added code', command(ADD), 'lock-silent', true, 'shown'],
  ['a code that the service had named', named(ADD), 'lock-silent', true, 'shown'],
  ['a changed code', command(RENAME), 'user-not-on-lock', true, 'shown'],
  ['a removed code', command(REMOVE, [A]), 'user-not-on-lock', true, 'shown'],
  ['removed codes', command(CLEAR, [A, B]), 'user-not-on-lock', true, 'shown'],
  ['a changed code', command(RENAME), 'code-exists', true, 'shown'],
  ['removed codes', command(CLEAR, [A, B]), 'code-exists', true, 'shown'],
  // The lock may not have done it.
  ['a changed code', command(RENAME), 'unrecognised', true, 'unknown'],
  ['a removed code', command(REMOVE, [A]), 'lock-silent', true, 'unknown', 'a lock'],
  ['removed codes', command(CLEAR, [A, B]), 'lock-silent', true, 'unknown', 'a lock b lock'],
  // A list alone proves no removal that was refused for another reason.
  ['a removed code', command(REMOVE, [A]), 'code-exists', true, 'failed'],
  [
    'a code that an earlier command may have removed',
    command(REMOVE, [A], 2),
    'code-exists',
    true,
    'unknown',
  ],
  // While the list still has it, it may open the door.
  ['a listed code, unknown to the service', command(REMOVE, [A]), 'code-id-invalid', false, 'unknown'],
  ['a listed code, asked for twice', command(REMOVE, [A], 2), 'code-name-exists', false, 'failed'],
  ['a code that no list had', command(REMOVE), 'code-id-invalid', false, 'failed'],
  ['a code of the lock alone, asked for twice', command(REMOVE, [], 2), 'code-id-invalid', false, 'done'],
  ['a code of the lock alone, asked for twice', command(REMOVE, [], 2), 'code-name-exists', false, 'unknown'],
  ['a code that no list had', command(REMOVE), 'code-name-exists', false, 'failed'],
  ['a changed code, asked for twice', command(RENAME, [], 2), 'code-id-invalid', false, 'failed'],
  // What may be on one side only.
  ['a changed code', command(RENAME), 'user-not-on-lock', false, 'failed', 'a list'],
  ['a changed code', named(RENAME), 'lock-silent', false, 'failed'],
  ['a code that the service had named', named(ADD), 'user-not-on-lock', false, 'failed'],
  ['a code that the service had named', named(ADD), 'lock-silent', false, 'failed', 'b lock'],
  ['a code that the service had named', named(ADD), 'general-failure', false, 'failed', 'b lock'],
  ['a code that the service had named', named(ADD), 'claims-success', false, 'failed', 'b lock'],
  ['a code that the service had named', named(ADD), 'code-not-added', false, 'failed'],
  ['a code that the service had named', named(ADD), 'lock-busy', false, 'failed'],
  ['a code that the service had named', named(ADD), 'code-exists', false, 'failed'],
  ['a code that the service had named', named(ADD), 'pin-out-of-range', false, 'failed'],
  ['a code without an id', command(ADD), 'lock-silent', false, 'failed'],
])('%s %j, refused as %s, listed as wanted: %s, is %s', (_, sent, reason, isShown, end, strays = '') => {
  const shown = isShown ? done(B) : null;
  const after = afterRefusal(sent, reason, shown);
  const unknown = { kind: 'failed', failure: judgedFailure('outcome-unknown') };
  expect(after.end).toEqual({ shown, failed: null, done: done(A), unknown }[end]);
  expect(after.strays.map(({ codeId, only }) => `${codeId} ${only}`).join(' ')).toBe(strays);
});
