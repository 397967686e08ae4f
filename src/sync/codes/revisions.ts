// Tells whether a code is still the one that a person saw, digits included: the service has no revisions, so they are counted here.
import {
  type AccessCode,
  type AccessCodeId,
  type CodeDraft,
  draftOf,
  matchesDraft,
} from '../../domain/codes/access-code.ts';
import type { CodeChanges } from '../../domain/codes/operation.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { Clock } from '../../support/clock.ts';
import { FinalError } from '../../support/errors.ts';
import { codeFailure } from '../../words/code-failures.ts';
import { changedMeanwhile } from '../../words/codes.ts';

interface Numbered {
  readonly code: AccessCode;
  readonly revision: number;
}

export class CodeRevisions {
  readonly #known = new Map<LockId, ReadonlyMap<AccessCodeId, Numbered>>();
  #last: number;

  /** Counted from the time of the start: a number of an earlier process means nothing here. */
  constructor(clock: Pick<Clock, 'now'>) {
    this.#last = Math.round(clock.now());
  }

  of(lockId: LockId, codes: readonly AccessCode[]): readonly number[] {
    const before = this.#known.get(lockId);
    const now = codes.map((code): Numbered => {
      const known = before?.get(code.id);
      return known !== undefined && matchesDraft(known.code, code) ? known : { code, revision: ++this.#last };
    });
    this.#known.set(lockId, new Map(now.map((one) => [one.code.id, one])));
    return now.map(({ revision }) => revision);
  }

  /**
   * What an operation expects to find: nothing is sent where the code is otherwise by then. Throws final (`changed-meanwhile`)
   * when it is not of that `revision` now. Nothing is expected without one. `zone`: in which schedules are shown.
   */
  asSeen(
    lockId: LockId,
    code: AccessCode,
    {
      asked,
      revision,
      zone,
    }: { readonly asked: CodeChanges; readonly revision: number | undefined; readonly zone: string },
  ): { readonly expected?: CodeDraft } {
    if (revision === undefined) {
      return {};
    }
    const known = this.#known.get(lockId)?.get(code.id);
    if (known === undefined || known.revision !== revision || !matchesDraft(known.code, code)) {
      throw new FinalError('changed-meanwhile', changedMeanwhile(code, asked, zone));
    }
    return { expected: draftOf(code) };
  }
}

/** Throws `not-permitted` for a code that only the lock's own app changes. */
export function assertWritable({ readOnly }: AccessCode): void {
  if (readOnly) {
    throw new FinalError('not-permitted', codeFailure('read-only').words);
  }
}
