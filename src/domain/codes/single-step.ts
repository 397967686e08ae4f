// The next step of a single change of one lock's codes, by the list of the lock and what was sent before.
import { absenceStep, UNPROVEN } from './absence.ts';
import { type AccessCodeId, type CodeDraft, draftOf, matchesDraft } from './access-code.ts';
import { unknownCode } from './code-machine.ts';
import { achieved, type CodeEnd } from './command-result.ts';
import { type JudgedReason, judgedFailure } from './failure.ts';
import { codeOn, type Guest, type GuestCode } from './guest.ts';
import { absent } from './guest-policy.ts';
import {
  attempt,
  CHECKING,
  type GuestFacts,
  type GuestStanding,
  type GuestStep,
  rest,
} from './guest-step.ts';
import type { CodeRequest, SingleChange } from './operation.ts';

/** The row of a single change, on the one lock that it names. */
export type SingleRow = Guest & { readonly single: SingleChange };

const UP_TO_DATE: GuestStanding = { kind: 'up-to-date' };
const CHECKS: GuestStanding = { kind: 'waiting', words: CHECKING, retryAt: null, isSettling: true };

/** `name`: of the code; null where it is not known. */
export function rowOfSingle(id: string, single: SingleChange, name: string | null): SingleRow {
  const unnamed: CodeDraft = { name: name ?? '', pin: '', schedule: { kind: 'unrecognised' } };
  const draft = wantedBy(single.request, null) ?? unnamed;
  return { id, draft, locks: [single.lockId], isLeaving: false, revision: 0, codes: [], single };
}

export function isSingle(row: Guest): row is SingleRow {
  return row.single !== undefined;
}

export function singleStep(row: SingleRow, facts: GuestFacts): GuestStep {
  const { codes, now, lockId } = facts;
  const { request } = row.single;
  const code = codeOn(row, lockId) ?? unknownCode(lockId);
  const found = codes.find(({ id }) => 'codeId' in request && id === request.codeId) ?? null;
  const isOpen = code.unsettledUntil !== null && now < code.unsettledUntil;
  const done = achieved({ request, listed: [] }, codes);
  if (done !== null) {
    return rest({ ...code, codeId: done.codeId }, UP_TO_DATE, found);
  }
  if (isOpen && !isUnlisted(request, codes)) {
    return rest({ ...code, absent: null }, CHECKS, found);
  }
  switch (request.kind) {
    case 'add':
      return attempt(code, request, request.draft, null, facts);
    case 'update':
      return found === null
        ? refused(code, 'code-id-invalid')
        : attemptAsSeen(code, request, found, wantedBy(request, found), facts);
    case 'remove':
      return found === null
        ? removeUnlisted(row.single, { ...code, codeId: request.codeId }, facts)
        : attemptAsSeen({ ...code, absent: null }, request, found, null, facts);
    case 'remove-all':
      return removeAll(row.single, request.codeIds, code, facts);
  }
}

/** No list has what is to be removed: its absence is to be proven, and the removal may be sent again. */
function isUnlisted(request: CodeRequest, codes: GuestFacts['codes']): boolean {
  return request.kind === 'remove'
    ? codes.every(({ id }) => id !== request.codeId)
    : request.kind === 'remove-all' && codes.every(({ readOnly }) => readOnly);
}

/** A list without the code may be wrong: the removal is sent all the same (faults#152). */
function removeUnlisted({ request, sendings }: SingleChange, code: GuestCode, facts: GuestFacts): GuestStep {
  return sendings === 0 ? attempt(code, request, null, null, facts) : absent(code, facts);
}

/** What the code is to be; null: gone. */
export function wantedBy(request: CodeRequest, found: CodeDraft | null): CodeDraft | null {
  return request.kind === 'add'
    ? request.draft
    : request.kind === 'update' && found !== null
      ? { ...draftOf(found), ...request.changes }
      : null;
}

/** The end that this standing is for a single change; null: it goes on. */
export function endOfSingle({ standing, code }: GuestStep): CodeEnd | null {
  if (standing.kind === 'up-to-date') {
    return { kind: 'done', codeId: code?.codeId ?? null, isConfirmed: false };
  }
  return standing.kind === 'refused' ? { kind: 'failed', failure: standing.failure } : null;
}

/** The change was given up: what was sent may have happened. */
export function givenUp({ sendings }: SingleChange): JudgedReason | 'not-sent' {
  return sendings === 0 ? 'not-sent' : 'outcome-unknown';
}

function attemptAsSeen(
  code: GuestCode,
  request: Extract<CodeRequest, { readonly kind: 'update' | 'remove' }>,
  found: NonNullable<GuestStep['found']>,
  target: CodeDraft | null,
  facts: GuestFacts,
): GuestStep {
  const isAsSeen = request.expected === undefined || matchesDraft(found, request.expected);
  return isAsSeen ? attempt(code, request, target, found, facts) : refused(code, 'changed-meanwhile');
}

/** All codes are removed together. Where the answer to that was lost and no list has one, each is asked for by its id (faults#152). */
function removeAll(
  { request, sendings }: SingleChange,
  codeIds: readonly AccessCodeId[],
  code: GuestCode,
  facts: GuestFacts,
): GuestStep {
  const { codes, listedAt } = facts;
  const listed = codes.filter(({ readOnly }) => !readOnly);
  if (listed.some(({ id }) => !codeIds.includes(id))) {
    return refused(code, 'changed-meanwhile');
  }
  if (sendings === 0 || listed.length > 0) {
    return attempt({ ...code, absent: null }, request, null, null, facts);
  }
  const [codeId] = codeIds;
  const known = { ...UNPROVEN, since: code.absent?.since ?? listedAt };
  const step = absenceStep(known, listedAt, { mayAsk: codeId !== undefined });
  if (step === 'ask' && codeId !== undefined) {
    return attempt({ ...code, absent: known }, { kind: 'remove', codeId }, null, null, facts);
  }
  return step === 'proven'
    ? rest({ ...code, absent: null }, UP_TO_DATE, null)
    : rest({ ...code, absent: known }, { kind: 'on-its-way' }, null);
}

/** What is left of a change after one of its commands is done; null: nothing. */
export function leftAfter(single: SingleChange, sent: CodeRequest): SingleChange | null {
  const { request, sendings } = single;
  if (request.kind !== 'remove-all' || sent.kind !== 'remove') {
    return null;
  }
  const codeIds = request.codeIds.filter((id) => id !== sent.codeId);
  return codeIds.length === 0
    ? null
    : { ...single, request: { ...request, codeIds }, sendings: sendings - 1 };
}

function refused(code: GuestCode, reason: JudgedReason): GuestStep {
  return rest(code, { kind: 'refused', failure: judgedFailure(reason) }, null);
}
