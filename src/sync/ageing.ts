// Lets beliefs grow old: what nothing has confirmed for too long is not believed any more.
import { staleBefore } from '../domain/evidence-policy.ts';
import type { ServiceClock } from '../domain/ports.ts';
import type { LockStore } from './lock-store.ts';

export interface AgeingParts {
  readonly store: LockStore;
  readonly serviceClock: ServiceClock;
  readonly limits: {
    /** How long a belief may go unconfirmed before it is none, in milliseconds. */
    readonly evidenceMaxAgeMs: number;
  };
}

export class Ageing {
  readonly #parts: AgeingParts;

  constructor(parts: AgeingParts) {
    this.#parts = parts;
  }

  /** `failingForMs`: for how long the service has not answered, or null while it does. */
  age(failingForMs: number | null): void {
    const { store, serviceClock, limits } = this.#parts;
    const now = serviceClock.now();
    const before = staleBefore({ now, maxAgeMs: limits.evidenceMaxAgeMs, failingForMs });
    store.applyToAll({ type: 'aged', staleBefore: before, now });
  }
}
