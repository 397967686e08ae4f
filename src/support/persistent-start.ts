// Starts the app, and retries while the disk prevents it.

import { t } from '../words/translate.ts';
import type { CancelTimer, Clock } from './clock.ts';
import { LatchkeyError, messageOf } from './errors.ts';
import type { Log } from './log.ts';

/** Pauses between attempts, doubling, in milliseconds (our choice). */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Retries errors of disposition `retry`, with one log line for all; any other is final. Never throws. The returned
 * function ends the retries.
 */
export function startPersistently(clock: Clock, log: Log, begin: () => void): CancelTimer {
  let cancel: CancelTimer = () => {};
  const attempt = (pauseMs: number): void => {
    try {
      begin();
    } catch (error) {
      if (!(error instanceof LatchkeyError && error.disposition === 'retry')) {
        log.error(`${t('Not started.')} ${messageOf(error)}`);
        return;
      }
      if (pauseMs === FIRST_PAUSE_MS) {
        log.warn(t('Not started yet; retrying: {why}', { why: messageOf(error) }));
      }
      cancel = clock.after(pauseMs, () => attempt(Math.min(pauseMs * 2, LONGEST_PAUSE_MS)));
    }
  };
  attempt(FIRST_PAUSE_MS);
  return () => cancel();
}
