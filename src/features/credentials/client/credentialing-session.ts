// Logs in to the credentialing interface and keeps its token in storage shared by all processes of this machine.
import type { Instant } from '../../../domain/time/instant.ts';
import type { Clock } from '../../../support/clock.ts';
import type { CallOptions } from './credential-gateway.ts';

/** Login of the interface. Both members are secrets. */
export interface InterfaceLogin {
  readonly username: string;
  readonly password: string;
}

export interface StoredToken {
  readonly token: string;
  /** The token's user: it is not used with another user name. */
  readonly username: string;
  /** On this machine's clock. */
  readonly expiresAt: Instant;
}

export interface TokenStore {
  /** Null without a stored token, or with one of another service. */
  read(): StoredToken | null;
  write(token: StoredToken | null): void;
}

/** Renewal this long before expiry, in milliseconds: longer than one call takes (our choice). */
const RENEW_EARLY_MS = 60_000;

export class CredentialingSession {
  readonly #parts;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(parts: {
    readonly store: TokenStore;
    /** The current login; throws `bad-configuration` without one. */
    readonly login: () => InterfaceLogin;
    readonly request: (
      login: InterfaceLogin,
      options: CallOptions,
    ) => Promise<{ readonly token: string; readonly lifetimeMs: number }>;
    readonly clock: Clock;
  }) {
    this.#parts = parts;
  }

  /** A valid token. Concurrent callers share one login. */
  async token(options: CallOptions): Promise<string> {
    const turn = this.#tail.then(async () => this.#current() ?? this.#renew(this.#parts.login(), options));
    this.#tail = turn.catch(() => {});
    return turn;
  }

  /** The service rejected this token: it is not used again. */
  invalidate(token: string): void {
    if (this.#parts.store.read()?.token === token) {
      this.#parts.store.write(null);
    }
  }

  /** Logs in now, even with a valid token stored. */
  async login(login: InterfaceLogin, options: CallOptions): Promise<void> {
    await this.#renew(login, options);
  }

  #current(): string | null {
    const { store, login, clock } = this.#parts;
    const stored = store.read();
    const usable =
      stored !== null &&
      stored.username === login().username &&
      stored.expiresAt - RENEW_EARLY_MS > clock.now();
    return usable ? stored.token : null;
  }

  async #renew(login: InterfaceLogin, options: CallOptions): Promise<string> {
    const { token, lifetimeMs } = await this.#parts.request(login, options);
    const expiresAt = this.#parts.clock.now() + lifetimeMs;
    this.#parts.store.write({ token, username: login.username, expiresAt });
    return token;
  }
}
