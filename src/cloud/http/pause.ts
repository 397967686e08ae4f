// A pause before the next call. Time that the machine sleeps counts, because the service counts it.
import { suspendedMs } from '../../domain/time/time.ts';
import { type Clock, momentOf } from '../../support/clock.ts';

/** The rest of a pause that begins now, in milliseconds: 0 or less when it is over. */
export function pauseOf(clock: Pick<Clock, 'monotonic' | 'now'>, ms: number): () => number {
  const since = momentOf(clock);
  return () => {
    const now = momentOf(clock);
    return ms - (now.monotonicMs - since.monotonicMs) - suspendedMs(since, now);
  };
}
