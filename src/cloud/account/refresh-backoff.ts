// The pause after a failed renewal of the token: its length, and the error for callers meanwhile. Also judges a refusal.
import { type BackOff, backOffMs } from '../../domain/polling/backoff-policy.ts';
import type { Clock } from '../../support/clock.ts';
import {
  FinalError,
  LatchkeyError,
  RelinkError,
  RetryError,
  WaitError,
  wordsOf,
} from '../../support/errors.ts';
import { LOSSES } from '../../words/account.ts';
import { pauseOf } from '../http/limits.ts';

/** The pauses after failures of the server (our choice). */
const BACK_OFF: BackOff = { firstMs: 2_000, longestMs: 60_000 };

/** A client that the service refuses stays refused until a person corrects it. */
const CONFIGURATION_PAUSE_MS = 300_000;

/** Pauses between tries with one refresh token, in milliseconds (our choice): an old one is taken briefly at most (faults#12). */
const TRY_AGAIN_AFTER_MS: readonly number[] = [1_000, 3_000];

/** The pause before another try at once, which can win a lost answer back; null when the server was not reached. */
export function retryAfterMs(tries: number, error: unknown): number | null {
  const mayHaveReached =
    error instanceof RetryError && (error.code === 'timed-out' || error.code === 'server-fault');
  return mayHaveReached ? (TRY_AGAIN_AFTER_MS[tries] ?? null) : null;
}

/**
 * Judges a repeated refusal of the refresh token. Ending the access ends the access token as well; where that one was
 * good to the end, another computer has spent the refresh token. `isProven`: the access token was just accepted.
 */
export function endOfLink(refusal: RelinkError, isProven: boolean): RelinkError {
  return refusal.code === 'revoked' && isProven
    ? new RelinkError('used-elsewhere', LOSSES['used-elsewhere'], { cause: refusal })
    : refusal;
}

/** An answer of the service ends a pause that has lasted for this long, in milliseconds (our choice). */
const HEARD_AFTER_MS = 30_000;

export class RefreshBackoff {
  readonly #clock: Clock;
  #failedAt = 0;
  #failures = 0;
  #failed: { readonly restMs: () => number; readonly reason: LatchkeyError } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws the error of the last renewal until the pause is over, which counts sleep; a wait names the rest of it. */
  throwWhileItLasts(): void {
    const restMs = this.#failed?.restMs() ?? 0;
    if (this.#failed !== null && restMs > 0) {
      const { reason } = this.#failed;
      throw reason instanceof WaitError ? new WaitError(reason.code, wordsOf(reason), restMs) : reason;
    }
  }

  /** The service asked for the pause itself. */
  get isAsked(): boolean {
    return this.#failed?.reason instanceof WaitError;
  }

  /** The service gave a sign of life: only a pause that it asked for itself goes on. */
  heard(): void {
    if (!this.isAsked && this.#clock.monotonic() - this.#failedAt >= HEARD_AFTER_MS) {
      this.#failed = null;
    }
  }

  failed(error: LatchkeyError): void {
    this.#failures += 1;
    this.#failedAt = this.#clock.monotonic();
    this.#failed = { restMs: pauseOf(this.#clock, pauseMs(error, this.#failures)), reason: error };
  }
}

function pauseMs(error: LatchkeyError, failures: number): number {
  if (error instanceof WaitError && error.waitMs !== null) {
    return error.waitMs;
  }
  if (error instanceof FinalError) {
    return CONFIGURATION_PAUSE_MS;
  }
  // Without a connection the server was not called: locks work as soon as the network is back.
  return error.code === 'unreachable' || error.code === 'storage-failed'
    ? BACK_OFF.firstMs
    : backOffMs(failures, BACK_OFF);
}

/** A lost answer, a fault of the service and an end of this process do not say whether it was taken. */
const MAY_BE_SPENT: ReadonlySet<LatchkeyError['code']> = new Set(['timed-out', 'server-fault', 'aborted']);

/** Whether this end of a renewal proves that its refresh token can be spent again. */
export function isCertainlyUnspent(error: unknown): boolean {
  return error instanceof LatchkeyError && !MAY_BE_SPENT.has(error.code);
}
