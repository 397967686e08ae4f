// How many plain lines the log may get: enough for any house, and few enough that a flood of events neither fills the disk
// nor takes the time that Home needs.

import type { Clock } from '../support/clock.ts';
import { TokenBucket, type TokenBucketLimits } from '../support/token-bucket.ts';

/** More in one go than a scene of every lock that a bridge can show, told twice; then ten a second (our choice). */
const LINES: TokenBucketLimits = { commitNow: 400, everyMs: 100 };

export class LogLineLimiter {
  readonly #bucket: TokenBucket;
  #leftOut = 0;

  constructor(clock: Clock) {
    this.#bucket = new TokenBucket(clock, LINES);
  }

  /** Null when a line may not be written now; else how many could not be since the last one that could. */
  take(): number | null {
    if (this.#bucket.take() !== null) {
      this.#leftOut += 1;
      return null;
    }
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
