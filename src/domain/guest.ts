// A guest: a person with one code and one schedule, kept on a set of locks.
import {
  type AccessCode,
  type AccessCodeId,
  accessCodeId,
  type CodeDraft,
  matchesDraft,
} from './access-code.ts';
import { type CodeFault, faultsOfCode, MOST_CODES } from './access-code-policy.ts';
import type { Instant } from './bolt.ts';
import type { CodeFailure } from './code-failure.ts';
import type { CodeChanges } from './code-operation.ts';
import type { LockId } from './lock.ts';
import type { RefusalReason } from './refusal.ts';

/** `all`: every lock that the account owns, also those that are added later. */
export type GuestLocks = 'all' | readonly LockId[];

/** What is known of a guest's code on one lock. It holds PINs, as the guest does. */
export interface GuestCode {
  readonly lockId: LockId;
  readonly codeId: AccessCodeId | null;
  /** The code as it last stood there as the guest's; null before. */
  readonly written: CodeDraft | null;
  /** What was sent since then, and may be stored: it may open the door until a list shows the guest's code. */
  readonly attempted: readonly CodeDraft[];
  /** The code as it stood there before, for as long as a code with its digits may. */
  readonly former: readonly CodeDraft[];
  /** What was sent last, until the list shows what became of it. */
  readonly sending: GuestSending | null;
  /** Until then, what was sent may still take effect; null: it cannot. */
  readonly unsettledUntil: Instant | null;
  readonly decision: GuestDecision | null;
  readonly setback: GuestSetback | null;
  /** Where it is to be gone: how far that is proven; null: it is there, or was not looked for. */
  readonly absent: GuestAbsence | null;
  /** Codes that a person left on the lock although the guest goes. */
  readonly left: readonly CodeDraft[];
  /** The name of a lock that the account has no more; null while it has it. */
  readonly awayAs: string | null;
}

/**
 * `confirmed`: the service says that it removed the code. A number: when the first list without it was asked for, in
 * monotonic milliseconds of this process.
 */
export type GuestAbsence = 'confirmed' | number;

export interface GuestSending {
  /** Null while the operation is not stored yet. */
  readonly operationId: string | null;
  /** Null: the removal of the code. */
  readonly draft: CodeDraft | null;
}

/** What a person decided about a difference. It holds only while the lock has what the person saw. */
export interface GuestDecision {
  readonly choice: 'keep' | 'overwrite';
  /** Null: the code was gone. */
  readonly seen: CodeDraft | null;
}

/** An operation that failed. The same is not sent again before `retryAt`; null: before something changes. */
export interface GuestSetback {
  readonly failure: CodeFailure;
  /** Null: the removal of the code. */
  readonly draft: CodeDraft | null;
  readonly retryAt: Instant | null;
  /** Failures of the same in a row. */
  readonly tries: number;
}

export interface Guest {
  readonly id: string;
  /** The code as it is wanted on every lock. */
  readonly draft: CodeDraft;
  readonly locks: GuestLocks;
  /** The guest was removed, and stays known until the last code is gone. */
  readonly isLeaving: boolean;
  /** Grows with each change that a person makes. */
  readonly revision: number;
  readonly codes: readonly GuestCode[];
}

/** Whether the guest's code belongs on that lock. */
export function isWantedOn({ locks, isLeaving }: Guest, lockId: LockId, isOwned: boolean): boolean {
  return !isLeaving && (locks === 'all' ? isOwned : locks.includes(lockId));
}

export function codeOn({ codes }: Guest, lockId: LockId): GuestCode | null {
  return codes.find((code) => code.lockId === lockId) ?? null;
}

/** Null: nothing is left to know of that lock. */
export function withCodeOn(guest: Guest, lockId: LockId, code: GuestCode | null): Guest {
  const others = guest.codes.filter((known) => known.lockId !== lockId);
  return { ...guest, codes: code === null || isBlank(code) ? others : [...others, code] };
}

/** Nothing was ever sent to that lock, nor refused. */
function isBlank(code: GuestCode): boolean {
  return !mayStand(code) && code.decision === null && code.setback === null;
}

/** Whether a code of the guest is on that lock, or may be. */
export function mayStand(code: GuestCode): boolean {
  return code.codeId !== null || code.sending !== null || draftsOn(code).length > 0;
}

/** The code as it was written there, or may have been. */
export function draftsOn(code: GuestCode): readonly CodeDraft[] {
  return [...latestDraftsOn(code), ...code.former];
}

/** The same without what it was before. */
export function latestDraftsOn({ written, attempted }: GuestCode): readonly CodeDraft[] {
  return written === null ? attempted : [written, ...attempted];
}

