// Checks the PIN that must come with an unlock: compared in constant time, with guesses rate-limited.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../support/clock.ts';

/** After so many wrong ones in a row, all are refused for a while (our choice, as over Matter). */
const WRONG_AT_MOST = 5;
const CLOSED_FOR_MS = 60_000;

export type PinRefusal = 'no-pin' | 'wrong-pin' | 'pin-closed';

/** Shared by all locks of an account, so that guesses at one count for the others. */
export class PinGate {
  readonly #pin: Buffer;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #wrong = 0;
  #closedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(pin: string, clock: Pick<Clock, 'monotonic'>) {
    this.#pin = digestOf(pin);
    this.#clock = clock;
  }

  /** Null: it is the right one. */
  refusal(code: string | null): PinRefusal | null {
    if (this.#clock.monotonic() < this.#closedUntilMs) {
      return 'pin-closed';
    }
    if (code === null) {
      return 'no-pin';
    }
    if (timingSafeEqual(digestOf(code), this.#pin)) {
      this.#wrong = 0;
      return null;
    }
    this.#wrong += 1;
    if (this.#wrong >= WRONG_AT_MOST) {
      this.#wrong = 0;
      this.#closedUntilMs = this.#clock.monotonic() + CLOSED_FOR_MS;
    }
    return 'wrong-pin';
  }
}

/** Of equal length for every text. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
