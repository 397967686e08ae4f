// Whether a create may be sent for a user: after a create of unknown outcome, the service is asked first.
import type { Instant } from '../../../domain/time/instant.ts';
import type { CreateAttempt } from './ports.ts';

/** A create without an answer is settled after this long, in milliseconds: a service may hold it for a minute (wire contract 12). */
export const SETTLES_WITHIN_MS = 65_000;

/** The latest instant at which the service's listings show the outcome of an attempt. */
export function settledBy({ startedAt, settledAt }: CreateAttempt): Instant {
  return settledAt ?? startedAt + SETTLES_WITHIN_MS;
}

/** `since`: when the listing was requested that last showed no credential of this user. */
export function mayCreate(attempt: CreateAttempt | null, since: Instant): boolean {
  return attempt === null || since > settledBy(attempt);
}
