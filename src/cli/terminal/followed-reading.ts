// Sends a change of codes and follows it, also through the next owner of the account; fails with a reason when no owner is left.

import type { PanelCall } from '../../panel/socket/panel-client.ts';
import { delay } from '../../support/clock.ts';
import { messageOf, RetryError, UncertainError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import type { AccountSession } from '../../tools/account-session.ts';
import { t } from '../../words/translate.ts';
import type { Output, Terminal } from './terminal.ts';

/** An owner on this machine answers from memory (our choice). */
const READ_EVERY_MS = 400;

/** The outcome of the change is not known: the list of codes shows it, not the door. */
export class UnknownChangeError extends UncertainError {}

/** Sends a change. Rejects with `uncertain`, in words for `subject`, when the owner of the account ends before it answers. */
export async function sendChange<T>(subject: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw error instanceof UncertainError ? unknownChange(subject, error) : error;
  }
}

/** `subject`: whose change. Rejects with `uncertain` when the account is out of reach: the change may go on without us. */
export async function readFollowing<T>(
  session: AccountSession,
  subject: string,
  read: (call: PanelCall) => Promise<T>,
): Promise<T> {
  try {
    return await session.read(read);
  } catch (error) {
    if (error instanceof RetryError && error.code === 'aborted') {
      throw error;
    }
    throw unknownChange(subject, error);
  }
}

function unknownChange(subject: string, error: unknown): UnknownChangeError {
  const message = t('{subject}: how it went is not known. {why}', { subject, why: messageOf(error) });
  return new UnknownChangeError(message, { cause: error });
}

interface Watching<T> {
  readonly isOver: (seen: T) => boolean;
  /** What is said between two looks, where it was not said just before. */
  readonly line: string | ((seen: T) => string);
  /** What was said before the first look. */
  readonly said?: string;
  readonly forMs?: number;
}

/** Looks until `isOver`, or as long as that may take, and says how it goes. Resolves with the last look. */
export async function watched<T>(
  { output, terminal: { clock, stopped } }: { readonly output: Output; readonly terminal: Terminal },
  read: () => Promise<T>,
  { isOver, line, said = '', forMs = Number.POSITIVE_INFINITY }: Watching<T>,
): Promise<T> {
  const startedAt = clock.monotonic();
  let last = oneLine(said);
  for (;;) {
    const seen = await read();
    if (isOver(seen) || clock.monotonic() - startedAt >= forMs) {
      return seen;
    }
    const words = oneLine(typeof line === 'string' ? line : line(seen));
    if (words !== last) {
      output.progress(words);
    }
    last = words;
    await delay(clock, READ_EVERY_MS, stopped);
  }
}
