// The credentialing interface for its callers, and the options of waiting for its rate window.

import type {
  Credential,
  CredentialDraft,
  CredentialId,
  CredentialOperation,
  NoTourPayload,
} from '../domain/credentials/credential.ts';
import type { Instant } from '../domain/time/instant.ts';

/** Options of a call that rate windows may delay. */
export interface CallOptions {
  /** Aborts the wait; an unsent call is then not sent. */
  readonly signal?: AbortSignal;
  /** Called before each wait. `until` is on this machine's clock. */
  readonly onWait?: (wait: CallWait) => void;
  /** Rejects with a wait error instead of waiting longer than this, in milliseconds; unlimited if left out. */
  readonly longestWaitMs?: number;
  /** Called before each request is sent: if it throws, nothing is sent and the call fails with that error. */
  readonly onSend?: () => void;
}

/** The reason and the end of a wait. */
export interface CallWait {
  readonly operation: CredentialOperation;
  readonly until: Instant;
  /** `limit`: to stay below the limit. `refused`: requested by the service. */
  readonly why: 'limit' | 'refused';
}

export interface IssuedCredential {
  readonly id: CredentialId;
  /** Null for a raw credential. */
  readonly cardNumber: number | null;
}

export interface CredentialListing {
  readonly credentials: readonly Credential[];
  /** Number of unreadable items: while it is above 0, an absence proves nothing. */
  readonly unreadable: number;
}

/**
 * The credentialing interface. Every method refuses an invalid field before a call, with `bad-request`, and rejects with
 * the errors of `support/errors.ts`.
 * Creating rejects with `uncertain` when the service may have carried it out; every other call may be repeated.
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
