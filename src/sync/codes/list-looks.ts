// Reads the list of codes after the service's answer: a success may be missing there, and a refused change may have happened.
import type { AccessCode, AccessCodeId } from '../../domain/codes/access-code.ts';
import type { CodeOperation, CodePhase } from '../../domain/codes/operation.ts';
import { achieved, type CodeEnd, listDisagrees } from '../../domain/codes/operation-policy.ts';
import { afterRefusal, straysAfter } from '../../domain/codes/refused-operation.ts';
import type { RefusalReason } from '../../domain/commands/refusal.ts';
import type { Message } from '../../domain/language/message.ts';
import { backOffMs } from '../../domain/polling/backoff-policy.ts';
import { messageOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { codeFailure } from '../../words/code-failures.ts';
import type { CommandFollower } from './command-follower.ts';
import type { CodeLists } from './lists.ts';
import type { StrayCodes } from './stray-codes.ts';

/** The number of readings after an answer (our choice): the list may be late, or out of reach. */
const MOST_LOOKS = 3;

/** Pauses while the service, the lock or the list is not ready, in milliseconds (our choice). */
export const PAUSES = { firstMs: 1_000, longestMs: 15_000 } as const;

export interface ListLooksParts {
  readonly lists: Pick<CodeLists, 'read' | 'outdate'>;
  readonly strays: Pick<StrayCodes, 'found'>;
  readonly log: Log;
  readonly follower: CommandFollower;
  readonly onPhase: (id: string, phase: CodePhase, waitingFor: Message | null) => void;
}

type Listed = readonly AccessCode[] | null;

/** A refusal: another client may have done the same, and after some failures the lock has the code all the same. Null when aborted. */
export async function endAfterRefusal(
  parts: ListLooksParts,
  operation: CodeOperation,
  reason: RefusalReason,
): Promise<CodeEnd | null> {
  const codes = await look(parts, operation, (listed) => listed !== null);
  if (parts.follower.aborted) {
    return null;
  }
  const end = afterRefusal(operation, reason, codes === null ? null : achieved(operation, codes));
  for (const { codeId, only } of straysAfter(operation, reason, end)) {
    parts.strays.found(operation, codeId, only);
  }
  return end ?? { kind: 'failed', failure: codeFailure(reason) };
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
    : { kind: 'failed', failure: codeFailure('list-disagrees'), codeId };
}

/** The first list that was `enough`, or the last one; null when it could not be read, or this was aborted. */
async function look(
  { lists, log, follower, onPhase }: ListLooksParts,
  { id, lockId }: CodeOperation,
  isEnough: (listed: Listed) => boolean,
): Promise<Listed> {
  for (let number = 1; !follower.aborted; number += 1) {
    let listed: Listed = null;
    try {
      listed = (await lists.read(lockId)).codes;
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
