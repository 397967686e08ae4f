// A clock that runs many times as fast as the machine's, and shows the same time in every process.
import { type Clock, systemClock } from '../../src/support/clock.ts';

/** `startsAt`: the machine's time, in epoch milliseconds, at which both clocks agree. */
export function scaledClock(scale: number, startsAt: number): Clock {
  const scaled = (epochMs: number): number => startsAt + (epochMs - startsAt) * scale;
  return {
    commits: systemClock.commits,
    now: () => Math.floor(scaled(systemClock.now())),
    monotonic: () => systemClock.monotonic() * scale,
    after: (delayMs, callback) => systemClock.after(delayMs / scale, callback),
  };
}
