// Whether a create may be sent for a user: after one that may have been carried out, the service is asked first.
import type { Instant } from './bolt.ts';
import type { CreateAttempt } from './credentialing-ports.ts';

/**
 * A service may hold its answer for a minute and still create the credential (wire contract 12): a create without an answer
 * is settled after this long, in milliseconds.
 */
export const SETTLES_WITHIN_MS = 65_000;

/** When the outcome of an attempt is known to the service's listings at the latest. */
export function settledBy({ startedAt, settledAt }: CreateAttempt): Instant {
  return settledAt ?? startedAt + SETTLES_WITHIN_MS;
}

/** `since`: when the service was asked that last said that this user has no credential. */
export function mayCreate(attempt: CreateAttempt | null, since: Instant): boolean {
  return attempt === null || since > settledBy(attempt);
}
