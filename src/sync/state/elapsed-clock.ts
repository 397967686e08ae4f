// A clock for time limits: milliseconds that never go back and count sleep.
import { countedMs } from '../../domain/time.ts';
import { type Clock, momentOf } from '../../support/clock.ts';

export function elapsedClock(clock: Pick<Clock, 'monotonic' | 'now'>): () => number {
  let last = momentOf(clock);
  let elapsedMs = last.monotonicMs;
  return () => {
    const moment = momentOf(clock);
    elapsedMs += countedMs(last, moment);
    last = moment;
    return elapsedMs;
  };
}
