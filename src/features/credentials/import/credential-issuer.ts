// Issues a credential once: after an uncertain create, the service is asked before another one is sent.

import type { Instant } from '../../../domain/time/instant.ts';
import { type Clock, delay } from '../../../support/clock.ts';
import { FinalError, RetryError, UncertainError } from '../../../support/errors.ts';
import type { CallOptions, IssuedCredential } from '../client/credential-gateway.ts';
import type { CredentialingClient } from '../client/credentialing-client.ts';
import { CONFLICT } from '../client/credentialing-errors.ts';
import { settledBy } from '../policy/create-attempt-policy.ts';
import type { Credential, CredentialDraft } from '../policy/credential.ts';
import { matchesDraft } from '../policy/credential-policy.ts';
import type { CreateAttempt, CreateAttemptStore } from '../policy/ports.ts';

export interface CredentialIssuerParts {
  readonly gateway: Pick<CredentialingClient, 'create' | 'getByUser'>;
  readonly attempts: CreateAttemptStore;
  readonly clock: Clock;
}

export type IssueResult =
  | ({ readonly kind: 'issued' } & IssuedCredential)
  /** The user already has a credential; `matches`: it equals the draft. */
  | { readonly kind: 'existing'; readonly credential: Credential; readonly matches: boolean }
  /** A create of this user may still be carried out until then: ask again afterwards. */
  | { readonly kind: 'later'; readonly at: Instant };

export class CredentialIssuer {
  readonly #parts: CredentialIssuerParts;

  constructor(parts: CredentialIssuerParts) {
    this.#parts = parts;
  }

  /**
   * Issues a credential for a user without one according to the service at `since`, an instant of this machine. Rejects
   * as the gateway does, but never with `uncertain`.
   */
  async issue(draft: CredentialDraft, since: Instant, options: CallOptions): Promise<IssueResult> {
    const attempt = new Attempt(this.#parts, draft.userId, since);
    try {
      const issued = await this.#parts.gateway.create(draft, { ...options, onSend: attempt.onSend });
      attempt.settle();
      return { kind: 'issued', ...issued };
    } catch (error) {
      if (attempt.earlier !== null) {
        return this.#settleAttempt(draft, attempt.earlier, options);
      }
      if (error instanceof UncertainError) {
        return this.#settleAttempt(draft, { startedAt: this.#parts.clock.now(), settledAt: null }, options);
      }
      attempt.settle();
      if (error instanceof FinalError && error.reason === CONFLICT) {
        return this.#afterConflict(draft, error, options);
      }
      throw error;
    }
  }

  /** The same for callers that can wait: resolves when the outcome is known. */
  async issueNow(
    draft: CredentialDraft,
    options: CallOptions,
  ): Promise<Exclude<IssueResult, { kind: 'later' }>> {
    const { clock } = this.#parts;
    for (;;) {
      // The service has not been asked yet: after a recent create, it is asked first.
      const result = await this.issue(draft, 0, options);
      if (result.kind !== 'later') {
        return result;
      }
      await delay(clock, result.at - clock.now(), options.signal);
    }
  }

  async #settleAttempt(
    draft: CredentialDraft,
    attempt: CreateAttempt,
    options: CallOptions,
  ): Promise<IssueResult> {
    const { attempts, clock } = this.#parts;
    const askedAt = clock.now();
    const credential = await this.#find(draft.userId, options);
    if (credential !== null) {
      attempts.settle(draft.userId, clock.now());
      return { kind: 'existing', credential, matches: matchesDraft(credential, draft) };
    }
    const at = settledBy(attempt) + 1;
    return askedAt >= at ? this.issue(draft, askedAt, options) : { kind: 'later', at };
  }

  /** Two causes share one status: a credential of this user, or a card number of another user. */
  async #afterConflict(
    draft: CredentialDraft,
    conflict: FinalError,
    options: CallOptions,
  ): Promise<IssueResult> {
    const credential = await this.#find(draft.userId, options);
    if (credential === null) {
      throw conflict;
    }
    return { kind: 'existing', credential, matches: matchesDraft(credential, draft) };
  }

  async #find(userId: string, options: CallOptions): Promise<Credential | null> {
    try {
      return await this.#parts.gateway.getByUser(userId, options);
    } catch (error) {
      if (error instanceof FinalError && error.code === 'not-found') {
        return null;
      }
      throw error;
    }
  }
}

/** One create, journaled as its first byte is sent; not sent while another one may still be carried out. */
class Attempt {
  earlier: CreateAttempt | null = null;
  readonly #parts: CredentialIssuerParts;
  readonly #userId: string;
  readonly #since: Instant;
  #isBegun = false;

  constructor(parts: CredentialIssuerParts, userId: string, since: Instant) {
    this.#parts = parts;
    this.#userId = userId;
    this.#since = since;
  }

  /** Called before each request, once more after each rate refusal. */
  readonly onSend = (): void => {
    const { attempts, clock } = this.#parts;
    if (this.#isBegun) {
      attempts.renew(this.#userId, clock.now());
      return;
    }
    this.earlier = attempts.begin(this.#userId, this.#since, clock.now());
    if (this.earlier !== null) {
      throw new RetryError('aborted', 'A credential of this user may be issued at this moment.');
    }
    this.#isBegun = true;
  };

  /** Marks the outcome as known. An attempt of another process is left alone. */
  settle(): void {
    if (this.#isBegun) {
      this.#parts.attempts.settle(this.#userId, this.#parts.clock.now());
    }
  }
}
