// The answer to a request, given as soon as it is known. Later changes show in the lock itself.

import type { RequestRefusal } from '../../domain/commands/intent-policy.ts';
import type { CommandAnswer } from '../../domain/commands/state.ts';
import { message } from '../../domain/language/message.ts';
import { asLatchkeyError, type LatchkeyError, RetryError, WaitError } from '../../support/errors.ts';

/** `waitedMs`: how long the caller has waited already. `withinMs`: an unlock that was not sent by then is dropped. */
export interface RequestLimits {
  readonly waitedMs?: number | undefined;
  readonly withinMs?: number | undefined;
}

export type RequestAnswer =
  /**
   * `accepted`: the service took the command. `uncertain`: it may have. `already`: the lock is there. `joined`: a
   * command in flight brings it about. `superseded`: a later request took its place.
   */
  | { readonly kind: 'accepted' | 'uncertain' | 'already' | 'joined' | 'superseded' }
  | { readonly kind: 'refused'; readonly reason: RequestRefusal }
  | { readonly kind: 'failed'; readonly error: LatchkeyError };

export function requestAnswer(answer: CommandAnswer): RequestAnswer {
  if (answer.kind === 'failed') {
    return { kind: 'failed', error: asLatchkeyError(answer.cause) };
  }
  if (answer.kind === 'too-late' || answer.kind === 'closed') {
    const error =
      answer.kind === 'too-late'
        ? new WaitError('lock-busy', message('It could not be sent in time, so nothing was sent'), null)
        : new RetryError('aborted', 'This process gave the account back, so nothing was sent');
    return { kind: 'failed', error };
  }
  return answer;
}
