// How many refusals strangers may cause before they are told to wait. What is right is never limited.
import type { Clock } from '../support/clock.ts';

/** Refusals in one go (our choice): a person's whole evening of pasting the wrong thing. */
const AT_ONCE = 20;

/** One more is allowed each time this has passed, in milliseconds (our choice). */
const REFILL_MS = 3_000;

/** One budget for everybody: the address of a sender can be chosen, and would cost memory. */
export class RefusalBudget {
  readonly #clock: Clock;
  #left = AT_ONCE;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.monotonic();
  }

  /** Takes note of one refusal. Null, or for how long the sender should stay away, in milliseconds. */
  spend(): number | null {
    const now = this.#clock.monotonic();
    this.#left = Math.min(this.#left + (now - this.#countedAt) / REFILL_MS, AT_ONCE);
    this.#countedAt = now;
    if (this.#left < 1) {
      return Math.ceil((1 - this.#left) * REFILL_MS);
    }
    this.#left -= 1;
    return null;
  }
}
