// A token bucket: allows a burst, then a steady rate.
import type { Clock } from './clock.ts';

export interface TokenBucketLimits {
  /** Size of the burst: a whole number, 1 or more. */
  readonly burst: number;
  /** Time for one more, in milliseconds. */
  readonly everyMs: number;
}

export class TokenBucket {
  readonly #clock: Clock;
  readonly #limits: TokenBucketLimits;
  /** Time at which the bucket is full again, on the monotonic clock. */
  #wholeAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, limits: TokenBucketLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Null if allowed, which takes a token; otherwise the wait in milliseconds. */
  take(): number | null {
    const { burst, everyMs } = this.#limits;
    const now = this.#clock.monotonic();
    // From now: a sum with the present instant, which has a fraction, may be rounded up and refuse the first of a burst of one.
    const wholeInMs = Math.max(this.#wholeAt - now, 0);
    const waitMs = wholeInMs - (burst - 1) * everyMs;
    if (waitMs > 0) {
      return Math.ceil(waitMs);
    }
    this.#wholeAt = now + wholeInMs + everyMs;
    return null;
  }
}
