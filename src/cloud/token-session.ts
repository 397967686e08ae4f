// One account's access token: renewed once for all callers, and its successor stored before it is used.
import { type LinkState, RELINK_WORDS } from '../domain/account.ts';
import type { Instant } from '../domain/bolt.ts';
import type { AccountLink, AuthorizationServer, TokenPair, TokenVault } from '../domain/ports.ts';
import { type Clock, delay, inTime } from '../support/clock.ts';
import { LatchkeyError, messageOf, RelinkError, RetryError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { decodeSubject } from '../wire/oauth-codec.ts';
import type { AccessTokens } from './device-interface.ts';
import { PersistedLink } from './persisted-link.ts';
import { RefreshBackoff } from './refresh-backoff.ts';
import { TokenAge } from './token-age.ts';

export interface TokenSessionParts {
  readonly vault: TokenVault;
  readonly server: Pick<AuthorizationServer, 'refresh'>;
  readonly clock: Clock;
  readonly log: Log;
  /** A number from 0 up to 1, so that homes do not renew together. */
  readonly random: () => number;
}

/**
 * The pauses between tries with the same refresh token, in milliseconds (our choice). Short, because a server whose
 * answer was lost accepts the old token only for a moment, if at all (faults#12).
 */
const TRY_AGAIN_AFTER_MS: readonly number[] = [1_000, 3_000];

/** A refused refresh token is tried once more after this, in case a gateway erred (our choice, faults#90). */
const VERIFY_REFUSAL_AFTER_MS = 10_000;

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

  /** Throws what the vault throws when it cannot be read. */
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

  /** The owner of the link as its token names it, unverified; null when the token names none. */
  subject(): string | null {
    const { tokens } = this.#link;
    return tokens === null ? null : decodeSubject(tokens.accessToken);
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
      this.#renewInTheBackground();
      return tokens.accessToken;
    }
    this.#throwWhilePaused();
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

  /** Ends the link from our side. */
  unlink(): void {
    this.#startAnew('unlinked', null);
  }

  /**
   * Ends a link of this person that is older, as `AccountLink` says. Tokens issued later belong to a newer link, so
   * they stay. Both times are the service's: a wrong clock of this machine neither keeps a link nor ends one.
   */
  signedOut(userId: string | null, at: Instant): boolean {
    while (this.#isOlderLinkOf(userId, at)) {
      if (this.#link.succeed('signed-out', null)) {
        return true;
      }
      // Another process stored another link meanwhile, which is judged alike.
    }
    return false;
  }

  #isOlderLinkOf(userId: string | null, at: Instant): boolean {
    const issuedAt = this.#link.tokens?.issuedAt ?? null;
    return userId !== null && userId === this.subject() && issuedAt !== null && issuedAt <= at;
  }

  /**
   * Reads the vault again, as when this process becomes the owner: its predecessor may have renewed, linked or
   * unlinked. Throws what the vault throws when it cannot be read; then nothing is changed.
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
      const enough = new AbortController();
      const patience = delay(this.#clock, LAST_RENEWAL_MS, enough.signal);
      await Promise.race([Promise.allSettled([renewal]), patience]);
      enough.abort();
      await Promise.allSettled([patience]);
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

  /** The tokens of the link, or a relink error without one. */
  #tokens(): TokenPair {
    const state = this.#link.state();
    if (state !== 'linked' || this.#link.tokens === null) {
      const code = state === 'linked' ? 'unlinked' : state;
      throw new RelinkError(code, RELINK_WORDS[code]);
    }
    return this.#link.tokens;
  }

  #throwWhilePaused(): void {
    if (this.#renewal === null) {
      this.#pause.throwWhileItLasts();
    }
  }

  #renewInTheBackground(): void {
    try {
      this.#throwWhilePaused();
      this.#renew().catch((error: unknown) => {
        this.#log.debug(`The access token is not renewed yet: ${messageOf(error)}`);
      });
    } catch {
      // The token at hand is still good, and the pause ends by itself.
    }
  }

  async #renew(): Promise<string> {
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
        const pauseBeforeMs = TRY_AGAIN_AFTER_MS[tries];
        if (error instanceof RelinkError) {
          await this.#refused(error, version, tokens.refreshToken);
        } else if (pauseBeforeMs !== undefined && mayHaveReached(error)) {
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

/** Whether the server may have seen the request, so that trying again at once can win the answer back. */
function mayHaveReached(error: unknown): boolean {
  return error instanceof RetryError && (error.code === 'timed-out' || error.code === 'server-fault');
}
