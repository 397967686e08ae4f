// A guest, the guest's code on one lock, and the codes that the lock lists, for the rules of guests.
import { type AccessCode, accessCodeId, type CodeDraft } from '../../src/domain/codes/access-code.ts';
import { afterEnd, unknownCode } from '../../src/domain/codes/code-machine.ts';
import type { CodeFailureReason } from '../../src/domain/codes/failure.ts';
import type { Guest, GuestCode } from '../../src/domain/codes/guest.ts';
import type { GuestFacts } from '../../src/domain/codes/guest-step.ts';
import { lockId } from '../../src/domain/locks/lock.ts';
import { codeFailure } from '../../src/words/code-failures.ts';

export const DOOR = lockId('door');
export const ID = accessCodeId('code-1');
export const OTHER_ID = accessCodeId('code-2');
export const NOW = 1_000_000_000;
/** For so long may an operation still take effect. */
export const SETTLED_MS = 125_000;

export const WANTED: CodeDraft = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } };
export const FORMER: CodeDraft = { ...WANTED, pin: '0815' };
/** As the lock's own app may have changed it. */
export const APPS: CodeDraft = { ...WANTED, name: 'Anne' };

export const GUEST: Guest = {
  id: 'g',
  draft: WANTED,
  locks: 'all',
  isLeaving: false,
  revision: 1,
  codes: [],
};
export const UNKNOWN: GuestCode = unknownCode(DOOR);
export const WRITTEN: GuestCode = { ...UNKNOWN, codeId: ID, written: WANTED };

export const listed = (draft: CodeDraft, id = ID): AccessCode => ({ id, readOnly: false, ...draft });

export const sending = (draft: CodeDraft | null) => ({ draft });

/** The operation that sent the code has succeeded: by the service's own word, or by a list. */
export function succeeded(
  code: GuestCode,
  codeId: GuestCode['codeId'] = null,
  isConfirmed = true,
): GuestCode {
  return afterEnd(code, { kind: 'done', codeId, isConfirmed }, NOW);
}

export function failed(code: GuestCode, reason: CodeFailureReason): GuestCode {
  return afterEnd(code, { kind: 'failed', failure: codeFailure(reason) }, NOW);
}

/** A lock of the account that can be reached, and its codes. */
export function factsOf(codes: readonly AccessCode[], facts: Partial<GuestFacts> = {}): GuestFacts {
  return {
    lockId: DOOR,
    codes,
    variableLength: true,
    listedAt: 0,
    presence: 'reachable',
    isOwned: true,
    taken: [],
    now: NOW,
    ...facts,
  };
}
