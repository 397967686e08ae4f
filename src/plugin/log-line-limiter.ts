// Limits plain log lines, so that a flood of events neither fills the disk nor takes the time that Home needs.
import type { Clock } from '../support/clock.ts';
import { TokenBucket, type TokenBucketLimits } from '../support/token-bucket.ts';

/** More at once than two lines for every lock of a full bridge; then ten a second (our choice). */
const LINES: TokenBucketLimits = { commitNow: 400, everyMs: 100 };

export class LogLineLimiter {
  readonly #bucket: TokenBucket;
  #leftOut = 0;

  constructor(clock: Clock) {
    this.#bucket = new TokenBucket(clock, LINES);
  }

  /** Null if a line may not be written now; else the number of lines left out since the last. */
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
