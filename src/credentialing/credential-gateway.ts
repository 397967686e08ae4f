// The credentialing interface as its callers see it, and how a call may wait for its rate window.
import type { Instant } from '../domain/bolt.ts';
import type {
  Credential,
  CredentialDraft,
  CredentialId,
  CredentialOperation,
  NoTourPayload,
} from '../domain/credential.ts';

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
