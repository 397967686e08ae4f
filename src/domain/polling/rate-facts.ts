// What one answer of the service tells of its rate window.
import type { Instant } from '../time/instant.ts';

/** One answer's report of its window; members that it omits are null. `date` and `reset` are on the service's clock. */
export interface RateFacts {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly reset: Instant | null;
  readonly date: Instant | null;
}
