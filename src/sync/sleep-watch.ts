// Notices that the machine slept: its wall clock went on meanwhile, and the monotonic one stood still.
import type { Clock } from '../support/clock.ts';

/** The wall clock ran ahead by more than this between two looks, in milliseconds: the machine slept, or its clock was set. */
const SLEPT_MS = 5_000;

export class SleepWatch {
  readonly #clock: Clock;
  /** What the wall clock was ahead of the monotonic one at the last look. */
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#aheadMs = aheadMs(clock);
  }

  /** Whether it slept since the last look; nothing is known of what happened meanwhile. */
  slept(): boolean {
    const before = this.#aheadMs;
    this.#aheadMs = aheadMs(this.#clock);
    return this.#aheadMs - before > SLEPT_MS;
  }
}

function aheadMs(clock: Clock): number {
  return clock.now() - clock.monotonic();
}
