// Limits of each home at a relay, so that a flood for one delays no other.
import type { Clock } from '../../src/support/clock.ts';
import { TokenBucket } from '../../src/support/token-bucket.ts';

export interface HomeLimits {
  readonly burst: number;
  readonly perMinute: number;
  readonly waiting: number;
}

interface HomeUse {
  bucket: TokenBucket;
  /** With which the bucket was made: others make another. */
  limits: HomeLimits;
  waiting: number;
}

const MS_PER_MINUTE = 60_000;

/** Homes remembered at a time (our choice), the least recently used forgotten first: about 200 bytes each. */
const MOST_HOMES = 100_000;

export class HomeLimiter {
  readonly #clock: Clock;
  readonly #limits: () => HomeLimits;
  readonly #homes = new Map<string, HomeUse>();

  constructor(clock: Clock, limits: () => HomeLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Runs `deliver`; or returns the pause in milliseconds after which the home may try again, without running it. */
  async run<T>(home: string, deliver: () => Promise<T>): Promise<T | { readonly waitMs: number }> {
    const { waiting, perMinute } = this.#limits();
    const use = this.#use(home);
    if (use.waiting >= waiting) {
      return { waitMs: MS_PER_MINUTE / perMinute };
    }
    const waitMs = use.bucket.take();
    if (waitMs !== null) {
      return { waitMs };
    }
    use.waiting += 1;
    try {
      return await deliver();
    } finally {
      use.waiting -= 1;
    }
  }

  #use(home: string): HomeUse {
    const limits = this.#limits();
    const use = this.#homes.get(home) ?? { bucket: this.#bucket(limits), limits, waiting: 0 };
    if (use.limits !== limits) {
      [use.bucket, use.limits] = [this.#bucket(limits), limits];
    }
    // A map keeps the order of insertion.
    this.#homes.delete(home);
    this.#homes.set(home, use);
    const [oldest] = this.#homes.keys();
    if (this.#homes.size > MOST_HOMES && oldest !== undefined) {
      this.#homes.delete(oldest);
    }
    return use;
  }

  #bucket({ burst, perMinute }: HomeLimits): TokenBucket {
    return new TokenBucket(this.#clock, { burst, everyMs: MS_PER_MINUTE / perMinute });
  }
}
