// Notices that this process stood still: the machine slept, or was paused, or the one thread was held up.
import type { Clock } from '../support/clock.ts';

/** The wall clock ran ahead by more than this between two looks, in milliseconds: the machine slept, or its clock was set. */
const SLEPT_MS = 5_000;

/** What is heard so soon after a look, in milliseconds, may have come in before it (our choice). */
const LATE_WORDS_MS = 1_000;

interface Look {
  readonly monotonicMs: number;
  readonly wallMs: number;
  /** How long nobody had looked before. */
  readonly afterMs: number;
}

export class WakeWatch {
  readonly #clock: Clock;
  #last: Look;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#last = { monotonicMs: clock.monotonic(), wallMs: clock.now(), afterMs: 0 };
  }

  /** To be called again and again. Whether the machine slept since the last time; nothing is known of what happened meanwhile. */
  look(): boolean {
    const { monotonicMs, wallMs } = this.#last;
    const now = { monotonicMs: this.#clock.monotonic(), wallMs: this.#clock.now() };
    this.#last = { ...now, afterMs: this.#sinceLastMs() };
    return now.wallMs - wallMs - (now.monotonicMs - monotonicMs) > SLEPT_MS;
  }

  /**
   * How long what is heard right now may have waited to be heard, in milliseconds: as long as nobody has looked, because
   * until then this process was certainly awake.
   */
  unheardMs(): number {
    const sinceLastMs = this.#sinceLastMs();
    return sinceLastMs > LATE_WORDS_MS ? sinceLastMs : Math.max(sinceLastMs, this.#last.afterMs);
  }

  /** By whichever clock saw more of it: the monotonic one stands still in a sleeping machine. */
  #sinceLastMs(): number {
    const { monotonicMs, wallMs } = this.#last;
    return Math.max(this.#clock.monotonic() - monotonicMs, this.#clock.now() - wallMs);
  }
}
