// What a call of the credentialing interface takes and gives: the options of waiting for its rate window, and its results.

import type { Instant } from '../../../domain/time/instant.ts';
import type { Credential, CredentialId, CredentialOperation } from '../policy/credential.ts';

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
