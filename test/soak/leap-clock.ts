// The driver's clock, which the simulated service runs on: it follows the home's leaps, and says how far they may go.
import { type CancelTimer, type Clock, systemClock } from '../../src/support/clock.ts';
import { type LeapFile, STAY } from './leap-file.ts';
import { LeapTimers } from './leap-timers.ts';

const LOOK_EVERY_MS = 1;
/** The home may not leap before so many looks have found nothing to do here. */
const QUIET_LOOKS = 2;
/** No leap is longer than this, in milliseconds: a driver without timers still has to look. */
const FARTHEST_MS = 3_600_000;

export class LeapClock implements Clock {
  readonly commits = systemClock.commits;
  readonly #file: LeapFile;
  readonly #timers: LeapTimers;
  #quietLooks = 0;
  readonly #looking: NodeJS.Timeout;

  constructor(file: LeapFile) {
    this.#file = file;
    file.limitAt = STAY;
    this.#timers = new LeapTimers(() => this.#exactly());
    this.#looking = setInterval(() => {
      while (this.#timers.fireNext()) {
        this.#quietLooks = 0;
      }
    }, LOOK_EVERY_MS);
  }

  now(): number {
    return Math.floor(this.#exactly());
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#file.leaptMs;
  }

  after(delayMs: number, callback: () => void): CancelTimer {
    // Something begins here: the home waits until it is known how far it may go then.
    this.#stay();
    const timer = this.#timers.set(Math.max(delayMs, 0), callback);
    return () => {
      this.#timers.clear(timer);
    };
  }

  /**
   * Lets time pass until this instant. `isAtRest` resolves when nothing is under way here. Nothing else may happen meanwhile:
   * the home leaps over what it believes to be rest.
   */
  async until(instant: number, isAtRest: () => Promise<void>): Promise<void> {
    while (this.#exactly() < instant) {
      await isAtRest();
      this.#quietLooks += 1;
      if (this.#quietLooks > QUIET_LOOKS && this.#timers.nextDueAt > this.#exactly()) {
        this.#file.limitAt = Math.min(instant, this.#timers.nextDueAt, this.#exactly() + FARTHEST_MS);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_EVERY_MS);
      });
    }
    this.#stay();
  }

  close(): void {
    clearInterval(this.#looking);
  }

  #stay(): void {
    this.#quietLooks = 0;
    this.#file.limitAt = STAY;
  }

  #exactly(): number {
    return performance.timeOrigin + performance.now() + this.#file.leaptMs;
  }
}
