// Looks at the list of codes after the service's word: a success may not show there, and a refused change may.
import type { AccessCodeId } from '../../domain/access-code.ts';
import { backOffMs } from '../../domain/backoff-policy.ts';
import { codeFailure } from '../../domain/code-failure.ts';
import type { CodeOperation } from '../../domain/code-operation.ts';
import { achieved, type CodeEnd, listDisagrees } from '../../domain/code-operation-policy.ts';
import { messageOf } from '../../support/errors.ts';
import type { CodeRunParts } from './code-run-parts.ts';
import type { CommandFollower } from './command-follower.ts';

/** The list is read so often after either word (our choice): it may be late, or out of reach. */
const MOST_LOOKS = 3;

/** Pauses while the service or the lock is not ready, in milliseconds (our choice). */
export const PAUSES = { firstMs: 1_000, longestMs: 30_000 } as const;

export class ListLooks {
  readonly #parts: Pick<CodeRunParts, 'lists' | 'log' | 'onPhase'>;
  readonly #follower: Pick<CommandFollower, 'aborted' | 'rest'>;

  constructor(parts: Pick<CodeRunParts, 'lists' | 'log' | 'onPhase'>, follower: CommandFollower) {
    this.#parts = parts;
    this.#follower = follower;
  }

  /** Whether it was done all the same; null when the list shows nothing of it, cannot be read, or this was aborted. */
  async afterRefusal(operation: CodeOperation): Promise<CodeEnd | null> {
    for (let look = 1; look <= MOST_LOOKS && !this.#follower.aborted; look += 1) {
      try {
        const { codes } = await this.#parts.lists.read(operation.lockId);
        return achieved(operation, codes);
      } catch (error) {
        this.#parts.log.debug(`The access codes could not be read after a refusal: ${messageOf(error)}`);
        await this.#follower.rest(backOffMs(look, PAUSES));
      }
    }
    return null;
  }

  /** Done, unless the list goes on showing otherwise; one that cannot be read contradicts nothing. Null when aborted. */
  async afterSuccess(operation: CodeOperation, codeId: AccessCodeId | null): Promise<CodeEnd | null> {
    const { lists, log, onPhase } = this.#parts;
    for (let look = 1; !this.#follower.aborted; look += 1) {
      try {
        const { codes } = await lists.read(operation.lockId);
        if (!listDisagrees(operation, codes, codeId)) {
          return { kind: 'done', codeId };
        }
      } catch (error) {
        log.debug(`The access codes could not be read after a change: ${messageOf(error)}`);
        lists.outdate(operation.lockId);
        return { kind: 'done', codeId };
      }
      if (look === MOST_LOOKS) {
        return { kind: 'failed', failure: codeFailure('list-disagrees') };
      }
      onPhase(operation, 'checking', null);
      await this.#follower.rest(backOffMs(look, PAUSES));
    }
    return null;
  }
}
