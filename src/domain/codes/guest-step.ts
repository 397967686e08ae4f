// One step for a guest's code on one lock: its standing, and the operation that it needs unless a rule forbids that.

import { type Message, message } from '../language/message.ts';
import type { LockId, Presence } from '../locks/lock.ts';
import type { Instant } from '../time/instant.ts';
import { type AccessCode, type AccessCodeId, type CodeDraft, matchesDraft } from './access-code.ts';
import { type CodeFault, type CodeField, faultsOfChange, faultsOfCode } from './access-code-policy.ts';
import { type CodeFailure, judgedFailure } from './failure.ts';
import { type GuestCode, wantedBy } from './guest.ts';
import type { CodeRequest } from './operation.ts';

export interface GuestFacts {
  readonly lockId: LockId;
  /** The codes as listed now, while no operation is under way on the lock. */
  readonly codes: readonly AccessCode[];
  /** When the codes were asked for, in monotonic milliseconds. */
  readonly listedAt: number;
  readonly variableLength: boolean;
  readonly presence: Presence;
  /** Whether the account may change codes of the lock. */
  readonly isOwned: boolean;
  /** Codes that belong to other guests. */
  readonly taken: readonly AccessCodeId[];
  readonly now: Instant;
}

/** The standing of a guest's code on one lock. It never holds a PIN. */
export type GuestStanding =
  | { readonly kind: 'up-to-date' }
  | { readonly kind: 'on-its-way' }
  /**
   * `words`: why the operation waits. `retryAt`: when it is tried again; null: as soon as the cause has passed.
   * `isSettling`: what was sent may still take effect, and the lists that come in the next minutes tell.
   */
  | {
      readonly kind: 'waiting';
      readonly words: Message;
      readonly retryAt: Instant | null;
      readonly isSettling?: true;
    }
  | { readonly kind: 'refused'; readonly failure: CodeFailure }
  /** Somebody else changed the code: a person decides. */
  | {
      readonly kind: 'differs';
      readonly fields: readonly CodeField[];
      readonly found: Omit<CodeDraft, 'pin'>;
    }
  /** Somebody else removed the code: a person decides. */
  | { readonly kind: 'removed-elsewhere' }
  /** A person decided to leave the code as somebody else changed it. */
  | { readonly kind: 'kept' }
  /** The schedule is over, and the code is not on the lock. */
  | { readonly kind: 'ended' }
  /** The file is older than the locks: a person confirms the guest, or removes them. */
  | { readonly kind: 'proposed' }
  | LookAlike
  /** The code is to be removed from a lock that has left the account: it may still open that lock. */
  | { readonly kind: 'away'; readonly name: string };

/**
 * The guest's code is to be gone, and the lock has one that may be it: a person decides. `has`: what the two have in common;
 * the digits tell that it opens the door as the guest's did. `isLeft`: a person left it there.
 */
export interface LookAlike {
  readonly kind: 'look-alike';
  readonly name: string;
  readonly has: 'digits' | 'id' | 'name';
  readonly isLeft: boolean;
}

/** Whether the lock has the guest's code as it is wanted there: the one judge for messages, stays and reserves. */
export function hasCode(onLock: { readonly isLeaving: boolean; readonly standing: GuestStanding }): boolean {
  return !onLock.isLeaving && onLock.standing.kind === 'up-to-date';
}

export interface GuestStep {
  /** The new state of the code; null: there is nothing left to remember. */
  readonly code: GuestCode | null;
  readonly standing: GuestStanding;
  /** The operation to start; null: none now. */
  readonly request: CodeRequest | null;
  /** The code on the lock that the standing is about; null: there is none. */
  readonly found: AccessCode | null;
}

export const OFFLINE: Readonly<Record<Exclude<Presence, 'reachable'>, Message>> = {
  offline: message('The lock is offline. This is done when it is back.'),
  missing: message('The account does not list the lock at the moment. This is done when it is back.'),
};

/** What was sent may still take effect. */
export const SETTLING: GuestStanding = {
  kind: 'waiting',
  words: message(
    'The lock did not say whether it was done. Its list of codes is read again every few seconds.',
  ),
  retryAt: null,
  isSettling: true,
};

export const UP_TO_DATE: GuestStanding = { kind: 'up-to-date' };

export function attempt(
  code: GuestCode,
  request: CodeRequest,
  listed: AccessCode | null,
  facts: GuestFacts,
): GuestStep {
  const refusal = refusalOf(request, listed, facts);
  if (refusal !== null) {
    return rest(code, { kind: 'refused', failure: refusal }, listed);
  }
  const { setback } = code;
  if (setback !== null && sameTarget(setback.draft, wantedBy(request, listed))) {
    if (setback.retryAt === null) {
      return rest(code, { kind: 'refused', failure: setback.failure }, listed);
    }
    if (facts.now < setback.retryAt) {
      const { failure, retryAt } = setback;
      return rest(code, { kind: 'waiting', words: failure.words, retryAt }, listed);
    }
  }
  if (facts.presence !== 'reachable') {
    return rest(code, { kind: 'waiting', words: OFFLINE[facts.presence], retryAt: null }, listed);
  }
  return { code, standing: { kind: 'on-its-way' }, request, found: listed };
}

/** The rule that forbids the operation before anything is sent. */
function refusalOf(
  request: CodeRequest,
  listed: AccessCode | null,
  { codes, variableLength, now, isOwned }: GuestFacts,
): CodeFailure | null {
  if (!isOwned) {
    return judgedFailure('not-permitted');
  }
  if (listed?.readOnly === true) {
    return judgedFailure('read-only');
  }
  const facts = { codes, variableLength, now };
  const faults: readonly CodeFault[] =
    request.kind === 'add'
      ? faultsOfCode(request.draft, { ...facts, replaces: null })
      : request.kind === 'update' && listed !== null
        ? faultsOfChange(listed, request.changes, facts)
        : [];
  const [fault] = faults;
  return fault ?? null;
}

export function rest(code: GuestCode, standing: GuestStanding, found: AccessCode | null): GuestStep {
  return { code, standing, request: null, found };
}

function sameTarget(a: CodeDraft | null, b: CodeDraft | null): boolean {
  return a === null || b === null ? a === b : matchesDraft(a, b);
}
