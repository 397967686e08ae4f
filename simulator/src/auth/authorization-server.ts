// The authorization server without HTTP: questions waiting for consent, grants, switches, and the end of a link.
import { type AuthSettings, DEFAULT_AUTH_SETTINGS } from './auth-settings.ts';
import {
  type AuthorizationRequest,
  type AuthorizationVerdict,
  approvalLocation,
  judgeAuthorization,
  refusalLocation,
} from './authorize-request.ts';
import type { ResourceOwner } from './consent-page.ts';
import { type Consent, GrantStore } from './grant-store.ts';
import type { PartnerClient } from './partner-client.ts';
import type { SecretMint } from './secret-mint.ts';
import { answerTokenRequest, type TokenAnswer } from './token-request.ts';

/** How long a consent page waits for its answer. Ours: the specification does not say. */
const QUESTION_LIFETIME_MS = 600_000;

/** Called with the user, and the one client that was unlinked, or null for all of them. */
type UnlinkListener = (userId: string, clientId: string | null) => void;

export interface AuthorizationServerOptions {
  readonly clients: readonly PartnerClient[];
  readonly owners: () => readonly ResourceOwner[];
  /** The simulator's time, epoch milliseconds. */
  readonly now: () => number;
  readonly mint: SecretMint;
  readonly settings?: Partial<AuthSettings>;
}

export class AuthorizationServer {
  readonly #options: AuthorizationServerOptions;
  readonly #grants: GrantStore;
  readonly #questions = new Map<string, { request: AuthorizationRequest; askedAt: number }>();
  readonly #unlinkListeners: UnlinkListener[] = [];
  #settings: AuthSettings;

  constructor(options: AuthorizationServerOptions) {
    this.#options = options;
    this.#settings = this.#checked({ ...DEFAULT_AUTH_SETTINGS, ...options.settings });
    this.#grants = new GrantStore(() => this.#settings, options.now, options.mint);
  }

  get clients(): readonly PartnerClient[] {
    return this.#options.clients;
  }

  get settings(): AuthSettings {
    return this.#settings;
  }

  /**
   * Changes switches from the next request on; existing grants keep their lifetime.
   * Throws a RangeError when the consenting user does not exist.
   */
  configure(changes: Partial<AuthSettings>): void {
    this.#settings = this.#checked({ ...this.#settings, ...changes });
  }

  owners(): readonly ResourceOwner[] {
    return this.#options.owners();
  }

  /** Judges an authorization request; with auto-approval on, one in good order comes back as a redirect with a code. */
  authorize(query: URLSearchParams): AuthorizationVerdict {
    const verdict = judgeAuthorization(query, this.clients, this.#settings.pkce);
    const { autoApproveUserId } = this.#settings;
    return verdict.kind === 'consent' && autoApproveUserId !== null
      ? { kind: 'redirect', location: this.#approve(verdict.request, autoApproveUserId) }
      : verdict;
  }

  /** Keeps a request until its page is answered, and names it. */
  ask(request: AuthorizationRequest): string {
    const ticket = this.#options.mint.secret('consent-ticket');
    this.#questions.set(ticket, { request, askedAt: this.#options.now() });
    return ticket;
  }

  /**
   * Takes the answer of a consent page, once, and says where the browser goes.
   * `userId` null is a refusal. Undefined: no such question is open, or no such user is there.
   */
  answer(ticket: string, userId: string | null): string | undefined {
    const question = this.#questions.get(ticket);
    if (question === undefined || (userId !== null && !this.#knows(userId))) {
      return undefined;
    }
    this.#questions.delete(ticket);
    if (this.#options.now() >= question.askedAt + QUESTION_LIFETIME_MS) {
      return undefined;
    }
    return userId === null
      ? refusalLocation(question.request, 'access_denied')
      : this.#approve(question.request, userId);
  }

  /** Answers the token endpoint; null stands for a body that is not a form. */
  token(form: URLSearchParams | null): TokenAnswer {
    return answerTokenRequest(form, this.clients, this.#grants, this.#settings.pkce);
  }

  holderOf(accessToken: string): Consent | undefined {
    return this.#grants.holderOf(accessToken);
  }

  clientsOf(userId: string): readonly string[] {
    return this.#grants.clientsOf(userId);
  }

  /** The user takes the consent back, from one client or from all (null). Access tokens die at once. */
  revoke(userId: string, clientId: string | null): void {
    this.#grants.revoke(userId, clientId ?? undefined);
    for (const listener of this.#unlinkListeners) {
      listener(userId, clientId);
    }
  }

  /** Reports the end of a link, so that its webhook subscriptions end too. */
  onUnlinked(listener: UnlinkListener): void {
    this.#unlinkListeners.push(listener);
  }

  #approve(request: AuthorizationRequest, userId: string): string {
    const { client, redirectUri, codeChallenge } = request;
    const code = this.#grants.issueCode({ clientId: client.clientId, userId, redirectUri, codeChallenge });
    return approvalLocation(request, code);
  }

  #checked(settings: AuthSettings): AuthSettings {
    const { autoApproveUserId } = settings;
    if (autoApproveUserId !== null && !this.#knows(autoApproveUserId)) {
      const known = this.owners().map(({ id }) => id);
      throw new RangeError(
        `There is no user "${autoApproveUserId}" who could give consent; there are: ${known.join(', ')}`,
      );
    }
    return settings;
  }

  #knows(userId: string): boolean {
    return this.owners().some((owner) => owner.id === userId);
  }
}
