// Looks at the list of codes after the service's word: a success may not show there, and a refused change may.
import type { AccessCode, AccessCodeId } from '../../domain/access-code.ts';
import { backOffMs } from '../../domain/backoff-policy.ts';
import { codeFailure } from '../../domain/code-failure.ts';
import type { CodeOperation, CodePhase } from '../../domain/code-operation.ts';
import { achieved, type CodeEnd, listDisagrees } from '../../domain/code-operation-policy.ts';
import { messageOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import type { CodeLists } from './code-lists.ts';
import type { CommandFollower } from './command-follower.ts';

/** The list is read so often after either word (our choice): it may be late, or out of reach. */
const MOST_LOOKS = 3;

/** Pauses while the service, the lock or the list is not ready, in milliseconds (our choice). */
export const PAUSES = { firstMs: 1_000, longestMs: 15_000 } as const;

export interface ListLooksParts {
  readonly lists: Pick<CodeLists, 'read' | 'outdate'>;
  readonly log: Log;
  readonly follower: CommandFollower;
  readonly onPhase: (id: string, phase: CodePhase, waitingFor: string | null) => void;
}

type Listed = readonly AccessCode[] | null;

/** Whether it was done all the same; null when the list shows nothing of it, cannot be read, or this was aborted. */
export async function endAfterRefusal(
  parts: ListLooksParts,
  operation: CodeOperation,
): Promise<CodeEnd | null> {
  const codes = await look(parts, operation, (listed) => listed !== null);
  return codes === null ? null : achieved(operation, codes);
}

/** Done, unless the list goes on showing otherwise; one that cannot be read contradicts nothing. Null when aborted. */
export async function endAfterSuccess(
  parts: ListLooksParts,
  operation: CodeOperation,
  codeId: AccessCodeId | null,
): Promise<CodeEnd | null> {
  const agrees = (listed: Listed): boolean => listed === null || !listDisagrees(operation, listed, codeId);
  const codes = await look(parts, operation, agrees);
  if (parts.follower.aborted) {
    return null;
  }
  return agrees(codes)
    ? { kind: 'done', codeId, isConfirmed: true }
    : { kind: 'failed', failure: codeFailure('list-disagrees') };
}

/** The list as it was read when it was `enough`, or last; null when it could not be read, or this was aborted. */
async function look(
  { lists, log, follower, onPhase }: ListLooksParts,
  { id, lockId }: CodeOperation,
  isEnough: (listed: Listed) => boolean,
): Promise<Listed> {
  for (let number = 1; !follower.aborted; number += 1) {
    let listed: Listed = null;
    try {
      listed = await lists.read(lockId);
    } catch (error) {
      log.debug(`The access codes could not be read after a command: ${messageOf(error)}`);
      lists.outdate(lockId);
    }
    if (isEnough(listed) || number === MOST_LOOKS) {
      return listed;
    }
    onPhase(id, 'checking', null);
    await follower.rest(backOffMs(number, PAUSES));
  }
  return null;
}
