// Log texts for commands that failed: the second half of a sentence, or nothing.
import type { BoltPosition, BoltState } from '../../domain/bolt.ts';
import type { CommandOutcome } from '../../domain/command.ts';
import { refusalHandling, refusalWords } from '../../domain/refusal.ts';
import { FinalError } from '../../support/errors.ts';
import type { RequestAnswer } from './request-answer.ts';

/** A refusal by the lock is logged as the end of the command; requests that this process drops are not logged. */
export function describeAnswer(answer: RequestAnswer, target: BoltPosition, bolt: BoltState): string | null {
  if (answer.kind !== 'failed' || answer.error.code === 'aborted') {
    return null;
  }
  const { error } = answer;
  if (error instanceof FinalError && error.reason !== null) {
    return null;
  }
  const sentence = error.message.endsWith('.') ? error.message : `${error.message}.`;
  return target === 'secured' ? `${sentence} ${stillOpen(bolt)}` : sentence;
}

/** Home may have been answered with success: what a request to lock leaves undone is said in full. */
function stillOpen(bolt: BoltState): string {
  return bolt === 'unsecured' ? 'It is unlocked.' : 'Check the door.';
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
