// Converts an error for a page or another process: its disposition, code and message, never its cause.
import { type Disposition, FinalError, LatchkeyError, UncertainError, WaitError } from '../support/errors.ts';

export interface ErrorView {
  readonly disposition: Disposition;
  /** Of support/errors.ts. */
  readonly code: string;
  /** For a person. */
  readonly message: string;
  /** Of a `wait`: how long, in milliseconds; null when no time was named. */
  readonly waitMs?: number | null;
  /** Of a `final`: for `refused`, the reason of domain/refusal.ts. */
  readonly reason?: string | null;
}

export function errorViewOf(error: LatchkeyError): ErrorView {
  const { disposition, code, message } = error;
  if (error instanceof WaitError) {
    return { disposition, code, message, waitMs: error.waitMs };
  }
  return error instanceof FinalError
    ? { disposition, code, message, reason: error.reason }
    : { disposition, code, message };
}

/** An unexpected error is a bug: its outcome is unknown, and its message is not passed on. */
export function reportableError(error: unknown): LatchkeyError {
  return error instanceof LatchkeyError
    ? error
    : new UncertainError('The operation failed in an unexpected way; the log of the plugin says more.');
}
