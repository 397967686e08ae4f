// Limits how long a request stays valid, counted from the moment of the command, not of its arrival.

import { mayWaitMs } from '../../domain/commands/intent-policy.ts';
import type { BoltPosition } from '../../domain/locks/bolt.ts';
import { elapsedMs } from '../../domain/time/time.ts';
import { type Clock, delay, momentOf } from '../../support/clock.ts';
import { RetryError } from '../../support/errors.ts';
import { t } from '../../words/translate.ts';

const MS_PER_SECOND = 1_000;

/**
 * Runs `find`, which a request depends on, within the validity of that request (architecture, rule 4). Rejects with
 * `timed-out` on expiry; then nothing may be sent.
 */
export async function withinDeadline<T>(
  target: BoltPosition,
  clock: Clock,
  find: () => Promise<T>,
): Promise<T> {
  const asked = momentOf(clock);
  const worthMs = mayWaitMs(target);
  const enough = new AbortController();
  const tooLate = delay(clock, worthMs, enough.signal).then(() => Promise.reject(late(target, worthMs)));
  try {
    const found = await Promise.race([find(), tooLate]);
    // After a suspend, or a stopped process, no timer has fired in time.
    if (elapsedMs(asked, momentOf(clock)) > worthMs) {
      throw late(target, worthMs);
    }
    return found;
  } finally {
    enough.abort();
  }
}

function late(target: BoltPosition, worthMs: number): RetryError {
  return new RetryError(
    'timed-out',
    t(
      target === 'secured'
        ? 'The account could not be reached within {seconds} s, so nothing was sent.'
        : 'The account could not be reached within {seconds} s, and an unlock is never sent late: nothing was sent.',
      { seconds: worthMs / MS_PER_SECOND },
    ),
  );
}
