// A clock that moves only when a test says so.
import type { CancelTimer, Clock } from '../../src/support/clock.ts';
import { type CommitScheduler, commitNow } from '../../src/support/commit-scheduler.ts';

interface Timer {
  readonly dueAt: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Lets every promise that is ready to go on do so, I/O on loopback included, without waiting for real time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** The same for what runs in memory alone: quick enough for tens of thousands of runs of a property. */
export async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) {
    await Promise.resolve();
  }
}

/** Wall time starts at 2026-04-14T12:00:00Z by default; monotonic time starts at 0. */
export class ManualClock implements Clock {
  readonly commits: CommitScheduler = commitNow;
  #wallMs: number;
  #monotonicMs = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();
  #settle: () => Promise<void>;
  /** Called whenever everything that was due at an instant has run: a test may look at the whole world then. */
  onSettled: () => void = () => {};

  constructor(startAt = Date.UTC(2026, 3, 14, 12), settleWith = settle) {
    this.#settle = settleWith;
    this.#wallMs = startAt;
  }

  /** From now on, whatever is due at an instant has run when this has. */
  settleWith(settleBy: () => Promise<void>): void {
    this.#settle = settleBy;
  }

  now(): number {
    return this.#wallMs;
  }

  monotonic(): number {
    return this.#monotonicMs;
  }

  /** Timers that have not fired yet: a component that was disposed leaves none. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  after(delayMs: number, callback: () => void): CancelTimer {
    this.#order += 1;
    const timer: Timer = { dueAt: this.#monotonicMs + Math.max(delayMs, 0), order: this.#order, callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Sets the wall clock as a person or NTP would; durations and timers do not notice. */
  jumpWallTo(epochMs: number): void {
    this.#wallMs = epochMs;
  }

  /** Moves both clocks and fires nothing: this process stood still. Timers that are due fire with the next `advance`. */
  standStill(durationMs: number): void {
    this.#wallMs += durationMs;
    this.#monotonicMs += durationMs;
  }

  /** Moves both clocks, firing due timers in order and letting promises run between them. */
  async advance(durationMs: number): Promise<void> {
    await this.#settle();
    const end = this.#monotonicMs + durationMs;
    for (let next = this.#nextDue(end); next !== undefined; next = this.#nextDue(end)) {
      this.#moveTo(Math.max(next.dueAt, this.#monotonicMs));
      this.#timers.delete(next);
      next.callback();
      await this.#settle();
      this.onSettled();
    }
    this.#moveTo(end);
    await this.#settle();
    this.onSettled();
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }

  #nextDue(limit: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      const earlier =
        next === undefined ||
        timer.dueAt < next.dueAt ||
        (timer.dueAt === next.dueAt && timer.order < next.order);
      if (timer.dueAt <= limit && earlier) {
        next = timer;
      }
    }
    return next;
  }
}
