// The next step of a single change of a lock's codes: the command, the proof of its success, and what refuses it.
import { expect, it } from 'vitest';
import { type AccessCode, accessCodeId, type CodeDraft } from '../../../../src/domain/codes/access-code.ts';
import { endOfSingle, nextStep } from '../../../../src/domain/codes/difference.ts';
import { rowOfSingle } from '../../../../src/domain/codes/guest.ts';
import type { CodeRequest } from '../../../../src/domain/codes/operation.ts';
import {
  APPS,
  DOOR,
  factsOf,
  ID,
  listed,
  NOW,
  OTHER_ID,
  UNKNOWN,
  WANTED,
} from '../../../support/guest-codes.ts';

const BOB: CodeDraft = { name: 'Bob', pin: '2580', schedule: { kind: 'always' } };
const OVER = { kind: 'temporary', from: 0, until: 1 } as const;
const anna = listed(WANTED);
const bob = listed(BOB, OTHER_ID);

const ADD: CodeRequest = { kind: 'add', draft: WANTED };
const RENAME: CodeRequest = { kind: 'update', codeId: ID, changes: { name: 'Anne' }, expected: WANTED };
const REMOVE: CodeRequest = { kind: 'remove', codeId: ID, expected: WANTED };
const CLEAR: CodeRequest = { kind: 'remove-all', codeIds: [ID, OTHER_ID] };

/** The command that is sent, how it stands or why it ends. `until`: so long may a command that was sent take effect. */
function step(request: CodeRequest, codes: readonly AccessCode[], until: number | null = null): string {
  const single = { lockId: DOOR, request, requestedAt: NOW, sendings: until === null ? 0 : 1 };
  const sent = until === null ? [] : [{ ...UNKNOWN, sending: { draft: null }, unsettledUntil: until }];
  const next = nextStep({ ...rowOfSingle('r', single, null), codes: sent }, factsOf(codes));
  const end = endOfSingle(next);
  return end === null
    ? (next.request?.kind ?? next.standing.kind)
    : end.kind === 'done'
      ? `done ${end.codeId ?? ''}`
      : end.failure.reason;
}

it.each<[string, CodeRequest, readonly AccessCode[], string]>([
  ['an added code', ADD, [bob], 'add'],
  ['an added code whose digits another has', ADD, [{ ...bob, pin: WANTED.pin }], 'code-exists'],
  ['an added code that is there, whoever made it', ADD, [bob, anna], `done ${ID}`],
  ['a changed code', RENAME, [bob, anna], 'update'],
  ['a code that is as it should be', RENAME, [bob, listed(APPS)], `done ${ID}`],
  ['a code that only another one is like', RENAME, [listed(APPS, OTHER_ID)], 'code-id-invalid'],
  ['a code that is otherwise than seen', RENAME, [{ ...anna, pin: '9999' }], 'changed-meanwhile'],
  ['a read-only code', RENAME, [{ ...anna, readOnly: true }], 'read-only'],
  ['a name that another has', RENAME, [anna, { ...bob, name: 'ANNE' }], 'code-name-exists'],
  [
    'a new name where the schedule is over',
    { ...RENAME, expected: { ...WANTED, schedule: OVER } },
    [{ ...anna, schedule: OVER }],
    'update',
  ],
  ['a schedule that is over', { ...RENAME, changes: { schedule: OVER } }, [anna], 'schedule-invalid'],
  ['a removed code', REMOVE, [anna, bob], 'remove'],
  ['a removed code that no list has (faults#152)', REMOVE, [bob], 'remove'],
  ['a removed code that is otherwise than seen', REMOVE, [{ ...anna, pin: '9999' }], 'changed-meanwhile'],
  ['a removed code that nobody saw', { kind: 'remove', codeId: ID }, [{ ...anna, pin: '9999' }], 'remove'],
  ['all codes', CLEAR, [anna, bob, { ...bob, id: accessCodeId('c'), readOnly: true }], 'remove-all'],
  ['all codes and a later one', CLEAR, [anna, { ...bob, id: accessCodeId('c') }], 'changed-meanwhile'],
])('%s', (_, request, codes, expected) => {
  expect(step(request, codes)).toBe(expected);
});

it('what was sent may take effect for 125 s, and only then is sent again', () => {
  expect([NOW + 1, NOW].map((until) => step(ADD, [], until))).toEqual(['waiting', 'add']);
  expect([NOW + 1, NOW].map((until) => step(REMOVE, [anna], until))).toEqual(['waiting', 'remove']);
  const none: CodeRequest = { kind: 'remove-all', codeIds: [] };
  expect([NOW + 1, NOW].map((until) => step(none, [], until))).toEqual(['waiting', 'done ']);
});
