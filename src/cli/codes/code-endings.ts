// How a change of codes ended, as a line and as the status of the command.
import { type Message, message } from '../../domain/language/message.ts';
import type { CodeAnswer } from '../../panel/operations/codes.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext } from '../account/account-command.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { followed, statusOf } from './code-following.ts';

/** How a change ended, after the name of the lock and of the code. */
export interface Ends {
  readonly done: Message;
  readonly notDone: Message;
  readonly perhapsNot: Message;
}

export const ADDED: Ends = {
  done: message('added'),
  notDone: message('not added'),
  perhapsNot: message('perhaps not added'),
};
export const CHANGED: Ends = {
  done: message('changed'),
  notDone: message('not changed'),
  perhapsNot: message('perhaps not changed'),
};
export const REMOVED: Ends = {
  done: message('removed'),
  notDone: message('not removed'),
  perhapsNot: message('perhaps not removed'),
};
export const CLEARED: Ends = {
  done: message('all codes removed'),
  notDone: message('not all codes removed'),
  perhapsNot: message('perhaps not all codes removed'),
};

export async function finish(
  context: CommandContext,
  subject: string,
  ends: Ends,
  answer: CodeAnswer,
): Promise<ExitStatus> {
  const { output } = context;
  const end = await followed(context, subject, answer);
  const status = statusOf(end);
  if (end.phase === 'failed') {
    const how = t(status === EXIT_STATUS.uncertain ? ends.perhapsNot : ends.notDone);
    output.error(`${subject}: ${how}. ${end.failure === null ? '' : t(end.failure.words)}`);
  }
  if (output.json || end.phase === 'done') {
    output.answer(end, [`${subject}: ${t(ends.done)}`]);
  }
  return status;
}
