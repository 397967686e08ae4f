// Limits plain log lines, so that a flood of events neither fills the disk nor delays answers to Home.
import type { Clock } from '../support/clock.ts';
import { TokenBucket, type TokenBucketLimits } from '../support/token-bucket.ts';

/** A burst of over two lines for every lock of a full bridge; then ten a second (our choice). */
const LINES: TokenBucketLimits = { burst: 400, everyMs: 100 };

export class LogLineLimiter {
  readonly #bucket: TokenBucket;
  #leftOut = 0;

  constructor(clock: Clock) {
    this.#bucket = new TokenBucket(clock, LINES);
  }

  /** The number of lines left out since the last one; null if a line may not be written now. */
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
