// Checks the PIN that controllers send to unlock: compared in constant time, with guesses rate-limited.
import type { Clock } from '../support/clock.ts';

/** Bounds of the PIN, and of guessing: after so many wrong ones in a row, all are refused for a while (our choice). */
export const PIN_DIGITS = { least: 4, most: 8 } as const;
export const WRONG_PINS_AT_MOST = 5;
export const DISABLED_FOR_SECONDS = 60;

const MS_PER_SECOND = 1_000;

export type PinVerdict = 'right' | 'missing' | 'wrong' | 'disabled';

/** Wrong PINs in a row, and until when none is accepted. */
interface Guesses {
  readonly wrong: number;
  readonly disabledUntilMs: number;
}

/** Of one lock; guesses count for the fabric that sent them, so that one controller cannot lock out the others. */
export class PinCheck {
  readonly #pin: Uint8Array;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #guesses = new Map<number | null, Guesses>();

  constructor(pin: string, clock: Pick<Clock, 'monotonic'>) {
    this.#pin = new TextEncoder().encode(pin);
    this.#clock = clock;
  }

  /** `sent`: the PIN of a command, as the bytes of its digits. `fabric`: null for Homebridge's own pages. */
  verdict(sent: Uint8Array | undefined, fabric: number | null): PinVerdict {
    const now = this.#clock.monotonic();
    const guesses = this.#guesses.get(fabric) ?? { wrong: 0, disabledUntilMs: 0 };
    if (now < guesses.disabledUntilMs) {
      return 'disabled';
    }
    if (sent === undefined || sent.length === 0) {
      return 'missing';
    }
    const isRight = isSame(this.#pin, sent);
    const wrong = isRight ? 0 : guesses.wrong + 1;
    this.#guesses.set(
      fabric,
      wrong < WRONG_PINS_AT_MOST
        ? { wrong, disabledUntilMs: 0 }
        : { wrong: 0, disabledUntilMs: now + DISABLED_FOR_SECONDS * MS_PER_SECOND },
    );
    return isRight ? 'right' : 'wrong';
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
