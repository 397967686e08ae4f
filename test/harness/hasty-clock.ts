// The system clock whose timers and monotonic time run ten times as fast, so that pauses after a kill do not fill a test's time.
import { type Clock, systemClock } from '../../src/support/clock.ts';

const TIMES_AS_FAST = 10;

export const hastyClock: Clock = {
  ...systemClock,
  // Both at once: a connection that is good after half a minute would else never be, and every pause the longest.
  monotonic: () => systemClock.monotonic() * TIMES_AS_FAST,
  after: (delayMs, callback) => systemClock.after(delayMs / TIMES_AS_FAST, callback),
};
