// The next step for a row of the book on one lock: compares what is wanted, written and listed, gives the standing, and the operation that is needed unless a rule forbids it.
import type { Instant } from '../time/instant.ts';
import { absent, reconcileUnwanted } from './absence.ts';
import { type AccessCode, type CodeDraft, draftOf, matchesDraft, mayMatchDraft } from './access-code.ts';
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
  withConfirmedValues,
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
import { type CodeRequest, changesTo, codeIdIn, type RequestOf, removedBy } from './operation.ts';

export function nextStep(row: Guest, facts: GuestFacts): GuestStep {
  return isSingle(row) ? singleStep(row, facts) : nextGuestStep(row, facts);
}

function nextGuestStep(guest: Guest, facts: GuestFacts): GuestStep {
  const isWanted = isWantedOn(guest, facts.lockId, facts.isOwned);
  const draft = draftOn(guest, facts.lockId);
  const known = codeOn(guest, facts.lockId);
  // An id that a list shows on the code of another guest is this one's no more.
  const isTaken = facts.taken.some((id) => id === known?.codeId);
  const before = known !== null && isTaken ? { ...known, codeId: null } : known;
  const codes = facts.codes
    .filter(({ id }) => !facts.taken.includes(id))
    .map((listed) => withConfirmedValues(listed, before));
  const code = reconciled(before, {
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
  return isWanted
    ? reconcileWanted(draft, code, listed, facts)
    : reconcileUnwanted(draft, code, codes, facts);
}

function reconcileWanted(
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
    return attempt(code, { kind: 'add', draft: wanted }, listed, facts);
  }
  const request = {
    kind: 'update',
    codeId: listed.id,
    changes: changesTo(listed, wanted),
    expected: draftOf(listed),
  } as const;
  return attempt(code, request, listed, facts);
}

/** The difference that a person has not decided against; null: the guest's values may be written. */
function openDifference(
  wanted: CodeDraft,
  { written, decision }: GuestCode,
  listed: AccessCode | null,
): GuestStanding | null {
  const isOurs = (draft: CodeDraft | null): boolean =>
    listed !== null && draft !== null && mayMatchDraft(listed, draft);
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
  const { request, sendings } = row.single;
  const code = codeOn(row, facts.lockId) ?? unknownCode(facts.lockId);
  switch (request.kind) {
    case 'add':
    case 'update':
      return write(request, code, facts);
    case 'remove':
    case 'remove-all':
      return remove(request, sendings, code, facts);
  }
}

/** What was sent may still take effect. */
function isOpen({ unsettledUntil }: GuestCode, { now }: GuestFacts): boolean {
  return unsettledUntil !== null && now < unsettledUntil;
}

function write(request: RequestOf<'add' | 'update'>, code: GuestCode, facts: GuestFacts): GuestStep {
  const found = facts.codes.find(({ id }) => id === codeIdIn(request)) ?? null;
  const done = achieved({ request, listed: [] }, facts.codes);
  if (done !== null) {
    return rest({ ...code, codeId: done.codeId }, UP_TO_DATE, found);
  }
  if (isOpen(code, facts)) {
    return rest(code, SETTLING, found);
  }
  if (request.kind === 'update' && found === null) {
    return refused(code, 'code-id-invalid');
  }
  return isAsSeen(request, found) ? attempt(code, request, found, facts) : refused(code, 'changed-meanwhile');
}

/**
 * A list without the code may be wrong: the removal is sent all the same, and what no list has is then asked for by its id (faults#152).
 * The removal of all ends once a lost command can no longer take effect: it would take later codes, too.
 */
function remove(
  request: RequestOf<'remove' | 'remove-all'>,
  sendings: number,
  before: GuestCode,
  facts: GuestFacts,
): GuestStep {
  const ids = request.kind === 'remove' ? [request.codeId] : request.codeIds;
  const listed = removedBy(request, facts.codes);
  const [codeId = null] = ids;
  const [found = null] = request.kind === 'remove' ? listed : [];
  const isUnlisted = ids.length > 0 && listed.length === 0;
  const code = { ...before, codeId, absent: isUnlisted ? before.absent : null };
  if (isOpen(code, facts) && !isUnlisted) {
    return rest(code, SETTLING, found);
  }
  if (!isAsSeen(request, found) || listed.some(({ id }) => !ids.includes(id))) {
    return refused(code, 'changed-meanwhile');
  }
  if (sendings === 0 || listed.length > 0) {
    return attempt(code, request, found, facts);
  }
  return isUnlisted ? absent(code, facts) : rest(code, UP_TO_DATE, null);
}

/** Whether the lock has the code as the person saw it. */
function isAsSeen(request: CodeRequest, found: AccessCode | null): boolean {
  const expected = 'expected' in request ? request.expected : undefined;
  return found === null || expected === undefined || matchesDraft(found, expected);
}

function refused(code: GuestCode, reason: JudgedReason): GuestStep {
  return rest(code, { kind: 'refused', failure: judgedFailure(reason) }, null);
}

/** The end that this standing is for a single change; null: it goes on. */
export function endOfSingle({ standing, code }: GuestStep): CodeEnd | null {
  if (standing.kind === 'up-to-date') {
    return { kind: 'done', codeId: code?.codeId ?? null, isConfirmed: false };
  }
  return standing.kind === 'refused' ? { kind: 'failed', failure: standing.failure } : null;
}
