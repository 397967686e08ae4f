// The pause after a renewal of the token that failed: how long it lasts, and what whoever asks meanwhile is told.
import { type BackOff, backOffMs } from '../domain/backoff-policy.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError, type LatchkeyError, WaitError } from '../support/errors.ts';

/** After failures of the server (our choice). */
const BACK_OFF: BackOff = { firstMs: 2_000, longestMs: 60_000 };

/** A configuration that the service refuses does not mend itself; the line in the log is not repeated more often. */
const CONFIGURATION_PAUSE_MS = 300_000;

export class RefreshBackoff {
  readonly #clock: Clock;
  #failures = 0;
  #pause: { readonly until: number; readonly reason: LatchkeyError } | null = null;
  #forgotten = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How often the failures were forgotten: one that began before the last time says nothing any more. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Throws what the last renewal failed with, until the pause is over; a wait says how long that is yet. */
  throwWhileItLasts(): void {
    if (this.#pause === null) {
      return;
    }
    const { until, reason } = this.#pause;
    const restMs = until - this.#clock.monotonic();
    if (restMs > 0) {
      throw reason instanceof WaitError ? new WaitError(reason.code, reason.message, restMs) : reason;
    }
  }

  /** A renewal has failed, though not for good. */
  failed(error: LatchkeyError): void {
    this.#failures += 1;
    this.#pause = { until: this.#clock.monotonic() + pauseMs(error, this.#failures), reason: error };
  }

  /** What renewals failed for is past: no pause is left of it. */
  forget(): void {
    this.#forgotten += 1;
    this.#failures = 0;
    this.#pause = null;
  }
}

function pauseMs(error: LatchkeyError, failures: number): number {
  if (error instanceof WaitError && error.waitMs !== null) {
    return error.waitMs;
  }
  if (error instanceof FinalError) {
    return CONFIGURATION_PAUSE_MS;
  }
  // Without a connection nothing was asked of the server, and locks should work as soon as the network is back.
  return error.code === 'unreachable' || error.code === 'storage-failed'
    ? BACK_OFF.firstMs
    : backOffMs(failures, BACK_OFF);
}
