// Ports of the credentialing interface that all processes on the machine share: rate windows and started creates.

import type { RateFacts } from '../../../domain/polling/rate-facts.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { CredentialOperation } from './credential.ts';
import type { RateDecision, RateState } from './rate-window-policy.ts';

/** Rate windows that every process on this machine shares. Each method is one transaction; throws retry (`storage-failed`). */
export interface RateWindowStore {
  reserve(operation: CredentialOperation, limit: number, now: Instant): RateDecision;
  cancel(operation: CredentialOperation, id: number): void;
  answer(operation: CredentialOperation, id: number, receivedAt: Instant, facts: RateFacts): void;
  refuse(operation: CredentialOperation, until: Instant): void;
  read(operation: CredentialOperation, limit: number): RateState;
}

/** The last create for a user. */
export interface CreateAttempt {
  readonly startedAt: Instant;
  /** When its outcome was known; null while it is not: the service may still carry it out. */
  readonly settledAt: Instant | null;
}

/** Creates that were begun, shared by every process on this machine: written before a call leaves, so that none is sent twice. */
export interface CreateAttemptStore {
  /** Writes down that a create begins; one that was begun or settled since `since`, or is open, is returned instead. */
  begin(userId: string, since: Instant, now: Instant): CreateAttempt | null;
  /** Our own attempt leaves once more, because it was certainly not carried out. */
  renew(userId: string, now: Instant): void;
  /** The outcome of the open attempt is known: another one may begin. */
  settle(userId: string, now: Instant): void;
}
