// Log texts for commands that failed, or nothing.

import type { CommandOutcome } from '../../domain/commands/command.ts';
import { refusalHandling } from '../../domain/commands/refusal.ts';
import type { BoltPosition, BoltState } from '../../domain/locks/bolt.ts';
import { FinalError, messageOf } from '../../support/errors.ts';
import { CHECK_DOOR, notDone, outcomeWords } from '../../words/commands.ts';
import { closed } from '../../words/sentence.ts';
import { t } from '../../words/translate.ts';
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
  const words = closed(notDone(target, messageOf(error)));
  return target === 'secured' ? `${words} ${stillOpen(bolt)}` : words;
}

/** Home may have been answered with success: the line tells in full that a request to lock failed. */
function stillOpen(bolt: BoltState): string {
  return bolt === 'unsecured' ? t('It is unlocked.') : t(CHECK_DOOR);
}

export function describeEnd(target: BoltPosition, outcome: CommandOutcome): string | null {
  const words = outcomeWords(target, outcome);
  switch (outcome.kind) {
    case 'moved':
    case 'unsent':
      return null;
    case 'refused':
      return refusalHandling(outcome.reason) === 'busy' ? null : words;
    case 'overdue':
      return t('{news}; the lock shows what was read since', { news: words });
    case 'uncertain':
      return t(
        outcome.reason === undefined
          ? '{news}; the lock shows what was read since'
          : '{news}; the lock is being read',
        { news: words },
      );
  }
}
