// The findings of a deliberate check of the service, for troubleshooting.
import type { Message } from '../language/message.ts';
import type { Instant } from '../time/instant.ts';

/** `invalid`: for a reason that has no name here. */
export type ServiceCertificateFault =
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-host'
  | 'unknown-authority'
  | 'self-signed'
  | 'invalid';

/** One step of the check. Of a failure it keeps only a sentence for people. */
export type Verdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** How a caller should react to such a failure: see `support/errors.ts`. */
      readonly disposition: 'retry' | 'wait' | 'relink' | 'uncertain' | 'final';
      readonly code: string;
      readonly message: Message;
      /** Why the certificate of the service proves nothing; left out for every other failure. */
      readonly certificate?: ServiceCertificateFault;
    };

/** Each feature adds what it has checked. */
export interface ServiceCheck {
  /** Whether the authorization server answers and knows the client with its secret. */
  readonly authorization: Verdict;
  /** Whether there is an access token that the device interface takes. */
  readonly token: Verdict;
  /** Whether the device interface answers and takes each subscription key, in the order of the configuration. */
  readonly keys: readonly Verdict[];
  /** How far this machine's wall clock is ahead of the service's, in milliseconds; null when no answer was dated. */
  readonly clock: { readonly aheadMs: number; readonly uncertaintyMs: number } | null;
  readonly checkedAt: Instant;
}

/** Checks the service. Never rejects. */
export interface ServiceCheckup {
  check(): Promise<ServiceCheck>;
}
