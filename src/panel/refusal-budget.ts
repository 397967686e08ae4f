// How many refusals strangers may cause before they have to wait. Valid requests are never limited.

import type { Clock } from '../support/clock.ts';
import { TokenBucket, type TokenBucketLimits } from '../support/token-bucket.ts';

/** A person's whole evening of pasting the wrong thing in one go (our choice). */
const REFUSALS: TokenBucketLimits = { commitNow: 20, everyMs: 3_000 };

/** One budget for everybody: the address of a sender can be chosen, and would cost memory. */
export function refusalBudget(clock: Clock): TokenBucket {
  return new TokenBucket(clock, REFUSALS);
}
