// A beginning that is tried again while the disk stands in its way, and given up when no repetition can help.
import type { CancelTimer, Clock } from '../support/clock.ts';
import { LatchkeyError, messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

/** Pauses between tries: doubling from the first to the longest, in milliseconds (our choice). */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Calls `begin` now, and again as long as it throws an error of disposition `retry`, with one line for all of them; any
 * other error is final and gets its line. Never throws. The returned function ends the tries.
 */
export function startPersistently(clock: Clock, log: Log, begin: () => void): CancelTimer {
  let cancel: CancelTimer = () => {};
  const attempt = (pauseMs: number): void => {
    try {
      begin();
    } catch (error) {
      if (!(error instanceof LatchkeyError && error.disposition === 'retry')) {
        log.error(`Nothing was started. ${messageOf(error)}`);
        return;
      }
      if (pauseMs === FIRST_PAUSE_MS) {
        log.warn(`Nothing could be started yet, and it is tried again until it can: ${messageOf(error)}`);
      }
      cancel = clock.after(pauseMs, () => {
        attempt(Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
      });
    }
  };
  attempt(FIRST_PAUSE_MS);
  return () => {
    cancel();
  };
}
