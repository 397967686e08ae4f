// Notices that this process stood still: the machine slept, or was paused, or the one thread was held up.
import { type Clock, type Moment, momentOf, sinceMs } from '../../support/clock.ts';

/** The wall clock ran ahead by more than this between two looks, in milliseconds: the machine slept, or its clock was set. */
const SLEPT_MS = 5_000;

/** What is heard so soon after a look, in milliseconds, may have come in before it (our choice). */
const LATE_WORDS_MS = 1_000;

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
    const sleptMs = now.wallMs - this.#last.wallMs - (now.monotonicMs - this.#last.monotonicMs);
    const unheardMs = this.unheardMs();
    if (unheardMs > this.#heldUpMs()) {
      this.#heldUp = { ms: unheardMs, untilMs: now.monotonicMs + LATE_WORDS_MS };
    }
    this.#last = now;
    return sleptMs > SLEPT_MS ? sleptMs : 0;
  }

  /**
   * How long what is heard right now may have waited to be heard, in milliseconds: as long as nobody has looked, because
   * until then this process was certainly awake.
   */
  unheardMs(): number {
    return Math.max(sinceMs(this.#clock, this.#last), this.#heldUpMs());
  }

  #heldUpMs(): number {
    return this.#clock.monotonic() < this.#heldUp.untilMs ? this.#heldUp.ms : 0;
  }
}
