// Tells whether a code is still as a person saw it, digits included, without showing them: a keyed digest, for one process.
import { createHmac, randomBytes } from 'node:crypto';
import type { AccessCode, CodeDraft } from '../../domain/access-code.ts';
import { changedMeanwhile } from '../../domain/changed-meanwhile.ts';
import type { CodeChanges } from '../../domain/code-operation.ts';
import { FinalError } from '../../support/errors.ts';

export class CodeRevisions {
  /** Four digits are guessed from any digest that needs no key. */
  readonly #key = randomBytes(32);

  of({ name, pin, schedule }: AccessCode): string {
    const text = JSON.stringify([name, pin, schedule]);
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 16);
  }

  /**
   * What an operation expects to find: nothing is sent where the code is otherwise by then. Throws final (`changed-meanwhile`)
   * when it is not of that `revision` now. Nothing is expected without one. `zone`: in which schedules are shown.
   */
  asSeen(
    code: AccessCode,
    asked: CodeChanges,
    revision: string | undefined,
    zone: string,
  ): { readonly expected?: CodeDraft } {
    if (revision === undefined) {
      return {};
    }
    if (this.of(code) !== revision) {
      throw new FinalError('changed-meanwhile', changedMeanwhile(code, asked, zone));
    }
    const { name, pin, schedule } = code;
    return { expected: { name, pin, schedule } };
  }
}
