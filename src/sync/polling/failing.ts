// The description of a service that does not answer: for the log, and for the pages.
import type { LatchkeyError } from '../../support/errors.ts';

/** The service does not answer as it should. */
export interface Failing {
  /** How long the failure has lasted, in milliseconds. */
  readonly forMs: number;
  /** The reason of the last failure, for a person. */
  readonly message: string;
  readonly code: LatchkeyError['code'];
  /** When the next call is made, in milliseconds; null while one is under way. */
  readonly retryInMs: number | null;
}

/** The line of the log at the beginning of the failure. */
export function outageLine({ code, message }: LatchkeyError): string {
  const isOurs = code === 'storage-failed';
  const what = isOurs ? 'The locks cannot be read' : 'The lock service does not answer as it should';
  return `${what}: ${message} Trying again by itself.`;
}
