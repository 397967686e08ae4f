// How long an access token is good, when it is renewed, and how often a refusal may renew it.
import { type BackOff, backOffMs } from '../../domain/polling/backoff-policy.ts';
import type { TokenPair } from '../../domain/ports.ts';
import { elapsedMs, type Moment } from '../../domain/time/time.ts';
import { type Clock, momentOf } from '../../support/clock.ts';

/**
 * The part of its life after which a token is renewed, and the spread around it (75 to 85 %, our choice): a failing
 * server has time to recover, and homes linked in the same minute do not renew together.
 */
const RENEW_AFTER_SHARE = 0.75;
const RENEW_SPREAD_SHARE = 0.1;

/**
 * After a refusal was answered with a new token, another refusal renews only when this has passed (our choice,
 * faults#89): the token is not the fault. The pause doubles with each new token that the service never accepted.
 */
const REISSUE: BackOff = { firstMs: 60_000, longestMs: 3_600_000 };

/** An acceptance proves the access for this long, in milliseconds (our choice). It decides on words alone. */
const PROVEN_FOR_MS = 120_000;

/** When an access token was issued, on the monotonic clock; null when unknown. */
interface Issue {
  readonly tokens: TokenPair;
  readonly at: number | null;
  readonly share: number;
}

export class TokenAge {
  readonly #clock: Clock;
  readonly #random: () => number;
  #issue: Issue | null = null;
  #refused: string | null = null;
  /** Tokens in a row that were issued after a refusal and never accepted. */
  #reissues = 0;
  #lastReissueAt: Moment | null = null;
  #accepted: { readonly token: string; readonly at: Moment } | null = null;

  /** `random`: a number from 0 up to 1. */
  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  restMs(tokens: TokenPair): number {
    const { at } = this.#issueOf(tokens);
    const { accessToken, expiresInMs } = tokens;
    return at === null || accessToken === this.#refused ? 0 : at + expiresInMs - this.#clock.monotonic();
  }

  isFresh(tokens: TokenPair): boolean {
    return this.restMs(tokens) > tokens.expiresInMs * (1 - this.#issueOf(tokens).share);
  }

  issuedNow(tokens: TokenPair): void {
    const now = momentOf(this.#clock);
    if (this.#refused !== null) {
      this.#refused = null;
      this.#reissues += 1;
      this.#lastReissueAt = now;
    }
    this.#issue = this.#issuedAt(tokens, now.monotonicMs);
  }

  /** The service has just accepted this access token, and not refused it since. */
  isProven(token: string): boolean {
    const accepted = this.#accepted;
    return (
      accepted?.token === token &&
      token !== this.#refused &&
      elapsedMs(accepted.at, momentOf(this.#clock)) < PROVEN_FOR_MS
    );
  }

  /** The service refused the access token in use. The pause counts sleep: a token may have ended in it. */
  refuse(token: string): void {
    const pauseMs = backOffMs(Math.max(this.#reissues, 1), REISSUE);
    const last = this.#lastReissueAt;
    if (last === null || elapsedMs(last, momentOf(this.#clock)) >= pauseMs) {
      this.#refused = token;
    }
  }

  /** The account was linked anew: a service that forgot an access token may even give the same one again. */
  forgetRefusals(): void {
    this.#refused = null;
    this.#reissues = 0;
    this.#lastReissueAt = null;
  }

  accept(token: string): void {
    this.#accepted = { token, at: momentOf(this.#clock) };
    this.#reissues = 0;
  }

  /** The service gave a sign of life: a token that it has accepted, and refuses now, has really ended early. */
  heard(): void {
    if (this.#reissues === 0) {
      this.#lastReissueAt = null;
    }
  }

  #issueOf(tokens: TokenPair): Issue {
    if (this.#issue?.tokens !== tokens) {
      this.#issue = this.#issuedAt(tokens, this.#monotonicOf(tokens));
    }
    return this.#issue;
  }

  #issuedAt(tokens: TokenPair, at: number | null): Issue {
    return { tokens, at, share: RENEW_AFTER_SHARE + RENEW_SPREAD_SHARE * this.#random() };
  }

  /** A token of the future was stored before the wall clock was set back: its age is unknown (faults#20). */
  #monotonicOf({ receivedAt }: TokenPair): number | null {
    const ageMs = this.#clock.now() - receivedAt;
    return ageMs < 0 ? null : this.#clock.monotonic() - ageMs;
  }
}
