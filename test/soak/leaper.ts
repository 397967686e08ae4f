// Decides when the home's clock leaps: only while nothing is under way, and never past a timer or the driver's limit.
import type { LeapFile } from './leap-file.ts';
import type { LeapTimers } from './leap-timers.ts';

/** After an answer or a request, its reader may still be at work for some turns. */
const QUIET_LOOKS_AFTER_WORK = 5;
/** Between two leaps promises run, and what a timer began shows itself. */
const QUIET_LOOKS = 3;
/** A leap shorter than this saves nothing, in milliseconds. */
const LEAST_LEAP_MS = 2;

export interface LeaperParts {
  /** Milliseconds since the epoch, leaps included. */
  readonly now: () => number;
  readonly timers: LeapTimers;
  readonly file: Pick<LeapFile, 'leaptMs' | 'limitAt'>;
  /** How much is under way. */
  readonly underWay: () => number;
}

export class Leaper {
  readonly #parts: LeaperParts;
  #quietLooks = 0;
  #neededLooks = QUIET_LOOKS_AFTER_WORK;

  constructor(parts: LeaperParts) {
    this.#parts = parts;
  }

  /**
   * Fires a timer that is due, or leaps to the next one. Returns whether to look again in the very next turn: after an answer
   * it is better to wait a moment.
   */
  look(): boolean {
    const { now, timers, file, underWay } = this.#parts;
    if (underWay() > 0) {
      this.noteWork();
      timers.fireNext();
      return false;
    }
    if (timers.fireNext()) {
      this.#quietLooks = 0;
      return true;
    }
    this.#quietLooks += 1;
    if (this.#quietLooks < this.#neededLooks) {
      return this.#neededLooks === QUIET_LOOKS;
    }
    const aheadMs = Math.min(timers.nextDueAt, file.limitAt) - now();
    if (aheadMs < LEAST_LEAP_MS) {
      return false;
    }
    file.leaptMs += aheadMs;
    this.#quietLooks = 0;
    this.#neededLooks = QUIET_LOOKS;
    timers.fireNext();
    return true;
  }

  /** A request or an answer has passed: rest has to show itself anew. */
  noteWork(): void {
    this.#quietLooks = 0;
    this.#neededLooks = QUIET_LOOKS_AFTER_WORK;
  }
}
