// The end of an operation on access codes that was refused, and the codes that it may leave on one side only.
import { type RefusalHandling, type RefusalReason, refusalHandling } from '../commands/refusal.ts';
import { judgedFailure } from './failure.ts';
import { type CodeOperation, isRemoval, type StrayCode } from './operation.ts';
import type { CodeEnd } from './operation-policy.ts';

/** By these the service says that there is no such code to remove. */
const SAYS_GONE: ReadonlySet<RefusalReason> = new Set(['code-id-invalid', 'user-not-on-lock']);

const UNKNOWN: CodeEnd = { kind: 'failed', failure: judgedFailure('outcome-unknown') };

/** The end after a refusal. `listed`: what the list alone says; null: it does not show the change. */
export function afterRefusal(
  operation: Pick<CodeOperation, 'request' | 'sending' | 'sendings'>,
  reason: RefusalReason,
  listed: CodeEnd | null,
): CodeEnd | null {
  if (listed === null) {
    return afterUnseen(operation, reason);
  }
  // The list is the service's, and the service says that the lock has not done it: a code that is not listed may still open.
  const { kind } = operation.request;
  if (kind !== 'add' && MAY_BE_STORED.has(refusalHandling(reason))) {
    return UNKNOWN;
  }
  if (kind !== 'remove' || SAYS_GONE.has(reason)) {
    return listed;
  }
  // A list without the code proves no removal that was refused for another reason (faults#152); an earlier command may be one.
  return operation.sendings > 1 ? UNKNOWN : null;
}

/** The codes that a refused operation with this end may have left on one side only. `end` null: it just failed. */
export function straysAfter(
  operation: CodeOperation,
  reason: RefusalReason,
  end: CodeEnd | null,
): readonly Pick<StrayCode, 'codeId' | 'only'>[] {
  if (end === null) {
    const stray = strayAfter(operation, reason);
    return stray === null ? [] : [stray];
  }
  const isContradicted = end.kind === 'failed' && MAY_BE_STORED.has(refusalHandling(reason));
  const gone = isContradicted && isRemoval(operation) ? (operation.sending?.listed ?? []) : [];
  return gone.map((codeId) => ({ codeId, only: 'lock' }));
}

function strayAfter(
  { request, sending }: CodeOperation,
  reason: RefusalReason,
): Pick<StrayCode, 'codeId' | 'only'> | null {
  if (request.kind === 'update' && reason === 'user-not-on-lock') {
    return { codeId: request.codeId, only: 'list' };
  }
  const codeId = sending?.codeId ?? null;
  const mayBeStored = MAY_BE_STORED.has(refusalHandling(reason)) && reason !== 'code-not-added';
  return request.kind === 'add' && mayBeStored && codeId !== null ? { codeId, only: 'lock' } : null;
}

/** After these failures the lock may have stored a code that the service does not list. */
export const MAY_BE_STORED: ReadonlySet<RefusalHandling> = new Set(['passing', 'offline', 'contradiction']);

/** The end of a removal that was refused, while no list shows that it happened; null: it failed. A listed code may still open the door. */
function afterUnseen(
  { request, sending, sendings }: Pick<CodeOperation, 'request' | 'sending' | 'sendings'>,
  reason: RefusalReason,
): CodeEnd | null {
  const isListed = (sending?.listed.length ?? 0) > 0;
  if (request.kind !== 'remove' || (sendings <= 1 && !isListed)) {
    return null;
  }
  if (reason === 'code-id-invalid') {
    // Only the lock had the code: an earlier try has removed it.
    return isListed ? UNKNOWN : { kind: 'done', codeId: request.codeId, isConfirmed: false };
  }
  // The list lacked the code already when this command was sent: an earlier one may have removed it.
  return isListed ? null : UNKNOWN;
}
