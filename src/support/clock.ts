// The only access to time and timers: everything else receives a Clock.
import { type CommitScheduler, LoopCommitScheduler } from './commit-scheduler.ts';

/** Stops a timer. Calling it twice, or after the timer fired, does nothing. */
export type CancelTimer = () => void;

/** Wall time, monotonic time, timers and the commit scheduler in one interface, so that tests control all four. */
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

export const systemClock: Clock = {
  commits: new LoopCommitScheduler(),
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
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

/** The result of `work`, or a rejection with `late()` on timeout. Leaves no timer behind. */
export async function inTime<T>(
  clock: Pick<Clock, 'after'>,
  withinMs: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  const tooLate = Promise.withResolvers<never>();
  const cancel = clock.after(withinMs, () => tooLate.reject(late()));
  try {
    return await Promise.race([work, tooLate.promise]);
  } finally {
    cancel();
  }
}

/** The result of `work`, or null after `withinMs`. Leaves no timer behind. */
export async function withTimeout<T>(
  clock: Pick<Clock, 'after'>,
  withinMs: number,
  work: Promise<T>,
): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const cancel = clock.after(withinMs, () => late.resolve(null));
  return Promise.race([work, late.promise]).finally(cancel);
}

/** Both clocks at once: monotonic time misses a suspended machine, wall time a changed clock. */
export function momentOf(clock: Pick<Clock, 'monotonic' | 'now'>): {
  readonly monotonicMs: number;
  readonly wallMs: number;
} {
  return { monotonicMs: clock.monotonic(), wallMs: clock.now() };
}

/** A timer may fire this much early on a clock with fractions, in milliseconds: it then belongs to the following beat. */
const EARLY_MS = 100;

/**
 * Delay until the next multiple of `everyMs`, in milliseconds. Tolerant periodic checks share these instants, so that
 * they wake the machine once instead of once each.
 */
export function untilBeat(clock: Pick<Clock, 'monotonic'>, everyMs: number): number {
  const restMs = everyMs - (clock.monotonic() % everyMs);
  return restMs > EARLY_MS ? restMs : restMs + everyMs;
}
