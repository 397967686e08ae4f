// How often something may happen: so many times in one go, and from then on at a steady pace.
import type { Clock } from './clock.ts';

export interface TokenBucketLimits {
  /** A whole number, 1 or more. */
  readonly commitNow: number;
  /** Once more each time this has passed, in milliseconds. */
  readonly everyMs: number;
}

export class TokenBucket {
  readonly #clock: Clock;
  readonly #limits: TokenBucketLimits;
  /** When all of it will be there again, on the monotonic clock: the later, the more of it is used up. */
  #wholeAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, limits: TokenBucketLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Null when it may happen now, which is counted; else for how long it may not, in milliseconds. */
  take(): number | null {
    const { commitNow, everyMs } = this.#limits;
    const now = this.#clock.monotonic();
    const wholeAt = Math.max(this.#wholeAt, now) + everyMs;
    const waitMs = wholeAt - now - commitNow * everyMs;
    if (waitMs > 0) {
      return Math.ceil(waitMs);
    }
    this.#wholeAt = wholeAt;
    return null;
  }
}
