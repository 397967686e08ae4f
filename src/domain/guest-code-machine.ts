// What is known of a guest's code on one lock: folds in what the list shows, how operations end, and what a person decides.
import { type AccessCode, type AccessCodeId, type CodeDraft, draftOf, matchesDraft } from './access-code.ts';
import { backOffMs } from './backoff-policy.ts';
import type { Instant } from './bolt.ts';
import { type CodeFailure, type CodeFailureReason, isUnsettled } from './code-failure.ts';
import { MAY_BE_STORED, SETTLED_AFTER_MS } from './code-operation-policy.ts';
import { draftsOn, type GuestCode, type GuestDecision, type GuestSending, latestDraftsOn } from './guest.ts';
import type { LockId } from './lock.ts';
import { isRefusalReason, type RefusalHandling, refusalHandling } from './refusal.ts';

export interface ListedFacts {
  readonly lockId: LockId;
  /** The codes as listed now, without those of other guests. */
  readonly codes: readonly AccessCode[];
  /** The code as it is to be; null: gone. */
  readonly wanted: CodeDraft | null;
  readonly now: Instant;
}

/** After a failure that may pass, the same is tried again so much later, in milliseconds (our choice). */
const TRY_AGAIN = { firstMs: 5 * 60_000, longestMs: 6 * 3_600_000 } as const;

/** What is known after the list was read, while no operation is under way on the lock. */
export function reconciled(before: GuestCode | null, facts: ListedFacts): GuestCode {
  const code = before ?? unknownCode(facts.lockId);
  const drafts = [code.sending?.draft ?? null, facts.wanted].filter((draft) => draft !== null);
  const own = facts.codes.find(({ id }) => id === code.codeId);
  const as = (draft: CodeDraft): AccessCode | undefined =>
    own !== undefined && matchesDraft(own, draft)
      ? own
      : facts.codes.find((listed) => matchesDraft(listed, draft));
  // A code that is just as wanted is the guest's, whoever made it: adding it again would double it.
  const found = drafts.map(as).find((listed) => listed !== undefined);
  if (found !== undefined) {
    return standing(code, found, facts);
  }
  // The service may have given it another id, and what failed may be stored: what the code is tells more.
  const twin = latestDraftsOn(code)
    .map(as)
    .find((listed) => listed !== undefined);
  return twin === undefined
    ? unseen(code, own, facts)
    : unseen({ ...code, codeId: twin.id, written: draftOf(twin) }, twin, facts);
}

/** The lock has what was sent, or what is wanted. */
function standing(code: GuestCode, listed: AccessCode, { codes, wanted }: ListedFacts): GuestCode {
  const written = draftOf(listed);
  const others = codes.filter(({ id }) => id !== listed.id);
  const isDone = wanted !== null && matchesDraft(written, wanted);
  const open = isDone ? { decision: null, setback: null, left: [] } : {};
  return {
    ...code,
    codeId: listed.id,
    written,
    attempted: [],
    former: draftsOn(code).filter((draft) => others.some(({ pin }) => pin === draft.pin)),
    sending: null,
    unsettledUntil: null,
    absent: null,
    ...open,
  };
}

