// Codes, access tokens and refresh tokens: their holders, lifetimes and ends. In memory only.
import type { AuthSettings } from './auth-settings.ts';
import type { SecretMint } from './secret-mint.ts';

export interface Consent {
  readonly clientId: string;
  readonly userId: string;
}

/** The grant behind a code; the exchange has to match it. */
export interface CodeTerms extends Consent {
  readonly redirectUri: string;
  /** The S256 challenge, or null when the request had none. */
  readonly codeChallenge: string | null;
}

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Whole seconds that the access token lives. */
  readonly expiresInS: number;
}

/** Why a refresh token yields nothing: an expired one has an answer of its own (specification, Flow 7). */
export type RefreshRefusal = 'invalid' | 'expired';

interface Expiring extends Consent {
  readonly expiresAt: number;
}

interface RefreshGrant extends Expiring {
  spentAt: number | null;
}

export class GrantStore {
  readonly #settings: () => AuthSettings;
  readonly #now: () => number;
  readonly #mint: SecretMint;
  readonly #codes = new Map<string, CodeTerms & Expiring>();
  readonly #access = new Map<string, Expiring>();
  readonly #refresh = new Map<string, RefreshGrant>();

  /** `now` is the simulator's time in epoch milliseconds. */
  constructor(settings: () => AuthSettings, now: () => number, mint: SecretMint) {
    this.#settings = settings;
    this.#now = now;
    this.#mint = mint;
  }

  issueCode(terms: CodeTerms): string {
    const code = `c-${this.#mint.secret('code')}`;
    this.#codes.set(code, { ...terms, expiresAt: this.#now() + this.#settings().codeLifetimeMs });
    return code;
  }

  /** The terms of a code that is still good, without using it up. */
  findCode(code: string): CodeTerms | undefined {
    return this.#living(this.#codes, code);
  }

  /** Uses the code up and grants the first pair. */
  redeemCode(code: string, terms: Consent): TokenPair {
    this.#codes.delete(code);
    return this.#issuePair(terms);
  }

  /** Trades a refresh token for a new pair; the old one is spent from now on. */
  refresh(refreshToken: string, clientId: string): TokenPair | RefreshRefusal {
    const grant = this.#refresh.get(refreshToken);
    if (grant === undefined || grant.clientId !== clientId) {
      return 'invalid';
    }
    const now = this.#now();
    if (grant.spentAt !== null && now >= grant.spentAt + this.#settings().refreshGraceMs) {
      return 'invalid';
    }
    if (now >= grant.expiresAt) {
      return 'expired';
    }
    grant.spentAt ??= now;
    return this.#issuePair(grant);
  }

  /** The grant of this access token; undefined when it is unknown, expired or revoked. */
  holderOf(accessToken: string): Consent | undefined {
    return this.#living(this.#access, accessToken);
  }

  /** The clients a user has linked: those that hold a refresh token which has not been spent or expired. */
  clientsOf(userId: string): readonly string[] {
    const now = this.#now();
    const living = [...this.#refresh.values()].filter(
      (grant) => grant.userId === userId && grant.spentAt === null && grant.expiresAt > now,
    );
    return [...new Set(living.map((grant) => grant.clientId))];
  }

  /** Ends everything a user granted: to one client, or to all when none is named. */
  revoke(userId: string, clientId?: string): void {
    for (const grants of [this.#codes, this.#access, this.#refresh]) {
      for (const [secret, grant] of grants) {
        if (grant.userId === userId && (clientId === undefined || grant.clientId === clientId)) {
          grants.delete(secret);
        }
      }
    }
  }

  #issuePair(consent: Consent): TokenPair {
    const { clientId, userId } = consent;
    const { accessTokenLifetimeMs, refreshTokenLifetimeMs } = this.#settings();
    const now = this.#now();
    const accessToken = this.#accessToken(consent);
    const refreshToken = `r-${this.#mint.secret('refresh-token')}`;
    this.#access.set(accessToken, { clientId, userId, expiresAt: now + accessTokenLifetimeMs });
    this.#refresh.set(refreshToken, {
      clientId,
      userId,
      expiresAt: now + refreshTokenLifetimeMs,
      spentAt: null,
    });
    return { accessToken, refreshToken, expiresInS: Math.floor(accessTokenLifetimeMs / 1000) };
  }

  #accessToken({ clientId, userId }: Consent): string {
    const { accessTokenForm, accessTokenLifetimeMs } = this.#settings();
    if (accessTokenForm === 'opaque') {
      return `a-${this.#mint.secret('access-token')}`;
    }
    const [iat, exp] = [this.#now(), this.#now() + accessTokenLifetimeMs].map((ms) => Math.floor(ms / 1000));
    return this.#mint.jwt('access-token', {
      sub: userId,
      client_id: clientId,
      scope: 'email openid',
      iat,
      exp,
    });
  }

  /** Expired codes and access tokens are dropped on lookup. */
  #living<T extends Expiring>(grants: Map<string, T>, secret: string): T | undefined {
    const grant = grants.get(secret);
    if (grant !== undefined && this.#now() >= grant.expiresAt) {
      grants.delete(secret);
      return undefined;
    }
    return grant;
  }
}
