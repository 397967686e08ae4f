// Timers on a clock that leaps: they fire in the order in which they are due, as soon as the clock says that they are.

export interface LeapTimer {
  readonly callback: () => void;
  dueAt: number;
  /** Which of two that are due at once was set first. */
  order: number;
  /** Whether the process lives on for it. */
  isHeld: boolean;
}

export class LeapTimers {
  readonly #now: () => number;
  readonly #timers = new Set<LeapTimer>();
  #order = 0;

  /** `now`: milliseconds, leaps included. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#timers.size;
  }

  get someAreHeld(): boolean {
    return [...this.#timers].some(({ isHeld }) => isHeld);
  }

  /** When the next timer is due; infinite without timers. */
  get nextDueAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#timers) {
      next = Math.min(next, dueAt);
    }
    return next;
  }

  set(delayMs: number, callback: () => void): LeapTimer {
    const timer = { callback, dueAt: 0, order: 0, isHeld: true };
    this.postpone(timer, delayMs);
    return timer;
  }

  /** Sets a timer anew, whether it has fired or not. */
  postpone(timer: LeapTimer, delayMs: number): void {
    this.#order += 1;
    timer.order = this.#order;
    timer.dueAt = this.#now() + delayMs;
    this.#timers.add(timer);
  }

  clear(timer: LeapTimer): void {
    this.#timers.delete(timer);
  }

  /**
   * Fires the next timer that is due; returns whether there was one. One at a time, so that the caller lets promises run
   * between two, as Node does.
   */
  fireNext(): boolean {
    const now = this.#now();
    let next: LeapTimer | null = null;
    for (const timer of this.#timers) {
      if (timer.dueAt <= now && (next === null || isEarlier(timer, next))) {
        next = timer;
      }
    }
    if (next === null) {
      return false;
    }
    this.#timers.delete(next);
    next.callback();
    return true;
  }
}

function isEarlier(left: LeapTimer, right: LeapTimer): boolean {
  return left.dueAt < right.dueAt || (left.dueAt === right.dueAt && left.order < right.order);
}
