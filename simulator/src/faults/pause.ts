// The wait of a late answer.
import { type Clock, delay } from '../../../src/support/clock.ts';

/** Waits by the simulator's clock; on shutdown, held answers are sent at once. */
export async function pause(clock: Clock, delayMs: number, closing: AbortSignal): Promise<void> {
  try {
    await delay(clock, delayMs, closing);
  } catch (error) {
    if (!closing.aborted) {
      throw error;
    }
  }
}
