// Log texts for commands that failed: the second half of a sentence, or nothing.
import type { CommandOutcome } from '../../domain/command.ts';
import { refusalHandling, refusalWords } from '../../domain/refusal.ts';
import { FinalError } from '../../support/errors.ts';
import type { RequestAnswer } from './request-answer.ts';

/** A refusal by the lock is logged as the end of the command; requests that this process drops are not logged. */
export function describeAnswer(answer: RequestAnswer): string | null {
  if (answer.kind !== 'failed' || answer.error.code === 'aborted') {
    return null;
  }
  const { error } = answer;
  return error instanceof FinalError && error.reason !== null ? null : error.message;
}

export function describeEnd(outcome: CommandOutcome): string | null {
  switch (outcome.kind) {
    case 'moved':
    case 'unsent':
      return null;
    case 'refused':
      return refusalHandling(outcome.reason) === 'busy' ? null : refusalWords(outcome.reason);
    case 'overdue':
      return 'the service never said how it ended; the lock shows what was read since';
    case 'uncertain':
      return outcome.reason === undefined
        ? 'it is not known whether it arrived; the lock shows what was read since'
        : `${refusalWords(outcome.reason)}, so the bolt may have moved; the lock is being read`;
  }
}
