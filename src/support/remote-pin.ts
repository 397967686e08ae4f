// Checks the PIN that must come with a remote unlock: compared in constant time, with guesses rate-limited.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from './clock.ts';

/** After so many wrong ones in a row, all are refused for a while (our choice). */
export const WRONG_PINS_AT_MOST = 5;
export const DISABLED_FOR_SECONDS = 60;

const MS_PER_SECOND = 1_000;

export type PinVerdict = 'right' | 'missing' | 'wrong' | 'disabled';

/** Wrong PINs in a row, and until when none is accepted. */
interface Guesses {
  readonly wrong: number;
  readonly disabledUntilMs: number;
}

export class RemotePin {
  readonly #pin: Buffer;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #guesses = new Map<number | null, Guesses>();

  constructor(pin: string, clock: Pick<Clock, 'monotonic'>) {
    this.#pin = digestOf(pin);
    this.#clock = clock;
  }

  /** Whether none is accepted from this sender now. */
  isDisabled(from: number | null): boolean {
    return this.#clock.monotonic() < (this.#guesses.get(from)?.disabledUntilMs ?? 0);
  }

  /** `sent`: the digits, as text or as bytes. `from`: guesses of one sender do not lock out another; null: nobody by name. */
  verdict(sent: string | Uint8Array | null | undefined, from: number | null): PinVerdict {
    const now = this.#clock.monotonic();
    const guesses = this.#guesses.get(from) ?? { wrong: 0, disabledUntilMs: 0 };
    if (this.isDisabled(from)) {
      return 'disabled';
    }
    if (sent === null || sent === undefined || sent.length === 0) {
      return 'missing';
    }
    const isRight = timingSafeEqual(digestOf(sent), this.#pin);
    const wrong = isRight ? 0 : guesses.wrong + 1;
    this.#guesses.set(
      from,
      wrong < WRONG_PINS_AT_MOST
        ? { wrong, disabledUntilMs: 0 }
        : { wrong: 0, disabledUntilMs: now + DISABLED_FOR_SECONDS * MS_PER_SECOND },
    );
    return isRight ? 'right' : 'wrong';
  }
}

/** Of equal length for all digits. */
function digestOf(digits: string | Uint8Array): Buffer {
  return createHash('sha256').update(digits).digest();
}
