// The system clock whose timers run ten times as fast, so that pauses after a kill do not fill a test's time.
import { type Clock, systemClock } from '../../src/support/clock.ts';

const TIMES_AS_FAST = 10;

export const hastyClock: Clock = {
  ...systemClock,
  after: (delayMs, callback) => systemClock.after(delayMs / TIMES_AS_FAST, callback),
};
