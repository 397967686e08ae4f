// For how long a person's wish is worth carrying out: counted from the moment in which they asked, not from when the house heard.
import type { BoltPosition } from '../domain/bolt.ts';
import { mayWaitMs } from '../domain/intent-policy.ts';
import { elapsedMs } from '../domain/time.ts';
import { type Clock, delay, momentOf } from '../support/clock.ts';
import { RetryError } from '../support/errors.ts';

const MS_PER_SECOND = 1_000;

/** What follows from coming too late. */
const CONSEQUENCES: Readonly<Record<BoltPosition, string>> = {
  secured: 'so nothing was sent.',
  unsecured: 'and an unlock is never sent late: nothing was sent.',
};

/**
 * What has to be known before a wish can be sent, as long as the wish is worth anything (architecture, rule 4): `find`
 * begins at once. Rejects with `timed-out` when it takes longer, and then nothing may be sent.
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
    // This process may have been stopped, or the machine may have slept: then no timer fired in time.
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
    `The account could not be reached within ${worthMs / MS_PER_SECOND} s, ${CONSEQUENCES[target]}`,
  );
}
