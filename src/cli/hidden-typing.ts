// Questions that a person answers at the terminal; what is secret is not shown while it is typed.
import { FinalError, RetryError } from '../support/errors.ts';
import type { Output, Terminal } from './terminal.ts';

/** Resolves with the answer without spaces around it. Rejects when the input ends, or the person stops it. */
export async function ask(
  terminal: Terminal,
  output: Output,
  question: string,
  isSecret = false,
): Promise<string> {
  output.prompt(question);
  terminal.showTyping?.(!isSecret);
  try {
    const answer = await terminal.readLine(terminal.stopped);
    if (terminal.stopped.aborted) {
      throw new RetryError('aborted', 'Stopped before anything was sent.');
    }
    if (answer === null || answer.trim() === '') {
      throw new FinalError('bad-request', `Nothing was sent: "${question}" was not answered.`);
    }
    return answer.trim();
  } finally {
    terminal.showTyping?.(true);
  }
}
