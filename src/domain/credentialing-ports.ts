// Interfaces that credentialing needs from its adapters: calls of the interface, and what every process on the machine shares.
import type { Instant } from './bolt.ts';
import type {
  Credential,
  CredentialDraft,
  CredentialId,
  CredentialOperation,
  NoTourPayload,
} from './credential.ts';
import type { RateDecision, RateFacts, RateState } from './rate-window-policy.ts';

/** How a call may be held up by rate windows. */
export interface CallOptions {
  /** Ends the wait; what was not sent by then is not sent. */
  readonly signal?: AbortSignal;
  /** Called before each wait. `until` is on this machine's clock. */
  readonly onWait?: (wait: CallWait) => void;
  /** Rejects with a wait error instead of waiting longer than this, in milliseconds; left out, it waits as long as it takes. */
  readonly patienceMs?: number;
  /** Called each time a request is about to leave: when it throws, nothing leaves, and that is the error. */
  readonly onSend?: () => void;
}

/** Why a call waits, and when it goes on. */
export interface CallWait {
  readonly operation: CredentialOperation;
  readonly until: Instant;
  /** `limit`: to stay below it. `refused`: the service asked for it. */
  readonly why: 'limit' | 'refused';
}

/** A credential that was just issued. */
export interface IssuedCredential {
  readonly id: CredentialId;
  /** Null for a raw credential. */
  readonly cardNumber: number | null;
}

export interface CredentialListing {
  readonly credentials: readonly Credential[];
  /** Items that could not be read: while there are any, nothing may be concluded from an absence. */
  readonly unreadable: number;
}

/**
 * The credentialing interface. Every method refuses a bad field before a call, with `bad-request`, and rejects with the errors of
 * `support/errors.ts`: creating rejects with `uncertain` when the service may have done it, everything else may be asked again.
 */
export interface CredentialGateway {
  create(draft: CredentialDraft, options?: CallOptions): Promise<IssuedCredential>;
  list(options?: CallOptions): Promise<CredentialListing>;
  get(id: CredentialId, options?: CallOptions): Promise<Credential>;
  getByUser(userId: string, options?: CallOptions): Promise<Credential>;
  delete(id: CredentialId, options?: CallOptions): Promise<void>;
  deleteByUser(userId: string, options?: CallOptions): Promise<void>;
  /** Resolves with all payloads of the credential; null when the service does not list them. */
  saveNoTour(
    id: CredentialId,
    payloads: readonly NoTourPayload[],
    options?: CallOptions,
  ): Promise<readonly NoTourPayload[] | null>;
  deleteNoTour(id: CredentialId, options?: CallOptions): Promise<void>;
  deleteNoTourOfLock(id: CredentialId, deviceSerialNumber: string, options?: CallOptions): Promise<void>;
}

/** Rate windows that every process on this machine shares. Each method is one transaction; throws retry (`storage-failed`). */
export interface RateWindowStore {
  reserve(operation: CredentialOperation, limit: number, now: Instant): RateDecision;
  cancel(operation: CredentialOperation, id: number): void;
  answer(operation: CredentialOperation, id: number, receivedAt: Instant, facts: RateFacts): void;
  refuse(operation: CredentialOperation, until: Instant): void;
  read(operation: CredentialOperation, limit: number): RateState;
}

/** What is known of the last create for a user. */
export interface CreateAttempt {
  readonly startedAt: Instant;
  /** When its outcome was known; null while it is not: the service may still carry it out. */
  readonly settledAt: Instant | null;
}

/** Creates that were begun, shared by every process on this machine: written before a call leaves, so that none is sent twice. */
export interface CreateAttemptStore {
  /**
   * Writes down that a create for this user begins, unless one was begun or settled since `since`, or is open: then nothing is
   * written and that one is returned.
   */
  begin(userId: string, since: Instant, now: Instant): CreateAttempt | null;
  /** Our own attempt leaves once more, because it was certainly not carried out. */
  renew(userId: string, now: Instant): void;
  /** The open attempt is known not to be carried out any more, or to have been: another may begin. */
  settle(userId: string, now: Instant): void;
}
