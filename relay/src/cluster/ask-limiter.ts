// How often one home may ask for its consumer: the questions of one must not keep a relay from the events of others.
import type { Clock } from '../../../src/support/clock.ts';
import { TokenBucket } from '../../../src/support/token-bucket.ts';

/** Our choices: a home asks once at each connection, and once when its consumer is silent for five seconds. */
const LIMITS = { burst: 5, everyMs: 2_000 };
/** Questions that are not answered: no home that keeps to our program comes near (our choice). */
const UNANSWERED = { burst: 50, everyMs: 1_000 };
/** Homes that are remembered (our choice), the least recently seen forgotten first: about 150 bytes each. */
const MOST_HOMES = 100_000;

interface Asker {
  readonly answered: TokenBucket;
  readonly unanswered: TokenBucket;
}

export class AskLimiter {
  readonly #clock: Clock;
  readonly #homes = new Map<string, Asker>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `endless`: it goes on and on. */
  asked(name: string): 'answered' | 'unanswered' | 'endless' {
    const home = this.#homes.get(name) ?? {
      answered: new TokenBucket(this.#clock, LIMITS),
      unanswered: new TokenBucket(this.#clock, UNANSWERED),
    };
    this.#homes.delete(name);
    this.#homes.set(name, home);
    const [oldest] = this.#homes.keys();
    if (this.#homes.size > MOST_HOMES && oldest !== undefined) {
      this.#homes.delete(oldest);
    }
    if (home.answered.take() === null) {
      return 'answered';
    }
    return home.unanswered.take() === null ? 'unanswered' : 'endless';
  }
}
