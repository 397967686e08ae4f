// One account's access token: renewed once for all callers, and its successor stored before it is used.
import { type Message, message } from '../../domain/language/message.ts';
import type { AuthorizationServer, TokenPair, TokenVault } from '../../domain/ports.ts';
import { type Clock, delay, inTime } from '../../support/clock.ts';
import { LatchkeyError, messageOf, RelinkError, RetryError, wordsOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { INTERRUPTED, LOSSES } from '../../words/account.ts';
import { t } from '../../words/translate.ts';
import { PersistedLink } from './persisted-link.ts';
import { endOfLink, isCertainlyUnspent, RefreshBackoff, retryAfterMs } from './refresh-backoff.ts';
import { TokenAge } from './token-age.ts';
import { UnexplainedRefusals } from './unexplained-refusals.ts';

/** A refused refresh token is tried once more after this, in case a gateway erred (our choice, faults#90). */
const VERIFY_REFUSAL_AFTER_MS = 5_000;

/** Callers stop waiting for a renewal after this long; the renewal goes on (our choice, faults#81). */
const CALLERS_WAIT_MS = 30_000;

/** The end waits this long for a renewal (faults#111): Homebridge ends 5 s after SIGTERM (2.4.0, cli.js, childBridgeFork.js). */
const LAST_RENEWAL_MS = 4_500;

/** Where the calls of the device interface get their access tokens from. */
export type AccessTokens = Pick<TokenSession, 'accessToken' | 'invalidate' | 'accepted'>;

export class TokenSession {
  readonly link: PersistedLink;
  readonly #server: Pick<AuthorizationServer, 'refresh'>;
  readonly #age: TokenAge;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #ending = new AbortController();
  /** Both count failures in a row; a new object once they are forgotten. */
  #pause: RefreshBackoff;
  #unexplained: UnexplainedRefusals;
  #renewal: Promise<string> | null = null;
  #refusedOnce: string | null = null;
  /** The refresh token that an earlier process may have spent: it is tried once, and no failure proves that it was not spent. */
  #interrupted: string | null;

  /** Throws the vault's error when it cannot be read. */
  constructor({
    vault,
    server,
    clock,
    log,
    random,
  }: {
    readonly vault: TokenVault;
    readonly server: Pick<AuthorizationServer, 'refresh'>;
    readonly clock: Clock;
    readonly log: Log;
    /** A number from 0 up to 1, so that homes do not renew together. */
    readonly random: () => number;
  }) {
    this.#server = server;
    this.#age = new TokenAge(clock, random);
    this.#clock = clock;
    this.#log = log;
    this.link = new PersistedLink(vault, clock, log);
    this.#interrupted = this.link.interruptedToken();
    this.#pause = new RefreshBackoff(clock);
    this.#unexplained = new UnexplainedRefusals(clock);
  }

  /** The access token of the link, good or not; null without a link. */
  get heldToken(): string | null {
    return this.link.state() === 'linked' ? (this.link.tokens?.accessToken ?? null) : null;
  }

  /** Whether the link has ended and its refresh token is kept: a person may have it tried once more. */
  get isRevivable(): boolean {
    return this.link.state() !== 'linked' && this.link.tokens !== null;
  }

  /** The service has refused to renew the link, and is asked once more before the link counts as ended. */
  get isDoubted(): boolean {
    return this.#refusedOnce !== null && this.#refusedOnce === this.link.tokens?.refreshToken;
  }

  /** A person has the refresh token of a link that has ended tried once more. Without one, nothing changes. */
  revive(): void {
    this.forgetFailures();
    if (this.isRevivable) {
      this.#age.forgetRefusals();
      this.#interrupted = null;
      this.link.succeed('linked', this.link.tokens);
    }
  }

  /**
   * A token that is good now, renewed once for all callers. `isTapped`: a person waits for it, so that whether a pause of the
   * service counts is asked of the server's own gate. Rejects with retry, wait, relink or final.
   */
  async accessToken(isTapped = false): Promise<string> {
    if (this.#ending.signal.aborted) {
      throw new RetryError('aborted', 'The connection is closed, because this process is ending.');
    }
    const tokens = this.#tokens();
    if (this.#age.isFresh(tokens)) {
      return tokens.accessToken;
    }
    // The present token may still be good, and a pause ends by itself.
    if (this.#age.restMs(tokens) > 0) {
      this.#renew().catch((error: unknown) => {
        this.#log.debug(`The access token is not renewed yet: ${messageOf(error)}`);
      });
      return tokens.accessToken;
    }
    return inTime(
      this.#clock,
      CALLERS_WAIT_MS,
      this.#renew(isTapped),
      () => new RetryError('timed-out', message('The access token is still being renewed.')),
    );
  }

  /** The service refused this token: it is renewed, unless that was just tried. */
  invalidate(token: string): void {
    // A late refusal of a replaced token proves nothing about its successor.
    if (token === this.link.tokens?.accessToken) {
      this.#age.refuse(token);
    }
  }

  signOfLife(): void {
    this.#pause.heard();
    this.#age.heard();
  }

  accepted(token: string): void {
    if (token === this.link.tokens?.accessToken) {
      this.#age.accept(token);
    }
  }

  adopt(tokens: TokenPair): void {
    this.forgetFailures();
    this.#age.forgetRefusals();
    this.link.replace('linked', tokens);
  }

  unlink(): void {
    this.forgetFailures();
    this.link.replace('unlinked', null);
  }

  /** Reads the vault again: a former owner may have changed the link. Throws its error, and changes nothing then. */
  reload(): void {
    if (this.link.reload()) {
      this.forgetFailures();
    }
    if (this.#renewal === null) {
      this.#interrupted = this.link.interruptedToken();
    }
  }

  /** Lets a renewal that is under way end and be stored, then closes. Takes less than five seconds. */
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
    this.link.close();
  }

  /** Ends the pause after failures, for instance when a person has corrected the credentials. */
  forgetFailures(): void {
    this.#pause = new RefreshBackoff(this.#clock);
    this.#unexplained = new UnexplainedRefusals(this.#clock);
  }

  #tokens(): TokenPair {
    const state = this.link.state();
    if (state !== 'linked' || this.link.tokens === null) {
      const code = state === 'linked' ? 'unlinked' : state;
      throw new RelinkError(code, LOSSES[code]);
    }
    return this.link.tokens;
  }

  async #renew(isTapped = false): Promise<string> {
    if (this.#renewal === null && !(isTapped && this.#pause.isAsked)) {
      this.#pause.throwWhileItLasts();
    }
    this.#renewal ??= this.#renewOnce().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #renewOnce(): Promise<string> {
    const pause = this.#pause;
    try {
      const token = await this.#spend();
      this.forgetFailures();
      return token;
    } catch (error) {
      if (pause !== this.#pause) {
        // What failed is outdated: a person has corrected it meanwhile.
        return this.#renewOnce();
      }
      if (error instanceof LatchkeyError && error.disposition !== 'relink') {
        pause.failed(error);
      }
      throw error;
    }
  }

  /** Spends refresh tokens until one brings a good access token, or the link has ended. */
  async #spend(): Promise<string> {
    for (let tries = 0; ; ) {
      const tokens = this.#tokens();
      if (this.#age.isFresh(tokens)) {
        return tokens.accessToken;
      }
      this.link.beginRenewal(tokens.refreshToken);
      try {
        const successor = await this.#server.refresh(tokens.refreshToken);
        this.#refusedOnce = null;
        // A link made meanwhile may have the same refresh token, which is spent now.
        const isOfThisLink = this.link.tokens?.refreshToken === tokens.refreshToken;
        if (isOfThisLink && this.link.succeed('linked', successor)) {
          this.#sayContinued(tokens);
          this.#age.issuedNow(successor);
          return successor.accessToken;
        }
      } catch (error) {
        if (this.#interrupted !== tokens.refreshToken && isCertainlyUnspent(error)) {
          this.link.endRenewal();
        }
        const refusal = this.#unexplained.met(error) ? new RelinkError('expired', LOSSES.expired) : error;
        const pauseBeforeMs = this.#unexplained.isLasting ? null : retryAfterMs(tries, error);
        if (refusal instanceof RelinkError) {
          await this.#refused(refusal, tokens);
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
  async #refused(error: RelinkError, tokens: TokenPair): Promise<void> {
    if (this.link.tokens !== tokens || this.link.reload()) {
      return;
    }
    if (this.#interrupted === tokens.refreshToken) {
      // The token was spent: a strict service would take a second use for theft.
      this.#endLink(error.code, INTERRUPTED);
      return;
    }
    const end = endOfLink(error, this.#age.isProven(tokens.accessToken));
    if (this.#refusedOnce !== tokens.refreshToken) {
      this.#refusedOnce = tokens.refreshToken;
      this.#log.debug('The lock account refused to renew the link; asking once more before it is given up.');
      await delay(this.#clock, VERIFY_REFUSAL_AFTER_MS, this.#ending.signal);
    } else {
      this.#refusedOnce = null;
      this.#endLink(end.code, wordsOf(end));
    }
  }

  /** The tokens stay until others take their place: whoever refused them may have erred (faults#141). */
  #endLink(code: RelinkError['code'], words: Message): void {
    if (this.link.succeed(code, this.link.tokens)) {
      this.#log.warn(t(words));
    }
  }

  #sayContinued({ refreshToken }: TokenPair): void {
    if (this.#interrupted === refreshToken) {
      this.#log.info(t('The connection to the lock account is renewed: the last stop had interrupted that.'));
    }
    this.#interrupted = null;
  }
}
