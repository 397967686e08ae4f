// Issues a credential once: where nobody can say what became of a create, the service is asked before another one is sent.
import type { Instant } from '../domain/bolt.ts';
import { settledBy } from '../domain/create-attempt-policy.ts';
import type { Credential, CredentialDraft } from '../domain/credential.ts';
import { matchesDraft } from '../domain/credential-policy.ts';
import type { CreateAttempt, CreateAttemptStore } from '../domain/credentialing-ports.ts';
import { type Clock, delay } from '../support/clock.ts';
import { FinalError, RetryError, UncertainError } from '../support/errors.ts';
import type { CallOptions, CredentialGateway, IssuedCredential } from './credential-gateway.ts';
import { CONFLICT } from './credentialing-errors.ts';

export interface CredentialIssuerParts {
  readonly gateway: Pick<CredentialGateway, 'create' | 'getByUser'>;
  readonly attempts: CreateAttemptStore;
  readonly clock: Clock;
}

export type IssueResult =
  | ({ readonly kind: 'issued' } & IssuedCredential)
  /** The user has a credential that is what the draft asks for, or another one. */
  | { readonly kind: 'existing'; readonly credential: Credential; readonly matches: boolean }
  /** A create of this user may still be carried out until then: ask again afterwards. */
  | { readonly kind: 'later'; readonly at: Instant };

export class CredentialIssuer {
  readonly #parts: CredentialIssuerParts;

  constructor(parts: CredentialIssuerParts) {
    this.#parts = parts;
  }

  /**
   * Issues a credential for a user of whom the service said at `since`, an instant of this machine, that there is none. Rejects as
   * the gateway does, but never with `uncertain`.
   */
  async issue(draft: CredentialDraft, since: Instant, options: CallOptions): Promise<IssueResult> {
    const attempt = new Attempt(this.#parts, draft.userId, since);
    try {
      const issued = await this.#parts.gateway.create(draft, { ...options, onSend: attempt.onSend });
      attempt.settle();
      return { kind: 'issued', ...issued };
    } catch (error) {
      if (attempt.earlier !== null) {
        return this.#look(draft, attempt.earlier, options);
      }
      if (error instanceof UncertainError) {
        return this.#look(draft, { startedAt: this.#parts.clock.now(), settledAt: null }, options);
      }
      attempt.settle();
      if (error instanceof FinalError && error.reason === CONFLICT) {
        return this.#afterConflict(draft, error, options);
      }
      throw error;
    }
  }

  /** The same where waiting is all right: resolves when it is known what became of it. */
  async issueNow(
    draft: CredentialDraft,
    options: CallOptions,
  ): Promise<Exclude<IssueResult, { kind: 'later' }>> {
    const { clock } = this.#parts;
    for (;;) {
      // Nothing was asked yet: where a create was begun lately, the service is asked first.
      const result = await this.issue(draft, 0, options);
      if (result.kind !== 'later') {
        return result;
      }
      await delay(clock, result.at - clock.now(), options.signal);
    }
  }

  async #look(draft: CredentialDraft, attempt: CreateAttempt, options: CallOptions): Promise<IssueResult> {
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

  /** Two reasons share one status: a credential of this user, or a card number of somebody else's. */
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

/** One create, written down as its first byte leaves; not sent where another one may still be carried out. */
class Attempt {
  /** The one that stands in the way, if any. */
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

  /** Called as a request leaves, once more after each refusal for its rate. */
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

  /** What became of it is known. An attempt of another process is left alone. */
  settle(): void {
    if (this.#isBegun) {
      this.#parts.attempts.settle(this.#userId, this.#parts.clock.now());
    }
  }
}
