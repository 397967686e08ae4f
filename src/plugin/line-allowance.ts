// How many plain lines the log may get: enough for any house, and few enough that a flood of events neither fills the disk
// nor takes the time that Home needs.
import { Allowance, type AllowanceLimits } from '../support/allowance.ts';
import type { Clock } from '../support/clock.ts';

/** More in one go than a scene of every lock that a bridge can show, told twice; then ten a second (our choice). */
const LINES: AllowanceLimits = { atOnce: 400, everyMs: 100 };

export class LineAllowance {
  readonly #allowance: Allowance;
  #leftOut = 0;

  constructor(clock: Clock) {
    this.#allowance = new Allowance(clock, LINES);
  }

  /** Null when a line may not be written now; else how many could not be since the last one that could. */
  take(): number | null {
    if (this.#allowance.take() !== null) {
      this.#leftOut += 1;
      return null;
    }
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
