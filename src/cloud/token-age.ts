// How long an access token is good, and when it is time to renew it: by a clock that does not jump, and by what the service
// says of it.
import type { TokenPair } from '../domain/ports.ts';
import type { Clock } from '../support/clock.ts';

/**
 * The part of its life after which a token is renewed, and over how much of it that is spread (75 to 85 %, our choice): a
 * stumbling server has time to recover, and homes that were linked in one minute do not renew in step.
 */
const RENEW_AFTER_SHARE = 0.75;
const RENEW_SPREAD_SHARE = 0.1;

/**
 * A server that answers a refusal with the very token that was refused is not asked again before, in milliseconds (our
 * choice): the token is not what is wrong, and each refresh token can be spent only once.
 */
const INSISTS_MS = 60_000;

/** The tokens of a link at one of its versions. */
export interface Versioned {
  readonly version: number;
  readonly tokens: TokenPair;
}

/** When the access token of that version was new on the monotonic clock; null when nobody can say. */
interface IssuedAt {
  readonly version: number;
  readonly at: number | null;
  /** The part of its life after which it is renewed. */
  readonly share: number;
}

export class TokenAge {
  readonly #clock: Clock;
  readonly #random: () => number;
  #birth: IssuedAt | null = null;
  #refused: string | null = null;
  /** The server gave out this token again after it was refused: it is used until then whatever is said of it. */
  #insisted: { readonly token: string; readonly until: number } | null = null;

  /** `chance`: a number from 0 up to 1. */
  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** How long the access token is still good, in milliseconds. */
  restMs(link: Versioned): number {
    const { at } = this.#issuedAtOf(link);
    const { accessToken, expiresInMs } = link.tokens;
    return at === null || accessToken === this.#refused ? 0 : at + expiresInMs - this.#clock.monotonic();
  }

  /** Whether it is not yet time to renew it. */
  isFresh(link: Versioned): boolean {
    return this.restMs(link) > link.tokens.expiresInMs * (1 - this.#issuedAtOf(link).share);
  }

  /** The access token was given out just now: what was refused before is past. */
  bornNow({ version, tokens: { accessToken } }: Versioned): void {
    const at = this.#clock.monotonic();
    this.#birth = this.#born(version, at);
    this.#insisted = accessToken === this.#refused ? { token: accessToken, until: at + INSISTS_MS } : null;
    this.#refused = null;
  }

  /** The service refused the access token in use. */
  refuse(token: string): void {
    if (this.#insisted?.token !== token || this.#clock.monotonic() >= this.#insisted.until) {
      this.#refused = token;
    }
  }

  #issuedAtOf({ version, tokens }: Versioned): IssuedAt {
    if (this.#birth?.version !== version) {
      this.#birth = this.#born(version, this.#monotonicOf(tokens));
    }
    return this.#birth;
  }

  #born(version: number, at: number | null): IssuedAt {
    return { version, at, share: RENEW_AFTER_SHARE + RENEW_SPREAD_SHARE * this.#random() };
  }

  /** A token of the future was stored before the wall clock was set back: its age is anybody's guess (faults#20). */
  #monotonicOf({ receivedAt }: TokenPair): number | null {
    const ageMs = this.#clock.now() - receivedAt;
    return ageMs < 0 ? null : this.#clock.monotonic() - ageMs;
  }
}
