// One account's access token: renewed once for all callers, and its successor stored before it is used.
import { type LinkState, RELINK_WORDS } from '../domain/account.ts';
import type { Instant } from '../domain/bolt.ts';
import type { AccountLink, AuthorizationServer, TokenPair, TokenVault } from '../domain/ports.ts';
import { type Clock, delay, inTime } from '../support/clock.ts';
import { LatchkeyError, messageOf, RelinkError, RetryError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import type { AccessTokens } from './device-interface.ts';
import { PersistedLink } from './persisted-link.ts';
import { RefreshBackoff, retryAfterMs } from './refresh-backoff.ts';
import { TokenAge } from './token-age.ts';

export interface TokenSessionParts {
  readonly vault: TokenVault;
  readonly server: Pick<AuthorizationServer, 'refresh'>;
  readonly clock: Clock;
  readonly log: Log;
  /** A number from 0 up to 1, so that homes do not renew together. */
  readonly random: () => number;
}

/** A refused refresh token is tried once more after this, in case a gateway erred (our choice, faults#90). */
const VERIFY_REFUSAL_AFTER_MS = 5_000;

/** Callers stop waiting for a renewal after this long; the renewal goes on (our choice, faults#81). */
const CALLERS_WAIT_MS = 30_000;

/** How long an end of this process waits for a renewal that is under way (faults#19: less than 4 s in all). */
const LAST_RENEWAL_MS = 3_000;

export class TokenSession implements AccountLink, AccessTokens {
  readonly #server: TokenSessionParts['server'];
  readonly #age: TokenAge;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #link: PersistedLink;
  readonly #ending = new AbortController();
  readonly #pause: RefreshBackoff;
  #renewal: Promise<string> | null = null;
  /** The refresh token that the server refused once. */
  #refusedOnce: string | null = null;

  /** Throws the vault's error when it cannot be read. */
  constructor({ vault, server, clock, log, random }: TokenSessionParts) {
    this.#server = server;
    this.#age = new TokenAge(clock, random);
    this.#clock = clock;
    this.#log = log;
    this.#link = new PersistedLink(vault, clock, log);
    this.#pause = new RefreshBackoff(clock);
  }

  state(): LinkState {
    return this.#link.state();
  }

  subscribe(listener: (state: LinkState) => void): () => void {
    return this.#link.subscribe(listener);
  }

  subject(): string | null {
    return this.#link.subject();
  }

  /** The access token of the link, good or not; null without a link. */
  get heldToken(): string | null {
    return this.#link.tokens?.accessToken ?? null;
  }

  /** A token that is good now. All callers share one renewal. Rejects with retry, wait, relink or final. */
  async accessToken(): Promise<string> {
    if (this.#ending.signal.aborted) {
      throw new RetryError('aborted', 'The link is closed, because this process is ending.');
    }
    const ready = this.readyToken();
    if (ready !== null) {
      return ready;
    }
    const tokens = this.#tokens();
    const { version } = this.#link;
    if (this.#age.restMs({ version, tokens }) > 0) {
      // The token at hand is still good, and a pause ends by itself.
      this.#renew().catch((error: unknown) => {
        this.#log.debug(`The access token is not renewed yet: ${messageOf(error)}`);
      });
      return tokens.accessToken;
    }
    return inTime(
      this.#clock,
      CALLERS_WAIT_MS,
      this.#renew(),
      () => new RetryError('timed-out', 'The access token is still being renewed.'),
    );
  }

  readyToken(): string | null {
    const { tokens, version } = this.#link;
    if (tokens === null || this.#link.state() !== 'linked' || this.#ending.signal.aborted) {
      return null;
    }
    return this.#age.isFresh({ version, tokens }) ? tokens.accessToken : null;
  }

  invalidate(token: string): void {
    // A late refusal of a replaced token says nothing of its successor.
    if (token === this.#link.tokens?.accessToken) {
      this.#age.refuse(token);
    }
  }

  accepted(token: string): void {
    if (token === this.#link.tokens?.accessToken) {
      this.#age.accept();
    }
  }

  /** Takes the tokens of a new link, as after an exchange. */
  adopt(tokens: TokenPair): void {
    this.#startAnew('linked', tokens);
  }

  unlink(): void {
    this.#startAnew('unlinked', null);
  }

  signedOut(userId: string | null, at: Instant): boolean {
    return this.#link.signedOut(userId, at);
  }

  /**
   * Reads the vault again, as when this process becomes the owner: its predecessor may have renewed, linked or unlinked.
   * Throws the vault's error when it cannot be read; then nothing is changed.
   */
  reload(): void {
    if (this.#link.reload()) {
      this.forgetFailures();
    }
  }

  /** Lets a renewal that is under way end and be stored, then closes. Takes less than four seconds. */
  async dispose(): Promise<void> {
    const renewal = this.#renewal;
    this.#ending.abort(
      new RetryError('aborted', 'The renewal was given up, because this process is ending.'),
    );
    if (renewal !== null) {
      const settled = Promise.allSettled([renewal]);
      await inTime(this.#clock, LAST_RENEWAL_MS, settled, () => new Error('The renewal is late')).catch(
        () => null,
      );
    }
    this.#link.close();
  }

  #startAnew(state: LinkState, tokens: TokenPair | null): void {
    this.forgetFailures();
    this.#link.replace(state, tokens);
  }

  /** Ends the pause after failures, for instance when a person has corrected the credentials. */
  forgetFailures(): void {
    this.#pause.forget();
  }

  #tokens(): TokenPair {
    const state = this.#link.state();
    if (state !== 'linked' || this.#link.tokens === null) {
      const code = state === 'linked' ? 'unlinked' : state;
      throw new RelinkError(code, RELINK_WORDS[code]);
    }
    return this.#link.tokens;
  }

  async #renew(): Promise<string> {
    if (this.#renewal === null) {
      this.#pause.throwWhileItLasts();
    }
    this.#renewal ??= this.#renewOnce().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #renewOnce(): Promise<string> {
    const { forgotten } = this.#pause;
    try {
      const token = await this.#spend();
      this.forgetFailures();
      return token;
    } catch (error) {
      if (forgotten !== this.#pause.forgotten) {
        return this.#renewOnce();
      }
      if (error instanceof LatchkeyError && error.disposition !== 'relink') {
        this.#pause.failed(error);
      }
      throw error;
    }
  }

  /** Spends refresh tokens until one brings a good access token, or the link has ended. */
  async #spend(): Promise<string> {
    for (let tries = 0; ; ) {
      const tokens = this.#tokens();
      const { version } = this.#link;
      if (this.#age.isFresh({ version, tokens })) {
        return tokens.accessToken;
      }
      this.#link.probeWrite();
      try {
        const successor = await this.#server.refresh(tokens.refreshToken);
        this.#refusedOnce = null;
        if (this.#link.version === version && this.#link.succeed('linked', successor)) {
          this.#age.issuedNow(this.#link.version);
          return successor.accessToken;
        }
      } catch (error) {
        const pauseBeforeMs = retryAfterMs(tries, error);
        if (error instanceof RelinkError) {
          await this.#refused(error, version, tokens.refreshToken);
        } else if (pauseBeforeMs !== null) {
          tries += 1;
          await delay(this.#clock, pauseBeforeMs, this.#ending.signal);
        } else {
          throw error;
        }
      }
    }
  }

  /** A refusal ends the link only when it is repeated, and no newer link was made or stored meanwhile. */
  async #refused(error: RelinkError, version: number, refreshToken: string): Promise<void> {
    if (this.#link.version !== version || this.#link.reload()) {
      return;
    }
    if (this.#refusedOnce !== refreshToken) {
      this.#refusedOnce = refreshToken;
      this.#log.debug('The lock account refused to renew the link; asking once more before it is given up.');
      await delay(this.#clock, VERIFY_REFUSAL_AFTER_MS, this.#ending.signal);
    } else if (this.#link.succeed(error.code, null)) {
      this.#log.warn(error.message);
    }
  }
}
