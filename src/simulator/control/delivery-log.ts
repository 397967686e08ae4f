// The last attempts to deliver webhooks, for the doors page and for tests.
import type { AttemptRecord } from '../webhooks/courier.ts';

/** A page shows fewer; a test that needs more listens to the stream. */
const DELIVERY_LOG_CAPACITY = 500;

export class DeliveryLog {
  readonly #attempts: AttemptRecord[] = [];

  add(attempt: AttemptRecord): void {
    this.#attempts.push(attempt);
    if (this.#attempts.length > DELIVERY_LOG_CAPACITY) {
      this.#attempts.shift();
    }
  }

  /** Oldest first. */
  entries(): readonly AttemptRecord[] {
    return this.#attempts;
  }
}
