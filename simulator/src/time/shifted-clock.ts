// The simulator's clock: its base clock plus a manual shift ("advance one day") that skips no timer.
import type { CancelTimer, Clock } from '../../../src/support/clock.ts';
import type { CommitScheduler } from '../../../src/support/commit-scheduler.ts';

interface Timer {
  readonly dueAt: number;
  readonly order: number;
  readonly callback: () => void;
}

/**
 * A clock that runs with its base and can be moved ahead of it. Timers due within a step fire in order, each at its
 * own instant, so that a day that was skipped leaves the same traces as a day that was lived through.
 */
export class ShiftedClock implements Clock {
  readonly #base: Clock;
  #shiftMs = 0;
  /** Where a scenario begins, when that is not now; wall time only. */
  readonly #wallShiftMs: number;
  #order = 0;
  readonly #timers = new Map<Timer, CancelTimer>();

  /** `startAt` (epoch milliseconds) is the clock's first time. */
  constructor(base: Clock, startAt = base.now()) {
    this.#base = base;
    this.#wallShiftMs = startAt - base.now();
  }

  get commits(): CommitScheduler {
    return this.#base.commits;
  }

  now(): number {
    return this.#base.now() + this.aheadMs;
  }

  /** How far the wall time is ahead of the base's, milliseconds. */
  get aheadMs(): number {
    return this.#wallShiftMs + this.#shiftMs;
  }

  monotonic(): number {
    return this.#base.monotonic() + this.#shiftMs;
  }

  after(delayMs: number, callback: () => void): CancelTimer {
    this.#order += 1;
    const dueAt = this.monotonic() + Math.max(delayMs, 0);
    const timer: Timer = { dueAt, order: this.#order, callback };
    this.#arm(timer);
    return () => this.#disarm(timer);
  }

  /**
   * Moves both axes on and fires due timers on the way, including those that callbacks set.
   * Work that waits for an outside answer (a webhook delivery) goes on after the step.
   */
  advance(durationMs: number): void {
    const target = this.#shiftMs + durationMs;
    for (let next = this.#nextWithin(target); next !== undefined; next = this.#nextWithin(target)) {
      this.#shiftMs = Math.max(this.#shiftMs, next.dueAt - this.#base.monotonic());
      this.#disarm(next);
      next.callback();
    }
    this.#shiftMs = target;
    // Timers of the base clock were set before the shift and would fire late.
    const held = [...this.#timers.keys()];
    for (const timer of held) {
      this.#disarm(timer);
      this.#arm(timer);
    }
  }

  /** Milliseconds until the next timer is due; null when there is none. */
  untilNextTimer(): number | null {
    const next = this.#nextWithin(Number.POSITIVE_INFINITY);
    return next === undefined ? null : Math.max(next.dueAt - this.monotonic(), 0);
  }

  /** Drops every timer, for the end of a simulation. */
  stop(): void {
    for (const timer of this.#timers.keys()) {
      this.#disarm(timer);
    }
  }

  #arm(timer: Timer): void {
    const cancel = this.#base.after(timer.dueAt - this.monotonic(), () => {
      // A base that caps long waits may wake early.
      if (this.monotonic() < timer.dueAt) {
        this.#arm(timer);
        return;
      }
      this.#timers.delete(timer);
      timer.callback();
    });
    this.#timers.set(timer, cancel);
  }

  #disarm(timer: Timer): void {
    this.#timers.get(timer)?.();
    this.#timers.delete(timer);
  }

  #nextWithin(shiftMs: number): Timer | undefined {
    const limit = this.#base.monotonic() + shiftMs;
    let next: Timer | undefined;
    for (const timer of this.#timers.keys()) {
      if (timer.dueAt <= limit && (next === undefined || isEarlier(timer, next))) {
        next = timer;
      }
    }
    return next;
  }
}

function isEarlier(left: Timer, right: Timer): boolean {
  return left.dueAt < right.dueAt || (left.dueAt === right.dueAt && left.order < right.order);
}
