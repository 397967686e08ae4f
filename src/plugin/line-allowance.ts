// How many plain lines the log may get: enough for any house, and few enough that a flood of events neither fills the disk
// nor takes the time that Home needs.
import type { Clock } from '../support/clock.ts';

/** Lines in one go (our choice): more than a scene of every lock that a bridge can show, told twice. */
const LINES_AT_ONCE = 400;

/** Lines a second from then on, while it lasts (our choice). */
const LINES_PER_SECOND = 10;

export class LineAllowance {
  readonly #clock: Clock;
  #left = LINES_AT_ONCE;
  #refilledAt: number;
  #leftOut = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#refilledAt = clock.monotonic();
  }

  /** Null when a line may not be written now; else how many could not be since the last one that could. */
  take(): number | null {
    const now = this.#clock.monotonic();
    const refill = ((now - this.#refilledAt) * LINES_PER_SECOND) / 1_000;
    this.#refilledAt = now;
    this.#left = Math.min(this.#left + refill, LINES_AT_ONCE);
    if (this.#left < 1) {
      this.#leftOut += 1;
      return null;
    }
    this.#left -= 1;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
