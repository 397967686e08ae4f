// The state of a guest's code on one lock: folds in listed codes, ends of operations, and decisions of a person.

import { isRefusalReason, type RefusalHandling, refusalHandling } from '../commands/refusal.ts';
import type { LockId } from '../locks/lock.ts';
import type { Instant } from '../time/instant.ts';
import {
  type AccessCode,
  type CodeDraft,
  draftOf,
  hasHiddenPin,
  matchesDraft,
  mayMatchDraft,
} from './access-code.ts';
import { type CommandEnd, MAY_BE_STORED } from './command-result.ts';
import { type CodeFailure, type CodeFailureReason, isUnsettled, judgedFailure } from './failure.ts';
import { type Absence, draftsOn, type GuestCode, type GuestDecision, latestDraftsOn } from './guest.ts';
import { pauseMs, SETTLED_AFTER_MS } from './retry-policy.ts';

/** So many former codes of a guest are looked for on a lock (our choice). */
const MOST_FORMER = 20;

export interface ListedFacts {
  readonly lockId: LockId;
  /** The codes as listed now, without those of other guests. */
  readonly codes: readonly AccessCode[];
  /** The wanted code; null when it is to be removed. */
  readonly wanted: CodeDraft | null;
  readonly now: Instant;
}

/** The state after the list was read, while no operation is under way on the lock. */
export function reconciled(before: GuestCode | null, facts: ListedFacts): GuestCode {
  const code = before ?? unknownCode(facts.lockId);
  const drafts = [code.sending?.draft ?? null, facts.wanted].filter((draft) => draft !== null);
  const own = facts.codes.find(({ id }) => id === code.codeId);
  const as = (draft: CodeDraft): AccessCode | undefined =>
    own !== undefined && matchesDraft(own, draft)
      ? own
      : facts.codes.find((listed) => matchesDraft(listed, draft));
  // When a listed code is as wanted, it counts as the guest's, whoever made it: to add it again would make a double.
  const found = drafts.map(as).find((listed) => listed !== undefined);
  if (found !== undefined) {
    return matched(code, found, facts);
  }
  // The service may have given the code another id, and a failed operation may have stored it: its members tell more than its id.
  const twin = latestDraftsOn(code)
    .map(as)
    .find((listed) => listed !== undefined);
  if (twin !== undefined) {
    return unseen({ ...code, codeId: twin.id, written: draftOf(twin) }, twin, facts);
  }
  const added = code.codeId === null ? addedWithHiddenDigits(code, facts.codes) : undefined;
  return added === undefined ? unseen(code, own, facts) : unseen({ ...code, codeId: added.id }, added, facts);
}

/** The name was free when the code was sent, so it is the one that was sent; its digits are sent once more to be sure. */
function addedWithHiddenDigits(
  { attempted }: GuestCode,
  codes: readonly AccessCode[],
): AccessCode | undefined {
  return codes.find(
    (listed) => hasHiddenPin(listed) && attempted.some((draft) => mayMatchDraft(listed, draft)),
  );
}

/** The lock has the code that was sent, or the wanted one. */
function matched(code: GuestCode, listed: AccessCode, { wanted }: ListedFacts): GuestCode {
  const written = draftOf(listed);
  const isDone = wanted !== null && matchesDraft(written, wanted);
  const open = isDone ? { decision: null, setback: null, left: [] } : {};
  return {
    ...code,
    codeId: listed.id,
    written,
    attempted: [],
    former: formerIn(code, written),
    sending: null,
    unsettledUntil: null,
    absent: null,
    ...open,
  };
}

/** A list that lacks a code may be wrong, so former digits are looked for until the guest goes. */
function formerIn(code: GuestCode, { pin }: CodeDraft): readonly CodeDraft[] {
  const others = new Map(draftsOn(code).map((draft) => [draft.pin, draft]));
  others.delete(pin);
  return [...others.values()].slice(-MOST_FORMER);
}

