// What is known of a guest's code on one lock: folds in what the list shows, how operations end, and what a person decides.
import { type AccessCode, type AccessCodeId, type CodeDraft, matchesDraft } from './access-code.ts';
import { backOffMs } from './backoff-policy.ts';
import type { Instant } from './bolt.ts';
import { type CodeFailure, type CodeFailureReason, isUnsettled } from './code-failure.ts';
import { SETTLED_AFTER_MS } from './code-operation-policy.ts';
import type { GuestCode, GuestDecision } from './guest.ts';
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
  const isOurs = (listed: AccessCode): boolean => drafts.some((draft) => matchesDraft(listed, draft));
  const own = facts.codes.find(({ id }) => id === code.codeId);
  // A code that is just as wanted is the guest's, whoever made it: adding it again would double it.
  const found = own ?? facts.codes.find(isOurs);
  return found !== undefined && isOurs(found)
    ? standing(code, found, facts.wanted)
    : unseen(code, found, facts.now);
}

/** The lock has what was sent, or what is wanted. */
function standing(
  code: GuestCode,
  { id, name, pin, schedule }: AccessCode,
  wanted: CodeDraft | null,
): GuestCode {
  const written = { name, pin, schedule };
  const isDone = wanted !== null && matchesDraft(written, wanted);
  const open = isDone ? { decision: null, setback: null } : {};
  return { ...code, codeId: id, written, sending: null, unsettledUntil: null, ...open };
}

/** What was sent is not to be seen. Once it is settled, it did not happen. */
function unseen(code: GuestCode, found: AccessCode | undefined, now: Instant): GuestCode {
  const isSettled = code.unsettledUntil === null || now >= code.unsettledUntil;
  if (found === undefined && code.sending !== null && code.sending.draft === null) {
    return unknownCode(code.lockId);
  }
  return {
    ...code,
    decision: isStillSeen(code.decision, found) ? code.decision : null,
    ...(isSettled ? { sending: null, unsettledUntil: null } : {}),
  };
}

/** How the operation that sent it ended. */
interface GuestEnd {
  /** Null: it was done. */
  readonly failure: CodeFailure | null;
  /** As far as the service named it. */
  readonly codeId: AccessCodeId | null;
}

export function afterEnd(code: GuestCode, { failure, codeId }: GuestEnd, now: Instant): GuestCode {
  if (failure === null && code.sending?.draft === null) {
    return unknownCode(code.lockId);
  }
  if (failure === null) {
    // It stood there: if the list does not show it any more, somebody has removed it.
    const written = code.sending?.draft ?? code.written;
    return {
      ...code,
      codeId: codeId ?? code.codeId,
      written,
      sending: null,
      setback: null,
      unsettledUntil: null,
    };
  }
  const unsettledUntil = isUnsettled(failure) ? now + SETTLED_AFTER_MS : null;
  if (code.sending === null || failure.reason === 'changed-meanwhile') {
    return { ...code, setback: null, unsettledUntil };
  }
  const tries = (code.setback?.tries ?? 0) + 1;
  const retryAt = mayPass(failure.reason) ? now + backOffMs(tries, TRY_AGAIN) : null;
  return { ...code, unsettledUntil, setback: { failure, draft: code.sending.draft, retryAt, tries } };
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
  return { ...code, decision, setback: null };
}

export function unknownCode(lockId: LockId): GuestCode {
  return {
    lockId,
    codeId: null,
    written: null,
    sending: null,
    unsettledUntil: null,
    decision: null,
    setback: null,
  };
}

function isStillSeen(decision: GuestDecision | null, found: AccessCode | undefined): boolean {
  if (decision === null) {
    return false;
  }
  return found === undefined
    ? decision.seen === null
    : decision.seen !== null && matchesDraft(decision.seen, found);
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
