// A pause before the next call. Time that the machine sleeps counts, because the service counts it.
import { type Moment, suspendedMs } from '../domain/time.ts';
import { type Clock, momentOf } from '../support/clock.ts';

export class Pause {
  readonly #clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly #since: Moment;
  readonly #ms: number;

  constructor(clock: Pick<Clock, 'monotonic' | 'now'>, ms: number) {
    this.#clock = clock;
    this.#since = momentOf(clock);
    this.#ms = ms;
  }

  /** What is left of it, in milliseconds: 0 or less when it is over. */
  get restMs(): number {
    const now = momentOf(this.#clock);
    return this.#ms - (now.monotonicMs - this.#since.monotonicMs) - suspendedMs(this.#since, now);
  }
}
