// What a guest's code on one lock needs next: compares what we wrote, what the lock has and what is wanted.
import {
  type AccessCode,
  type AccessCodeId,
  type CodeDraft,
  matchesDraft,
  sameSchedule,
} from './access-code.ts';
import { type CodeFault, type CodeField, faultsOfCode } from './access-code-policy.ts';
import type { Instant } from './bolt.ts';
import { type CodeFailure, codeFailure } from './code-failure.ts';
import type { CodeChanges, CodeRequest } from './code-operation.ts';
import { faultsOfChange } from './code-operation-policy.ts';
import { codeOn, type Guest, type GuestCode, isWantedOn } from './guest.ts';
import { reconciled } from './guest-code-machine.ts';
import type { LockId, Presence } from './lock.ts';

export interface GuestFacts {
  readonly lockId: LockId;
  /** The codes as listed now, while no operation is under way on the lock. */
  readonly codes: readonly AccessCode[];
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
  | { readonly kind: 'ended' };

export interface GuestStep {
  /** What is known of the code from now on; null: nothing is left to know. */
  readonly code: GuestCode | null;
  readonly standing: GuestStanding;
  /** What to start; null: nothing now. */
  readonly request: CodeRequest | null;
}

const OFFLINE: Readonly<Record<Exclude<Presence, 'reachable'>, string>> = {
  offline: 'The lock is offline. This is done when it is back.',
  missing: 'The account does not list the lock at the moment. This is done when it is back.',
};

const CHECKING = 'The lock did not say whether it was done. The list of codes is read again in two minutes.';

export function nextGuestStep(guest: Guest, facts: GuestFacts): GuestStep {
  const isWanted = isWantedOn(guest, facts.lockId, facts.isOwned);
  const code = reconciled(codeOn(guest, facts.lockId), {
    lockId: facts.lockId,
    codes: facts.codes.filter(({ id }) => !facts.taken.includes(id)),
    wanted: isWanted ? guest.draft : null,
    now: facts.now,
  });
  const listed = facts.codes.find(({ id }) => id === code.codeId) ?? null;
  if (code.unsettledUntil !== null) {
    return { code, standing: { kind: 'waiting', words: CHECKING, retryAt: null }, request: null };
  }
  return isWanted ? keepTrue(guest.draft, code, listed, facts) : takeAway(guest.draft, code, listed, facts);
}

function keepTrue(
  wanted: CodeDraft,
  code: GuestCode,
  listed: AccessCode | null,
  facts: GuestFacts,
): GuestStep {
  if (listed !== null && matchesDraft(listed, wanted)) {
    return rest(code, { kind: 'up-to-date' });
  }
  if (listed === null && isOver(wanted, facts.now)) {
    return rest(code, { kind: 'ended' });
  }
  const open = code.written === null ? null : openDifference(code.written, wanted, code, listed);
  if (open !== null) {
    return rest(code, open);
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

function takeAway(
  wanted: CodeDraft,
  code: GuestCode,
  listed: AccessCode | null,
  facts: GuestFacts,
): GuestStep {
  const gone: GuestStep = { code: null, standing: { kind: 'up-to-date' }, request: null };
  if (listed === null) {
    return gone;
  }
  const open = openDifference(code.written ?? wanted, wanted, code, listed);
  if (open !== null) {
    return open.kind === 'kept' ? gone : rest(code, open);
  }
  const request = { kind: 'remove', codeId: listed.id, expected: draftOf(listed) } as const;
  return attempt(code, request, null, listed, facts);
}

/** The difference that a person has not decided against; null: the guest's values may be written. */
function openDifference(
  written: CodeDraft,
  wanted: CodeDraft,
  { decision }: GuestCode,
  listed: AccessCode | null,
): GuestStanding | null {
  if (listed !== null && (matchesDraft(listed, written) || matchesDraft(listed, wanted))) {
    return null;
  }
  if (decision !== null) {
    return decision.choice === 'keep' ? { kind: 'kept' } : null;
  }
  if (listed === null) {
    return { kind: 'removed-elsewhere' };
  }
  const { name, schedule } = listed;
  return { kind: 'differs', fields: fieldsOf(changesTo(listed, wanted)), found: { name, schedule } };
}

/** `target`: the code as it is to be; null: gone. */
function attempt(
  code: GuestCode,
  request: CodeRequest,
  target: CodeDraft | null,
  listed: AccessCode | null,
  facts: GuestFacts,
): GuestStep {
  const refusal = refusalOf(request, listed, facts);
  if (refusal !== null) {
    return rest(code, { kind: 'refused', failure: refusal });
  }
  const { setback } = code;
  if (setback !== null && sameTarget(setback.draft, target)) {
    if (setback.retryAt === null) {
      return rest(code, { kind: 'refused', failure: setback.failure });
    }
    if (facts.now < setback.retryAt) {
      return rest(code, { kind: 'waiting', words: setback.failure.words, retryAt: setback.retryAt });
    }
  }
  if (facts.presence !== 'reachable') {
    return rest(code, { kind: 'waiting', words: OFFLINE[facts.presence], retryAt: null });
  }
  const sending = { operationId: null, draft: target };
  return { code: { ...code, sending }, standing: { kind: 'on-its-way' }, request };
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

function rest(code: GuestCode, standing: GuestStanding): GuestStep {
  return { code, standing, request: null };
}

function draftOf({ name, pin, schedule }: AccessCode): CodeDraft {
  return { name, pin, schedule };
}

function changesTo(from: CodeDraft, to: CodeDraft): CodeChanges {
  return {
    ...(from.name === to.name ? {} : { name: to.name }),
    ...(from.pin === to.pin ? {} : { pin: to.pin }),
    ...(sameSchedule(from.schedule, to.schedule) ? {} : { schedule: to.schedule }),
  };
}

const FIELDS = ['name', 'pin', 'schedule'] as const;

function fieldsOf(changes: CodeChanges): readonly CodeField[] {
  return FIELDS.filter((field) => changes[field] !== undefined);
}

function sameTarget(a: CodeDraft | null, b: CodeDraft | null): boolean {
  return a === null || b === null ? a === b : matchesDraft(a, b);
}

function isOver({ schedule }: CodeDraft, now: Instant): boolean {
  return schedule.kind === 'temporary' && schedule.until <= now;
}
