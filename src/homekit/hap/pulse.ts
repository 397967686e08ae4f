// A state that is on for a fixed time after each start.
import type { CancelTimer, Clock } from '../../support/clock.ts';

export class Pulse {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  readonly #show: (on: boolean) => void;
  #cancelEnd: CancelTimer | null = null;

  /** Calls `show(true)` at every start, also while it is on, and `show(false)` once at the end. */
  constructor(clock: Clock, lengthMs: number, show: (on: boolean) => void) {
    this.#clock = clock;
    this.#lengthMs = lengthMs;
    this.#show = show;
  }

  /** On for the whole length from now; a start while it is on prolongs it. */
  start(): void {
    this.#cancelEnd?.();
    this.#cancelEnd = this.#clock.after(this.#lengthMs, () => this.end());
    this.#show(true);
  }

  /** Off now; does nothing if it is off. */
  end(): void {
    if (this.#cancelEnd !== null) {
      this.#cancelEnd();
      this.#cancelEnd = null;
      this.#show(false);
    }
  }
}
