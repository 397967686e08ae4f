// The login of the credentialing interface and the token it gives, kept where every process of this machine finds it.
import type { Instant } from '../domain/bolt.ts';
import type { Clock } from '../support/clock.ts';
import type { CallOptions } from './credential-gateway.ts';

/** What the interface is logged in with. Both are secrets. */
export interface InterfaceLogin {
  readonly username: string;
  readonly password: string;
}

/** A token as it is kept. */
export interface StoredToken {
  readonly token: string;
  /** Whose it is: with another user name it is of no use. */
  readonly username: string;
  /** On this machine's clock. */
  readonly expiresAt: Instant;
}

export interface TokenStore {
  /** Null when none is kept, or one of another service. */
  read(): StoredToken | null;
  write(token: StoredToken | null): void;
}

export interface CredentialingSessionParts {
  readonly store: TokenStore;
  /** The login in force; throws `bad-configuration` while there is none. */
  readonly login: () => InterfaceLogin;
  /** One call of Authentication Token. */
  readonly request: (
    login: InterfaceLogin,
    options: CallOptions,
  ) => Promise<{ readonly token: string; readonly lifetimeMs: number }>;
  readonly clock: Clock;
}

/** A token is renewed this long before it ends, in milliseconds: longer than one call takes (our choice). */
const RENEW_EARLY_MS = 60_000;

export class CredentialingSession {
  readonly #parts: CredentialingSessionParts;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(parts: CredentialingSessionParts) {
    this.#parts = parts;
  }

  /** A token to use now. Callers wait for each other, so that one login serves all of them. */
  async token(options: CallOptions): Promise<string> {
    const turn = this.#tail.then(async () => this.#current() ?? this.#renew(this.#parts.login(), options));
    this.#tail = turn.catch(() => {});
    return turn;
  }

  /** The service refused this token: it is not used again. */
  invalidate(token: string): void {
    if (this.#parts.store.read()?.token === token) {
      this.#parts.store.write(null);
    }
  }

  /** Logs in now, whatever is kept. */
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
