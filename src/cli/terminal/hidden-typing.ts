// Asks questions at the terminal, and hides secrets while they are typed.
import { FinalError, RetryError } from '../../support/errors.ts';
import { t } from '../../words/translate.ts';
import type { Output, Terminal } from './terminal.ts';

/** Resolves with the trimmed answer. Rejects at the end of the input, or on Ctrl-C. With `--json` the question is in the error alone. */
export async function ask(
  terminal: Terminal,
  output: Output,
  question: string,
  isSecret = false,
  /** Said where nobody answers: what was not done. */
  undone = t('Nothing was sent.'),
): Promise<string> {
  // A program reads one JSON value on the error stream, and nobody types an answer.
  if (!output.json) {
    output.prompt(question);
  }
  terminal.showTyping?.(!isSecret);
  try {
    const answer = await terminal.readLine(terminal.stopped);
    if (terminal.stopped.aborted) {
      throw new RetryError('aborted', t('Stopped before anything was sent.'));
    }
    if (answer === null || answer.trim() === '') {
      const message = t('{undone} "{question}" was not answered.', { undone, question });
      throw new FinalError('bad-request', message);
    }
    return answer.trim();
  } finally {
    terminal.showTyping?.(true);
  }
}

/** Asks for this word before something is done that cannot be undone. Throws, in words of what was not done, for any other. */
export async function confirm(
  { terminal, output }: { readonly terminal: Terminal; readonly output: Output },
  question: string,
  refused: string,
  word = 'yes',
): Promise<void> {
  const typed = await ask(terminal, output, question, false, refused);
  if ((word === 'yes' ? typed.toLowerCase() : typed) !== word) {
    throw new FinalError('bad-request', refused);
  }
}
