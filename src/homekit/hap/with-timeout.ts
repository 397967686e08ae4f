// Resolves null on timeout, so that HomeKit does not wait for a slow service.
import type { Clock } from '../../support/clock.ts';

/** Resolves with the answer, or with null after `withinMs`. Leaves no timer behind. */
export async function withTimeout<T>(clock: Clock, withinMs: number, answer: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const cancel = clock.after(withinMs, () => late.resolve(null));
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    cancel();
  }
}
