// A process of the bench's own, so that its work takes nothing from the measured programs: it is driven by messages.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { within } from '../harness/deadline.ts';

/** Longer than any of them works on one message. */
const ANSWERED_WITHIN_MS = 300_000;

export interface Worker {
  /** Sends one message, and resolves with the next answer. Rejects when the process has ended. */
  ask(message: unknown): Promise<unknown>;
  end(): void;
}

/** `program` answers each message with one. */
export function startWorker(program: URL): Worker {
  const file = basename(program.pathname);
  const child = fork(program, { serialization: 'advanced' });
  return {
    async ask(message) {
      const answer = answerOf(child, file);
      child.send(message as object);
      return within(answer, ANSWERED_WITHIN_MS, () => `${file} does not answer`);
    },
    end: () => {
      child.kill();
    },
  };
}

async function answerOf(child: ChildProcess, file: string): Promise<unknown> {
  const answered = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: answered.signal }).then(([answer]) => answer as unknown),
      once(child, 'exit', { signal: answered.signal }).then(() => {
        throw new Error(`${file} ended before it answered`);
      }),
    ]);
  } finally {
    answered.abort();
  }
}
