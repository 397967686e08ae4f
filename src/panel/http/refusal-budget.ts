// Limits the refused requests of strangers. Valid requests are never limited.

import type { Clock } from '../../support/clock.ts';
import { TokenBucket, type TokenBucketLimits } from '../../support/token-bucket.ts';

/** Enough for a person who pastes wrong addresses all evening (our choice). */
const REFUSALS: TokenBucketLimits = { burst: 20, everyMs: 3_000 };

/** One budget for all senders, because a sender can choose its address, and one each would cost memory. */
export function refusalBudget(clock: Clock): TokenBucket {
  return new TokenBucket(clock, REFUSALS);
}
