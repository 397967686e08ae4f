// One step of a guest's code on one lock: how it stands, and the operation that it needs, unless something speaks against it.
import { type AccessCode, type AccessCodeId, type CodeDraft, matchesDraft } from './access-code.ts';
import { type CodeFault, type CodeField, faultsOfCode } from './access-code-policy.ts';
import type { Instant } from './bolt.ts';
import { type CodeFailure, codeFailure } from './code-failure.ts';
import type { CodeRequest } from './code-operation.ts';
import { faultsOfChange } from './code-operation-policy.ts';
import type { GuestCode } from './guest.ts';
import type { LockId, Presence } from './lock.ts';

export interface GuestFacts {
  readonly lockId: LockId;
  /** The codes as listed now, while no operation is under way on the lock. */
  readonly codes: readonly AccessCode[];
  /** When they were asked for, in monotonic milliseconds. */
  readonly listedAt: number;
  readonly variableLength: boolean;
  readonly presence: Presence;
  /** Whether the account may change codes of the lock. */
  readonly isOwned: boolean;
  /** Codes that belong to other guests. */
  readonly taken: readonly AccessCodeId[];
  /** The service's time. */
  readonly now: Instant;
}

/** How a guest's code stands on one lock. It never holds a PIN. */
export type GuestStanding =
  | { readonly kind: 'up-to-date' }
  | { readonly kind: 'on-its-way' }
  /** It is done as soon as that passes. `retryAt`: when it is tried again; null: it waits for something else. */
  | { readonly kind: 'waiting'; readonly words: string; readonly retryAt: Instant | null }
  | { readonly kind: 'refused'; readonly failure: CodeFailure }
  /** Somebody else changed the code: a person decides. */
  | {
      readonly kind: 'differs';
      readonly fields: readonly CodeField[];
      readonly found: Omit<CodeDraft, 'pin'>;
    }
  /** Somebody else removed the code: a person decides. */
  | { readonly kind: 'removed-elsewhere' }
  /** A person decided to leave it as somebody else made it. */
  | { readonly kind: 'kept' }
  /** Its schedule is over, and it is not on the lock. */
  | { readonly kind: 'ended' }
  | LookAlike
  /** It is to go from a lock that the account has no more: the code may still open it. */
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

/** What a code that is still there has in common with the guest's. */
export function sharedWords({ has }: Pick<LookAlike, 'has'>): string {
  return SHARED[has];
}

const SHARED: Readonly<Record<LookAlike['has'], string>> = {
  digits: 'with the same digits',
  id: 'in the place of the guest’s',
  name: 'with the same name and other digits',
};

export interface GuestStep {
  /** What is known of the code from now on; null: nothing is left to know. */
  readonly code: GuestCode | null;
  readonly standing: GuestStanding;
  /** What to start; null: nothing now. */
  readonly request: CodeRequest | null;
  /** The code on the lock that this is about; null: there is none. */
  readonly found: AccessCode | null;
}

export const OFFLINE: Readonly<Record<Exclude<Presence, 'reachable'>, string>> = {
  offline: 'The lock is offline. This is done when it is back.',
  missing: 'The account does not list the lock at the moment. This is done when it is back.',
};

/** `target`: the code as it is to be; null: gone. */
export function attempt(
  code: GuestCode,
  request: CodeRequest,
  target: CodeDraft | null,
  listed: AccessCode | null,
  facts: GuestFacts,
): GuestStep {
  const refusal = refusalOf(request, listed, facts);
  if (refusal !== null) {
    return rest(code, { kind: 'refused', failure: refusal }, listed);
  }
  const { setback } = code;
  if (setback !== null && sameTarget(setback.draft, target)) {
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

/** What speaks against it before anything is sent. */
function refusalOf(
  request: CodeRequest,
  listed: AccessCode | null,
  { codes, variableLength, now, isOwned }: GuestFacts,
): CodeFailure | null {
  if (!isOwned) {
    return codeFailure('not-permitted');
  }
  if (listed?.readOnly === true) {
    return codeFailure('read-only');
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
