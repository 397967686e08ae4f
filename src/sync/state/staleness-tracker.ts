// Lets beliefs grow old: what nothing has confirmed for too long is not believed any more.
import type { Instant } from '../../domain/bolt.ts';
import { staleBefore } from '../../domain/evidence-policy.ts';
import type { ServiceClock } from '../../domain/ports.ts';
import type { LockStore } from './lock-store.ts';

export interface StalenessTrackerParts {
  readonly store: LockStore;
  readonly serviceClock: ServiceClock;
  readonly limits: {
    /** How long a belief may go unconfirmed before it is none, in milliseconds. */
    readonly evidenceMaxAgeMs: number;
  };
}

export class StalenessTracker {
  readonly #parts: StalenessTrackerParts;
  /** The service's time is carried on by a clock that stands still in a sleeping machine: by so much, in milliseconds. */
  #sleptMs = 0;

  constructor(parts: StalenessTrackerParts) {
    this.#parts = parts;
  }

  /** What was last confirmed before this instant is not believed. `failingForMs`: as `age` says. */
  staleBefore(failingForMs: number | null): Instant {
    const { serviceClock, limits } = this.#parts;
    const now = serviceClock.now() + this.#sleptMs;
    return staleBefore({ now, maxAgeMs: limits.evidenceMaxAgeMs, failingForMs });
  }

  /** `failingForMs`: for how long the service has not answered, or null while it does. */
  age(failingForMs: number | null): void {
    const { store, serviceClock } = this.#parts;
    const before = this.staleBefore(failingForMs);
    store.applyToAll({ type: 'aged', staleBefore: before, now: serviceClock.now() });
  }

  /** The machine slept: everything is by so much older, in milliseconds. */
  slept(ms: number): void {
    this.#sleptMs += ms;
  }

  /** The service has answered, and told its time with that. */
  reportedTime(): void {
    this.#sleptMs = 0;
  }
}
