// A clock for time limits: milliseconds that never go back and count sleep.
import { countedMs, type Moment } from '../../domain/time.ts';
import { type Clock, momentOf } from '../../support/clock.ts';

export class ElapsedClock {
  readonly #clock: Pick<Clock, 'monotonic' | 'now'>;
  #last: Moment;
  #elapsedMs: number;

  constructor(clock: Pick<Clock, 'monotonic' | 'now'>) {
    this.#clock = clock;
    this.#last = momentOf(clock);
    this.#elapsedMs = this.#last.monotonicMs;
  }

  now(): number {
    const moment = momentOf(this.#clock);
    this.#elapsedMs += countedMs(this.#last, moment);
    this.#last = moment;
    return this.#elapsedMs;
  }
}
