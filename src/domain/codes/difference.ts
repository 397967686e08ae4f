// The next step for a row of the book on one lock: compares what is wanted, written and listed, gives the standing, and the operation that is needed unless a rule forbids it.
import type { Instant } from '../time/instant.ts';
import { absent, takeAway } from './absence.ts';
import { type AccessCode, type CodeDraft, draftOf, matchesDraft } from './access-code.ts';
import { reconciled, unknownCode } from './code-machine.ts';
import { achieved, type CodeEnd } from './command-result.ts';
import { type JudgedReason, judgedFailure } from './failure.ts';
import {
  codeOn,
  draftOn,
  type Guest,
  type GuestCode,
  isSingle,
  isWantedOn,
  type SingleRow,
  wantedBy,
} from './guest.ts';
import {
  attempt,
  type GuestFacts,
  type GuestStanding,
  type GuestStep,
  rest,
  SETTLING,
  UP_TO_DATE,
} from './guest-step.ts';
import { type CodeRequest, changesTo } from './operation.ts';

export function nextStep(row: Guest, facts: GuestFacts): GuestStep {
  return isSingle(row) ? singleStep(row, facts) : nextGuestStep(row, facts);
}

function nextGuestStep(guest: Guest, facts: GuestFacts): GuestStep {
  const isWanted = isWantedOn(guest, facts.lockId, facts.isOwned);
  const draft = draftOn(guest, facts.lockId);
  const codes = facts.codes.filter(({ id }) => !facts.taken.includes(id));
  const code = reconciled(codeOn(guest, facts.lockId), {
    lockId: facts.lockId,
    codes,
    wanted: isWanted ? draft : null,
    now: facts.now,
  });
  const listed = codes.find(({ id }) => id === code.codeId) ?? null;
  if (code.unsettledUntil !== null) {
    return rest(code, SETTLING, listed);
  }
  if (isWanted && guest.isProposed === true) {
    return rest(code, { kind: 'proposed' }, listed);
  }
  return isWanted ? keepTrue(draft, code, listed, facts) : takeAway(draft, code, codes, facts);
}

function keepTrue(
  wanted: CodeDraft,
  code: GuestCode,
  listed: AccessCode | null,
  facts: GuestFacts,
): GuestStep {
  if (listed !== null && matchesDraft(listed, wanted)) {
    return rest(code, UP_TO_DATE, listed);
  }
  if (listed === null && isOver(wanted, facts.now)) {
    return rest(code, { kind: 'ended' }, listed);
  }
  const isNew = code.written === null && (listed === null || isStoredOtherwise(listed, code));
  const open = isNew ? null : openDifference(wanted, code, listed);
  if (open !== null) {
    return rest(code, open, listed);
  }
  if (listed === null) {
    return attempt(code, { kind: 'add', draft: wanted }, wanted, listed, facts);
  }
  const request = {
    kind: 'update',
    codeId: listed.id,
    changes: changesTo(listed, wanted),
    expected: draftOf(listed),
  } as const;
  return attempt(code, request, wanted, listed, facts);
}

/** The difference that a person has not decided against; null: the guest's values may be written. */
function openDifference(
  wanted: CodeDraft,
  { written, decision }: GuestCode,
  listed: AccessCode | null,
): GuestStanding | null {
  const isOurs = (draft: CodeDraft | null): boolean =>
    listed !== null && draft !== null && matchesDraft(listed, draft);
  if (isOurs(written) || isOurs(wanted)) {
    return null;
  }
  if (decision !== null) {
    return decision.choice === 'keep' ? { kind: 'kept' } : null;
  }
  if (listed === null) {
    return { kind: 'removed-elsewhere' };
  }
  const { name, schedule } = listed;
  const changes = changesTo(listed, wanted);
  const fields = (['name', 'pin', 'schedule'] as const).filter((field) => changes[field] !== undefined);
  return { kind: 'differs', fields, found: { name, schedule } };
}

/** The service stored a new code with other times than were sent. Other digits are a change by somebody else. */
function isStoredOtherwise({ name, pin }: AccessCode, { attempted }: GuestCode): boolean {
  return attempted.some((draft) => draft.name === name && draft.pin === pin);
}

function isOver({ schedule }: CodeDraft, now: Instant): boolean {
  return schedule.kind === 'temporary' && schedule.until <= now;
}

/** The lock itself says what it does not take: a person waits for its answer. */
function singleStep(row: SingleRow, given: GuestFacts): GuestStep {
  const facts: GuestFacts = { ...given, presence: 'reachable', isOwned: true };
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
    return rest({ ...code, absent: null }, SETTLING, found);
  }
  switch (request.kind) {
    case 'add':
      return attempt(code, request, request.draft, null, facts);
    case 'update':
      return found === null
        ? refused(code, 'code-id-invalid')
        : attemptAsSeen(code, request, found, wantedBy(request, found), facts);
    case 'remove':
      if (found !== null) {
        return attemptAsSeen({ ...code, absent: null }, request, found, null, facts);
      }
      // A list without the code may be wrong: the removal is sent all the same (faults#152).
      return row.single.sendings === 0
        ? attempt({ ...code, codeId: request.codeId }, request, null, null, facts)
        : absent({ ...code, codeId: request.codeId }, facts);
    case 'remove-all':
      return removeAll(request, row.single.sendings, code, facts);
  }
}

/** No list has what is to be removed: its absence is to be proven, and its removal is asked for by id. */
function isUnlisted(request: CodeRequest, codes: GuestFacts['codes']): boolean {
  return request.kind === 'remove'
    ? codes.every(({ id }) => id !== request.codeId)
    : request.kind === 'remove-all' && request.codeIds.length > 0 && codes.every(({ readOnly }) => readOnly);
}

/** The end that this standing is for a single change; null: it goes on. */
export function endOfSingle({ standing, code }: GuestStep): CodeEnd | null {
  if (standing.kind === 'up-to-date') {
    return { kind: 'done', codeId: code?.codeId ?? null, isConfirmed: false };
  }
  return standing.kind === 'refused' ? { kind: 'failed', failure: standing.failure } : null;
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

/**
 * All codes are removed together. Where the answer to that was lost and no list has one, each is asked for by its id (faults#152).
 * It ends once the lost command can no longer take effect: it would take later codes, too.
 */
function removeAll(
  request: Extract<CodeRequest, { readonly kind: 'remove-all' }>,
  sendings: number,
  code: GuestCode,
  facts: GuestFacts,
): GuestStep {
  const { codeIds } = request;
  const listed = facts.codes.filter(({ readOnly }) => !readOnly);
  if (listed.some(({ id }) => !codeIds.includes(id))) {
    return refused(code, 'changed-meanwhile');
  }
  if (sendings === 0 || listed.length > 0) {
    return attempt({ ...code, absent: null }, request, null, null, facts);
  }
  const [codeId] = codeIds;
  return codeId === undefined ? rest(code, UP_TO_DATE, null) : absent({ ...code, codeId }, facts);
}

function refused(code: GuestCode, reason: JudgedReason): GuestStep {
  return rest(code, { kind: 'refused', failure: judgedFailure(reason) }, null);
}
