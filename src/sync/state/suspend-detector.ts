// Notices that this process stood still: the machine slept, or was paused, or the one thread was held up.
import { elapsedMs, HELD_UP_COUNTS_FOR_MS, type Moment, suspendedMs } from '../../domain/time.ts';
import { type Clock, momentOf } from '../../support/clock.ts';

export class SuspendDetector {
  readonly #clock: Clock;
  #last: Moment;
  /** How long `look` was not called, and until when a request may stem from that time, in monotonic milliseconds. */
  #heldUp = { ms: 0, untilMs: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#last = momentOf(clock);
  }

  /** To be called again and again. For how long the machine slept since the last time, in milliseconds; mostly 0. */
  look(): number {
    const now = momentOf(this.#clock);
    const sleptMs = suspendedMs(this.#last, now);
    const unheardMs = this.unheardMs();
    if (unheardMs > this.#heldUpMs()) {
      this.#heldUp = { ms: unheardMs, untilMs: now.monotonicMs + HELD_UP_COUNTS_FOR_MS };
    }
    this.#last = now;
    return sleptMs;
  }

  /**
   * How long a request read right now may have waited, in milliseconds: at most since the last `look`, because this process
   * was certainly awake then.
   */
  unheardMs(): number {
    return Math.max(elapsedMs(this.#last, momentOf(this.#clock)), this.#heldUpMs());
  }

  #heldUpMs(): number {
    return this.#clock.monotonic() < this.#heldUp.untilMs ? this.#heldUp.ms : 0;
  }
}
