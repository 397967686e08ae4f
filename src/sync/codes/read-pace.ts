// Keeps the read-backs of all commands on access codes apart, however many locks have one.
import type { Clock } from '../../support/clock.ts';

/** Readings of one account's codes are this far apart, in milliseconds (our choice; the service counts bursts as abuse). */
const READS_APART_MS = 250;

export class ReadPace {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #freeAt = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Takes the next turn. Returns the milliseconds until it comes. */
  next(): number {
    const now = this.#clock.monotonic();
    const at = Math.max(now, this.#freeAt);
    this.#freeAt = at + READS_APART_MS;
    return at - now;
  }
}
