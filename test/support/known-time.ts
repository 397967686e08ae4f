// A service whose clock is the machine's wall clock, known as exactly as a test needs it.
import type { ServiceTimeline } from '../../src/domain/ports.ts';
import type { Clock } from '../../src/support/clock.ts';

/** `knownToMs`: the service may be ahead of this clock by so much, in milliseconds. A jump back sets it back. */
export function serviceClockOf(clock: Pick<Clock, 'now' | 'monotonic'>, knownToMs = 2_000): ServiceTimeline {
  let offsetMs = clock.now() - clock.monotonic();
  let setBackMs = 0;
  return {
    now: () => clock.now(),
    bounds: () => {
      const before = offsetMs;
      offsetMs = clock.now() - clock.monotonic();
      setBackMs += Math.max(before - offsetMs, 0);
      const earliest = clock.now();
      return { earliest, latest: earliest + knownToMs, unconfirmedSleepMs: 0, setBackMs };
    },
    received() {},
  };
}
