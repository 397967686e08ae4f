// Converts an error for a page or another process: its disposition, code and message, never its cause.
import { type Message, message } from '../../domain/language/message.ts';
import {
  type Disposition,
  FinalError,
  LatchkeyError,
  UncertainError,
  WaitError,
} from '../../support/errors.ts';

export interface ErrorView {
  readonly disposition: Disposition;
  /** A code of support/errors.ts. */
  readonly code: string;
  /** The message in English. */
  readonly message: string;
  /** The message for a reader of any language; absent where it is English alone. */
  readonly words?: Message | null;
  /** The length of a `wait`, in milliseconds; null when no time was named. */
  readonly waitMs?: number | null;
  /** The reason of a `final` error `refused`, of domain/commands/refusal.ts. */
  readonly reason?: string | null;
}

export function errorViewOf(error: LatchkeyError): ErrorView {
  const { disposition, code, words } = error;
  const view = { disposition, code, message: error.message, ...(words === null ? {} : { words }) };
  if (error instanceof WaitError) {
    return { ...view, waitMs: error.waitMs };
  }
  return error instanceof FinalError ? { ...view, reason: error.reason } : view;
}

/** An unexpected error is a bug: its outcome is unknown, and its message is not passed on. */
export function reportableError(error: unknown): LatchkeyError {
  return error instanceof LatchkeyError
    ? error
    : new UncertainError(
        message('The operation failed in an unexpected way; the log of the plugin says more.'),
      );
}
