// How often an armed fault strikes: once, N times, at a rate, or always.
import { z } from 'zod';
import type { RandomSource } from '../world/random.ts';

/** The words of the control API: `"once"`, `"always"`, `{"times":3}` or `{"rate":0.2}`. */
export const oftenSchema = z.union(
  [
    z.literal('once'),
    z.literal('always'),
    z.strictObject({ times: z.int().min(1) }),
    z.strictObject({ rate: z.number().min(0).max(1) }),
  ],
  { error: 'must be "once", "always", {"times": N} or {"rate": 0 to 1}' },
);
export type Often = z.infer<typeof oftenSchema>;

/** Decides, occasion by occasion, whether a fault strikes. */
export class Occurrence {
  readonly #rate: number;
  readonly #random: RandomSource;
  #left: number;

  constructor(often: Often, random: RandomSource) {
    this.#random = random;
    this.#rate = typeof often === 'object' && 'rate' in often ? often.rate : 1;
    this.#left = strikesOf(often);
  }

  /** The number of remaining strikes; null where there is no end. */
  get left(): number | null {
    return Number.isFinite(this.#left) ? this.#left : null;
  }

  /** True when it will never strike again. */
  get spent(): boolean {
    return this.#left === 0;
  }

  /** Asks about one occasion and counts it. A rate draws one number for each occasion, strike or not. */
  strikes(): boolean {
    if (this.spent || (this.#rate < 1 && this.#random.next() >= this.#rate)) {
      return false;
    }
    this.#left -= 1;
    return true;
  }
}

function strikesOf(often: Often): number {
  if (often === 'once') {
    return 1;
  }
  return typeof often === 'object' && 'times' in often ? often.times : Number.POSITIVE_INFINITY;
}
