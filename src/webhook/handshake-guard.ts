// Consents to the service's handshake only while a registration runs, and only to the first origin that asks.
import type { CancelTimer, Clock } from '../support/clock.ts';
import { isOrigin } from './consent-headers.ts';

/** The service asks within its answer to the registration, 30 s at most (wire contract 6); twice that is plenty. */
const LONGEST_REGISTRATION_MS = 60_000;

export class HandshakeGuard {
  readonly #clock: Clock;
  /** The registration that runs. Its origin is null until the first one has asked. */
  #registration: { origin: string | null } | null = null;
  #cancelEnd: CancelTimer = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From now on, and for a minute at most, the first origin that asks may ask, and no other. */
  begin(): void {
    this.end();
    this.#registration = { origin: null };
    this.#cancelEnd = this.#clock.after(LONGEST_REGISTRATION_MS, () => this.end());
  }

  allows(origin: string): boolean {
    if (this.#registration === null || !isOrigin(origin)) {
      return false;
    }
    const asking = origin.toLowerCase();
    this.#registration.origin ??= asking;
    return this.#registration.origin === asking;
  }

  end(): void {
    this.#cancelEnd();
    this.#registration = null;
  }
}
