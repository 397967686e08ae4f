// Checks the PIN that controllers send to unlock: compared in constant time, with guesses rate-limited.
import type { Clock } from '../support/clock.ts';

/** Bounds of the PIN, and of guessing: after so many wrong ones in a row, all are refused for a while (our choice). */
export const PIN_DIGITS = { least: 4, most: 8 } as const;
export const WRONG_PINS_AT_MOST = 5;
export const DISABLED_FOR_SECONDS = 60;

const MS_PER_SECOND = 1_000;

export type PinVerdict = 'right' | 'missing' | 'wrong' | 'disabled';

/** Shared by all locks of an account, so that guesses at one count for the others. */
export class PinCheck {
  readonly #pin: Uint8Array;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #wrong = 0;
  #disabledUntilMs = 0;

  constructor(pin: string, clock: Pick<Clock, 'monotonic'>) {
    this.#pin = new TextEncoder().encode(pin);
    this.#clock = clock;
  }

  /** `sent`: the PIN of a command, as the bytes of its digits. */
  verdict(sent: Uint8Array | undefined): PinVerdict {
    if (this.#clock.monotonic() < this.#disabledUntilMs) {
      return 'disabled';
    }
    if (sent === undefined || sent.length === 0) {
      return 'missing';
    }
    if (isSame(this.#pin, sent)) {
      this.#wrong = 0;
      return 'right';
    }
    this.#wrong += 1;
    if (this.#wrong >= WRONG_PINS_AT_MOST) {
      this.#wrong = 0;
      this.#disabledUntilMs = this.#clock.monotonic() + DISABLED_FOR_SECONDS * MS_PER_SECOND;
    }
    return 'wrong';
  }
}

/** Takes equally long for a mismatch at the first digit and at the last. */
function isSame(pin: Uint8Array, sent: Uint8Array): boolean {
  let difference = pin.length ^ sent.length;
  for (const [index, byte] of pin.entries()) {
    difference |= byte ^ (sent[index] ?? 0);
  }
  return difference === 0;
}
