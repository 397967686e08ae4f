// An error as it travels to a page or another process: what to do about it, what happened, and words; never a cause.
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

/** What is not one of our errors is a fault of ours: nobody knows what came of it, and its words stay here. */
export function tellable(error: unknown): LatchkeyError {
  return error instanceof LatchkeyError
    ? error
    : new UncertainError('The operation failed in an unexpected way; the log of the plugin says more.');
}