/** The list does not show the sent change. After the settling time, that proves that it did not happen. */
function unseen(
  code: GuestCode,
  found: AccessCode | undefined,
  { codes, wanted, now }: ListedFacts,
): GuestCode {
  const isRemoval = code.sending !== null && code.sending.draft === null;
  if (found === undefined && wanted !== null && (isRemoval || code.absent !== null)) {
    // The plugin removed the code itself, and may add it again; until a list shows the code, the former one may still be there.
    return { ...unknownCode(code.lockId), attempted: latestDraftsOn(code), former: code.former };
  }
  const isSettled =
    code.unsettledUntil === null || now >= code.unsettledUntil || (found === undefined && isRemoval);
  return {
    ...code,
    decision: isStillSeen(code.decision, found, wanted === null ? codes : []) ? code.decision : null,
    ...(isSettled ? { sending: null, unsettledUntil: null } : {}),
    ...(wanted === null ? {} : { absent: null }),
  };
}

/** An operation is sent to the lock. `draft` null: the removal of the code. */
export function sent(code: GuestCode, draft: CodeDraft | null): GuestCode {
  const attempted = draft === null ? code.attempted : withAttempt(code.attempted, draft);
  return { ...code, sending: { draft }, attempted };
}

/** A code that was tried before is noted twice: when this try certainly failed, the note of the earlier one stays. */
function withAttempt(attempted: readonly CodeDraft[], draft: CodeDraft): readonly CodeDraft[] {
  const before = attempted.filter((one) => matchesDraft(one, draft));
  return before.length > 1 ? attempted : [...attempted, draft];
}

/** What was sent last certainly was not stored. */
function withoutLast(code: GuestCode): GuestCode {
  const draft = code.sending?.draft ?? null;
  const last = code.attempted.findLastIndex((one) => draft !== null && matchesDraft(one, draft));
  return { ...code, attempted: code.attempted.filter((_, index) => index !== last) };
}

/** What the end of a command makes of the code; `end` null: it was aborted, and what was sent may take effect. */
export function afterEnd(code: GuestCode, end: CommandEnd | null, now: Instant): GuestCode {
  if (end === null) {
    return recalled(code, now);
  }
  const soonMs = pauseMs((code.setback?.tries ?? 0) + 1, 'not-ready');
  switch (end.kind) {
    case 'done':
      return afterDone(code, end);
    case 'failed':
      // An added code that is otherwise than asked is the guest's all the same.
      return afterFailure({ ...code, codeId: code.codeId ?? end.codeId ?? null }, end.failure, now);
    case 'unknown':
      return afterFailure(code, judgedFailure('outcome-unknown'), now, soonMs);
    case 'unsent': {
      const { failure, waitMs } = end;
      const known = failure === null ? withoutLast(code) : afterFailure(code, failure, now, waitMs ?? soonMs);
      // What was sent before may still take effect.
      return { ...known, sending: null, unsettledUntil: code.unsettledUntil };
    }
  }
}

/** The service confirmed the change itself, or a list did. */
function afterDone(
  code: GuestCode,
  { codeId, isConfirmed }: Extract<CommandEnd, { readonly kind: 'done' }>,
): GuestCode {
  const ended = { ...code, setback: null, unsettledUntil: null, sending: null };
  const { sending } = code;
  if (sending?.draft === null) {
    return { ...ended, decision: null, absent: said(code, isConfirmed ? 'removed' : 'no-such-id') };
  }
  // The lock had the code. If a later list lacks it, a person has removed it elsewhere.
  const written = sending?.draft ?? code.written;
  const known = { ...ended, codeId: codeId ?? code.codeId, written };
  return written === null ? known : { ...known, attempted: [], former: formerIn(code, written) };
}

