// How often one home may ask for its consumer: the questions of one must not keep a relay from the events of others.
import type { Clock } from '../../../src/support/clock.ts';
import { TokenBucket } from '../../../src/support/token-bucket.ts';

/** Our choices: a home asks once at each connection, and once when its consumer is silent for five seconds. */
const LIMITS = { burst: 5, everyMs: 2_000 };
/** Homes that are remembered (our choice), the least recently seen forgotten first: about 150 bytes each. */
const MOST_HOMES = 100_000;

export class AskLimiter {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  allows(name: string): boolean {
    const bucket = this.#buckets.get(name) ?? new TokenBucket(this.#clock, LIMITS);
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MOST_HOMES && oldest !== undefined) {
      this.#buckets.delete(oldest);
    }
    return bucket.take() === null;
  }
}
