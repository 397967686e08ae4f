// How a service that does not answer is described: for the log, and for the pages.
import type { LatchkeyError } from '../../support/errors.ts';

/** The service does not answer as it should. */
export interface Failing {
  /** For how long, in milliseconds. */
  readonly forMs: number;
  /** Why, when it was asked last: for a person. */
  readonly message: string;
  readonly code: LatchkeyError['code'];
  /** When it is asked again, in milliseconds; null while it is being asked. */
  readonly retryInMs: number | null;
}

/** The line of the log when it begins. */
export function outageLine({ code, message }: LatchkeyError): string {
  const isOurs = code === 'storage-failed';
  const what = isOurs ? 'The locks cannot be read' : 'The lock service does not answer as it should';
  return `${what}: ${message} Trying again by itself.`;
}