/** `retryInMs`: left out, the schedule of refusals says when it is tried again. */
function afterFailure(before: GuestCode, failure: CodeFailure, now: Instant, retryInMs?: number): GuestCode {
  const { sending } = before;
  const unsettledUntil = isUnsettled(failure) ? now + SETTLED_AFTER_MS : null;
  const code = { ...(isCertainlyNotStored(failure.reason) ? withoutLast(before) : before), unsettledUntil };
  if (sending === null || isOtherwise(sending.draft, failure)) {
    const isUnknownId = sending?.draft === null && failure.reason === 'code-id-invalid';
    return { ...code, setback: null, absent: isUnknownId ? said(code, 'no-such-id') : code.absent };
  }
  const tries = (code.setback?.tries ?? 0) + 1;
  const retryAt = mayPass(failure.reason) ? now + (retryInMs ?? pauseMs(tries, 'refused')) : null;
  return { ...code, setback: { failure, draft: sending.draft, retryAt, tries } };
}

function said({ absent }: GuestCode, words: Absence['said']): Absence {
  return { said: words, since: absent?.since ?? null };
}

/** The codes changed meanwhile: the list alone decides about the next step. */
function isOtherwise(draft: CodeDraft | null, { reason }: CodeFailure): boolean {
  return reason === 'changed-meanwhile' || (draft === null && reason === 'code-id-invalid');
}

/** After a restart, the operation of an earlier process may still take effect. */
export function recalled(code: GuestCode, now: Instant): GuestCode {
  return code.sending === null ? code : { ...code, unsettledUntil: now + SETTLED_AFTER_MS };
}

/** The lock is back, its codes have changed, or a person asks for it: a failed operation may be tried at once. */
export function encouraged(code: GuestCode): GuestCode {
  return code.setback === null ? code : { ...code, setback: { ...code.setback, retryAt: 0 } };
}

export function decided(code: GuestCode, decision: GuestDecision): GuestCode {
  return { ...code, decision, setback: null, left: othersThan(code.left, decision.seen) };
}

/** A person leaves that code on the lock although the guest goes. */
export function leftThere(code: GuestCode, seen: CodeDraft): GuestCode {
  return { ...code, decision: null, setback: null, left: [...othersThan(code.left, seen), seen] };
}

function othersThan(drafts: readonly CodeDraft[], draft: CodeDraft | null): readonly CodeDraft[] {
  return drafts.filter((one) => draft === null || !matchesDraft(one, draft));
}

export function unknownCode(lockId: LockId): GuestCode {
  return {
    lockId,
    codeId: null,
    written: null,
    attempted: [],
    former: [],
    sending: null,
    unsettledUntil: null,
    decision: null,
    setback: null,
    absent: null,
    left: [],
    awayAs: null,
  };
}

/** `any`: where the guest is being removed, a decision may be about any code. */
function isStillSeen(
  decision: GuestDecision | null,
  found: AccessCode | undefined,
  any: readonly AccessCode[],
): boolean {
  if (decision === null) {
    return false;
  }
  const { seen } = decision;
  if (seen !== null && any.some((listed) => matchesDraft(listed, seen))) {
    return true;
  }
  if (found === undefined || seen === null) {
    return found === undefined && seen === null;
  }
  return matchesDraft(seen, found);
}

/** Whether the lock certainly did not store the code. After the other failures it may have, although no list shows it. */
function isCertainlyNotStored(reason: CodeFailureReason): boolean {
  return isRefusalReason(reason)
    ? !MAY_BE_STORED.has(refusalHandling(reason))
    : reason === 'not-sent' || reason === 'changed-meanwhile';
}

function mayPass(reason: CodeFailureReason): boolean {
  return isRefusalReason(reason) ? !NEVER_PASSING.has(refusalHandling(reason)) : OWN_PASSING.has(reason);
}

/** All but a request that would fail the same way again. */
const NEVER_PASSING: ReadonlySet<RefusalHandling> = new Set(['wrong-request', 'clash']);
const OWN_PASSING: ReadonlySet<CodeFailureReason> = new Set([
  'not-sent',
  'outcome-unknown',
  'list-disagrees',
  'relink',
  'service-trouble',
]);
