// Notices that this process stood still: the machine slept, or was paused, or the one thread was held up.
import { elapsedMs, HELD_UP_COUNTS_FOR_MS, type Moment, suspendedMs } from '../../domain/time.ts';
import { type Clock, momentOf } from '../../support/clock.ts';

export class SuspendDetector {
  readonly #clock: Clock;
  #last: Moment;
  /** For how long nobody had looked, and until when what is heard may have come in then, in monotonic milliseconds. */
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
   * How long what is heard right now may have waited to be heard, in milliseconds: as long as nobody has looked, because
   * until then this process was certainly awake.
   */
  unheardMs(): number {
    return Math.max(elapsedMs(this.#last, momentOf(this.#clock)), this.#heldUpMs());
  }

  #heldUpMs(): number {
    return this.#clock.monotonic() < this.#heldUp.untilMs ? this.#heldUp.ms : 0;
  }
}
