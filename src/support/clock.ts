// The one place that knows what time it is and can wait: everything else is handed a Clock.
import { type CommitScheduler, LoopCommitScheduler } from './commit-scheduler.ts';

/** Stops a timer. Calling it twice, or after the timer fired, does nothing. */
export type CancelTimer = () => void;

/** Wall time for evidence and logs, monotonic time for durations, timers and turns, so that tests can move all four. */
export interface Clock {
  readonly commits: CommitScheduler;
  /** Milliseconds since the Unix epoch. May jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary start. Never jumps, never goes back. */
  monotonic(): number;
  /** Runs `callback` once, after at least `delayMs`. The timer does not keep the process alive. */
  after(delayMs: number, callback: () => void): CancelTimer;
}

/** Node caps timers at a signed 32-bit millisecond count and fires longer ones at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  commits: new LoopCommitScheduler(),
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/**
 * Resolves after `delayMs` of the given clock, or rejects with the signal's reason when it is aborted first.
 * Leaves no timer and no listener behind.
 */
export async function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason instanceof Error ? signal.reason : new Error('The wait was abandoned'));
    };
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The result of `work`, or a rejection with `late()` when it takes longer. Leaves no timer behind. */
export async function inTime<T>(
  clock: Pick<Clock, 'after'>,
  withinMs: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  const tooLate = Promise.withResolvers<never>();
  const cancel = clock.after(withinMs, () => {
    tooLate.reject(late());
  });
  try {
    return await Promise.race([work, tooLate.promise]);
  } finally {
    cancel();
  }
}

/** Both clocks at once: each has times that it does not see, a machine that sleeps, or a clock that is set. */
export function momentOf(clock: Pick<Clock, 'monotonic' | 'now'>): {
  readonly monotonicMs: number;
  readonly wallMs: number;
} {
  return { monotonicMs: clock.monotonic(), wallMs: clock.now() };
}

/** A timer may fire this early by a clock that counts fractions, in milliseconds: it then belongs to the beat that follows. */
const EARLY_MS = 100;

/**
 * How long to wait for the next multiple of `everyMs`, in milliseconds. Periodic checks that may run a little sooner
 * or later share these instants, so that they wake the machine once instead of once each.
 */
export function untilBeat(clock: Pick<Clock, 'monotonic'>, everyMs: number): number {
  const restMs = everyMs - (clock.monotonic() % everyMs);
  return restMs > EARLY_MS ? restMs : restMs + everyMs;
}