/** What was sent is not to be seen. Once it is settled, it did not happen. */
function unseen(
  code: GuestCode,
  found: AccessCode | undefined,
  { codes, wanted, now }: ListedFacts,
): GuestCode {
  const isRemoval = code.sending !== null && code.sending.draft === null;
  if (found === undefined && wanted !== null && (isRemoval || code.absent !== null)) {
    // We took it away ourselves, and may put it back; until a list shows that, it may be there all the same.
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

/** It leaves for the lock. `draft` null: the removal of the code. */
export function sent(code: GuestCode, draft: CodeDraft | null): GuestCode {
  const sending = { operationId: null, draft };
  return {
    ...code,
    sending,
    attempted: draft === null ? code.attempted : withAttempt(code.attempted, draft),
  };
}

/** One that was tried before is noted twice: when only this try certainly did nothing, the other stays. */
function withAttempt(attempted: readonly CodeDraft[], draft: CodeDraft): readonly CodeDraft[] {
  const before = attempted.filter((one) => matchesDraft(one, draft));
  return before.length > 1 ? attempted : [...attempted, draft];
}

function withoutAttempt(attempted: readonly CodeDraft[], draft: CodeDraft | null): readonly CodeDraft[] {
  const last = attempted.findLastIndex((one) => draft !== null && matchesDraft(one, draft));
  return attempted.filter((_, index) => index !== last);
}

/** How the operation that sent it ended. */
interface GuestEnd {
  /** Null: it was done. */
  readonly failure: CodeFailure | null;
  /** As far as the service named it. */
  readonly codeId: AccessCodeId | null;
  /** The service itself said that it was done; otherwise a list did. */
  readonly isConfirmed: boolean;
  /** What was sent may have taken effect, whatever the end says: another command of the operation is what failed. */
  readonly isDoubted: boolean;
}

export function afterEnd(
  code: GuestCode,
  { failure, codeId, isConfirmed, isDoubted }: GuestEnd,
  now: Instant,
): GuestCode {
  if (failure !== null) {
    return afterFailure(code, { failure, isDoubted }, now);
  }
  const ended = { ...code, setback: null, unsettledUntil: null };
  const { sending } = code;
  if (sending?.draft === null) {
    const gone = { ...ended, decision: null };
    // One list without it is no proof: it is looked for again.
    return isConfirmed ? { ...gone, sending: null, absent: 'confirmed' } : gone;
  }
  // It stood there: if the list does not show it any more, somebody has removed it.
  const written = sending?.draft ?? code.written;
  const isSame = code.written === null || (written !== null && matchesDraft(code.written, written));
  const former = code.written === null || isSame ? code.former : [...code.former, code.written];
  return { ...ended, codeId: codeId ?? code.codeId, written, former, sending: null };
}

function afterFailure(
  code: GuestCode,
  { failure, isDoubted }: { readonly failure: CodeFailure; readonly isDoubted: boolean },
  now: Instant,
): GuestCode {
  const { sending } = code;
  const unsettledUntil = isUnsettled(failure) ? now + SETTLED_AFTER_MS : null;
  const isCertain = !isDoubted && isCertainlyNotStored(failure.reason);
  const attempted = isCertain ? withoutAttempt(code.attempted, sending?.draft ?? null) : code.attempted;
  if (sending === null || isOtherwise(sending, failure)) {
    return { ...code, attempted, setback: null, unsettledUntil };
  }
  const tries = (code.setback?.tries ?? 0) + 1;
  const retryAt = mayPass(failure.reason) ? now + backOffMs(tries, TRY_AGAIN) : null;
  return { ...code, attempted, unsettledUntil, setback: { failure, draft: sending.draft, retryAt, tries } };
}

/** The codes changed meanwhile: what comes next is decided by the list alone. */
function isOtherwise({ draft }: GuestSending, { reason }: CodeFailure): boolean {
  return reason === 'changed-meanwhile' || (draft === null && reason === 'code-id-invalid');
}

/** After a restart: what was sent by an earlier process may still take effect. */
export function recalled(code: GuestCode, now: Instant): GuestCode {
  return code.sending === null ? code : { ...code, unsettledUntil: now + SETTLED_AFTER_MS };
}

/** The lock is back, its codes have changed, or a person wants it: what failed may be tried at once. */
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

/** `any`: where the guest goes, a decision may be of any code. */
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
  return found === undefined
    ? decision.seen === null
    : decision.seen !== null && matchesDraft(decision.seen, found);
}

/** Whether the lock has nothing of what was sent. After the other failures it may, although no list shows it. */
function isCertainlyNotStored(reason: CodeFailureReason): boolean {
  return isRefusalReason(reason)
    ? !MAY_BE_STORED.has(refusalHandling(reason))
    : reason === 'not-sent' || reason === 'changed-meanwhile';
}

function mayPass(reason: CodeFailureReason): boolean {
  return isRefusalReason(reason) ? PASSING.has(refusalHandling(reason)) : OWN_PASSING.has(reason);
}

const PASSING: ReadonlySet<RefusalHandling> = new Set([
  'passing',
  'offline',
  'busy',
  'contradiction',
  'jammed',
]);
const OWN_PASSING: ReadonlySet<CodeFailureReason> = new Set([
  'not-sent',
  'outcome-unknown',
  'list-disagrees',
  'relink',
  'service-trouble',
]);