/** The guest is to go from every lock; where nothing was sent, nothing is to be removed. */
export function leaving(guest: Guest): Guest {
  return { ...guest, isLeaving: true, codes: guest.codes.filter(mayStand).map(unwanted) };
}

/** Another set of locks: where the code is not wanted any more, it is to go. */
export function movedTo(guest: Guest, locks: GuestLocks): Guest {
  const stays = (id: LockId): boolean => locks === 'all' || locks.includes(id);
  const codes = guest.codes.map((code) => (stays(code.lockId) ? code : unwanted(code)));
  return { ...guest, locks, codes };
}

/** What was decided while the code was wanted says nothing of its removal. */
function unwanted(code: GuestCode): GuestCode {
  return { ...code, decision: null, absent: null, left: [] };
}

/** Whether a code on a lock is that of one of the `others`. Digits tell more than ids, which the service may give anew. */
export function isOfOthers(
  listed: AccessCode,
  guest: Guest,
  others: readonly Guest[],
  { lockId, isOwned }: { readonly lockId: LockId; readonly isOwned: boolean },
): boolean {
  const own = codeOn(guest, lockId);
  const drafts = [...(own === null ? [] : draftsOn(own)), guest.draft];
  if (listed.id === own?.codeId && drafts.some((draft) => matchesDraft(listed, draft))) {
    return false;
  }
  const hasOwnDigits = drafts.some(({ pin }) => pin === listed.pin);
  return others.some((other) => {
    const code = codeOn(other, lockId);
    const theirs = [
      ...(code === null ? [] : draftsOn(code)),
      ...(isWantedOn(other, lockId, isOwned) ? [other.draft] : []),
    ];
    return (
      theirs.some((draft) => matchesDraft(listed, draft)) || (listed.id === code?.codeId && !hasOwnDigits)
    );
  });
}

/** The rules that a guest breaks by itself or beside the others, of the members that are judged. */
export function faultsOfGuest(
  { id, draft, locks }: Pick<Guest, 'id' | 'draft' | 'locks'>,
  judged: CodeChanges,
  { others, now }: { readonly others: readonly Guest[]; readonly now: Instant },
): readonly CodeFault[] {
  const beside = others.filter((other) => !other.isLeaving && other.id !== id && overlap(other.locks, locks));
  const facts = { codes: beside.map(asCode), variableLength: true, replaces: null, now };
  const faults = faultsOfCode(draft, facts).filter(
    // The guests beside are on different locks: how many there are says nothing of any one (faults#118).
    ({ field }) => field !== 'lock' && judged[field] !== undefined,
  );
  const reported = faults.map(({ field, reason, words }) => ({
    field,
    reason,
    words: WORDS[reason] ?? words,
  }));
  if (locks.length === 0) {
    return [...reported, NO_LOCK];
  }
  return mostOnOneLock(locks, beside) >= MOST_CODES ? [...reported, LOCK_FULL] : reported;
}

/** How many of the other guests the fullest of these locks has; one that is named nowhere has those of all locks. */
function mostOnOneLock(locks: GuestLocks, others: readonly Guest[]): number {
  const onAll = others.filter((other) => other.locks === 'all').length;
  const named =
    locks === 'all' ? others.flatMap((other) => (other.locks === 'all' ? [] : other.locks)) : locks;
  const counts = [...new Set(named)].map(
    (id) => others.filter((other) => other.locks !== 'all' && other.locks.includes(id)).length,
  );
  return onAll + Math.max(0, ...counts);
}

const LOCK_FULL: CodeFault = {
  field: 'lock',
  reason: 'code-not-added',
  words: `One of the locks already has ${String(MOST_CODES)} guests. Remove one first.`,
};

const NO_LOCK: CodeFault = { field: 'lock', reason: 'values-invalid', words: 'Choose at least one lock.' };

const WORDS: Readonly<Partial<Record<RefusalReason, string>>> = {
  'code-name-exists': 'Another guest has this name.',
  'code-exists': 'Another guest has this code. Choose a different one.',
  'code-subset-in-use': 'The shorter code of another guest begins the same way. Choose a different one.',
  'code-superset-in-use':
    'The longer code of another guest begins with these digits. Choose a different one.',
};

function asCode({ id, draft }: Guest): AccessCode {
  return { id: accessCodeId(id), readOnly: false, ...draft };
}

function overlap(some: GuestLocks, others: GuestLocks): boolean {
  return some === 'all' || others === 'all' || some.some((id) => others.includes(id));
}
