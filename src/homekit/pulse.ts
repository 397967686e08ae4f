// Something that is on for a moment and then goes off by itself.
import type { CancelTimer, Clock } from '../support/clock.ts';

export class Pulse {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  readonly #show: (on: boolean) => void;
  #cancelEnd: CancelTimer | null = null;

  /** `show` is told "on" at every start, also while it is on, and "off" once at the end. */
  constructor(clock: Clock, lengthMs: number, show: (on: boolean) => void) {
    this.#clock = clock;
    this.#lengthMs = lengthMs;
    this.#show = show;
  }

  /** On from now for the whole length: a start while it is on prolongs it. */
  start(): void {
    this.#cancelEnd?.();
    this.#cancelEnd = this.#clock.after(this.#lengthMs, () => {
      this.end();
    });
    this.#show(true);
  }

  /** Off now; nothing happens where it is off. */
  end(): void {
    if (this.#cancelEnd !== null) {
      this.#cancelEnd();
      this.#cancelEnd = null;
      this.#show(false);
    }
  }
}
