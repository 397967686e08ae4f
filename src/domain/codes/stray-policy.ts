// The codes that a failed operation may have left on the lock alone, or in the service's list alone.
import { type RefusalReason, refusalHandling } from '../commands/refusal.ts';
import type { AccessCodeId } from './access-code.ts';
import { MAY_BE_STORED } from './failure.ts';
import type { CodeOperation, StrayCode } from './operation.ts';
import type { CodeEnd } from './operation-policy.ts';

/** The codes that an operation with this end may have left on one side only. */
export function straysAfter(
  { request, sending }: CodeOperation,
  reason: RefusalReason,
  end: CodeEnd | null,
): readonly Pick<StrayCode, 'codeId' | 'only'>[] {
  switch (request.kind) {
    case 'add':
      return end === null ? addedToLock(sending?.codeId ?? null, reason) : [];
    case 'update':
      return end === null && reason === 'user-not-on-lock' ? [{ codeId: request.codeId, only: 'list' }] : [];
    case 'remove':
    case 'remove-all':
      return isUnknown(end) ? (sending?.listed ?? []).map((codeId) => ({ codeId, only: 'lock' })) : [];
  }
}

function addedToLock(
  codeId: AccessCodeId | null,
  reason: RefusalReason,
): readonly Pick<StrayCode, 'codeId' | 'only'>[] {
  const mayBeStored = MAY_BE_STORED.has(refusalHandling(reason)) && reason !== 'code-not-added';
  return codeId !== null && mayBeStored ? [{ codeId, only: 'lock' }] : [];
}

function isUnknown(end: CodeEnd | null): boolean {
  return end?.kind === 'failed' && end.failure.reason === 'outcome-unknown';
}
