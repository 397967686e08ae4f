// The waits that the service asks for, kept: while one lasts, no call leaves the house.
import type { Instant } from '../domain/bolt.ts';
import type { Clock } from '../support/clock.ts';
import { WaitError } from '../support/errors.ts';
import { HEADERS, type Headers } from '../wire/endpoints.ts';
import { decodeWait } from '../wire/rate-limit-codec.ts';

/** One window of the service's limits (specification, Rate limits): what a refusal without a time means. */
const DEFAULT_WAIT_MS = 60_000;

/** A wait is at least this long, so that a reset in the past is no invitation to hammer (our choice). */
const SHORTEST_WAIT_MS = 1_000;

/** No longer than this is believed (our choice): a garbled header must not lock a house out for years. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/** How long an answer of the kind "too many requests" means to keep us away, in milliseconds. */
export function rateLimitWaitMs(headers: Headers, sentence: string, now: Instant): number {
  return bounded(decodeWait(headers, sentence, writtenAt(headers, now)) ?? DEFAULT_WAIT_MS);
}

/** The wait of a service that is overloaded, or null when it named none and a retry policy may decide. */
export function overloadWaitMs(headers: Headers, now: Instant): number | null {
  const namedMs = decodeWait(headers, '', writtenAt(headers, now));
  return namedMs === null ? null : bounded(namedMs);
}

/**
 * When an answer was written, by the clock that wrote its other times too: after this machine slept, ours may not have
 * caught up yet. `now` when it does not say.
 */
function writtenAt(headers: Headers, now: Instant): Instant {
  const date = new Date(headers[HEADERS.date] ?? '').getTime();
  return Number.isFinite(date) ? date : now;
}

function bounded(waitMs: number): number {
  return Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}

/** A door that the service can shut for a while. */
export class CallGate {
  readonly #clock: Clock;
  #shutUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Shuts for `waitMs` from now; returns the error for whoever stood in the door. */
  shut(waitMs: number, message: string): WaitError {
    this.#shutUntil = Math.max(this.#shutUntil, this.#clock.monotonic() + waitMs);
    return new WaitError('rate-limited', message, waitMs);
  }

  /** Throws a wait error with the rest of the wait while it is shut. */
  pass(): void {
    const restMs = this.#shutUntil - this.#clock.monotonic();
    if (restMs > 0) {
      throw new WaitError('rate-limited', 'The service asked for a pause that is not over yet.', restMs);
    }
  }
}
