// Consents to the service's handshake only while a registration runs, and only to the expected origin.
import type { Clock } from '../support/clock.ts';
import { isOrigin } from './consent-headers.ts';

/** The service asks within its answer to the registration, 30 s at most (wire contract 6); twice that is plenty. */
const LONGEST_REGISTRATION_MS = 60_000;

interface Registration {
  /** Null until the first origin has asked. */
  origin: string | null;
  readonly end: () => void;
}

export class HandshakeGuard {
  readonly #clock: Clock;
  readonly #registrations = new Set<Registration>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * From now on, and for a minute at most, only that origin may ask; with null, only the first one that asks. The returned
   * function ends it.
   */
  expect(origin: string | null): () => void {
    const end = (): void => {
      cancel();
      this.#registrations.delete(registration);
    };
    const cancel = this.#clock.after(LONGEST_REGISTRATION_MS, end);
    const registration: Registration = { origin: origin?.toLowerCase() ?? null, end };
    this.#registrations.add(registration);
    return end;
  }

  allows(origin: string): boolean {
    if (!isOrigin(origin)) {
      return false;
    }
    const asking = origin.toLowerCase();
    for (const registration of this.#registrations) {
      registration.origin ??= asking;
      if (registration.origin === asking) {
        return true;
      }
    }
    return false;
  }

  close(): void {
    for (const { end } of this.#registrations) {
      end();
    }
  }
}
