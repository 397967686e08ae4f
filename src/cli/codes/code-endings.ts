// How a change of codes ended, as a line and as the status of the command.
import { type Message, message } from '../../domain/language/message.ts';
import type { CodeAnswer } from '../../panel/operations/codes.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext } from '../account/account-command.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { followed, statusOf } from './code-following.ts';

/** How a change ended, after the name of the lock and of the code. */
const ENDS = {
  added: [message('added'), message('not added'), message('perhaps not added')],
  changed: [message('changed'), message('not changed'), message('perhaps not changed')],
  removed: [message('removed'), message('not removed'), message('perhaps not removed')],
  cleared: [
    message('all codes removed'),
    message('not all codes removed'),
    message('perhaps not all codes removed'),
  ],
} as const satisfies Readonly<
  Record<string, readonly [done: Message, notDone: Message, perhapsNot: Message]>
>;

export async function finish(
  context: CommandContext,
  subject: string,
  change: keyof typeof ENDS,
  answer: CodeAnswer,
): Promise<ExitStatus> {
  const { output } = context;
  const [done, notDone, perhapsNot] = ENDS[change];
  const end = await followed(context, subject, answer);
  const status = statusOf(end);
  if (end.phase === 'failed') {
    const how = t(status === EXIT_STATUS.uncertain ? perhapsNot : notDone);
    output.error(`${subject}: ${how}. ${end.failure === null ? '' : t(end.failure.words)}`);
  }
  if (output.json || end.phase === 'done') {
    output.answer(end, [`${subject}: ${t(done)}`]);
  }
  return status;
}
