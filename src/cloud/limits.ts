// The waits that the service asks for: while one lasts, no call of the same operation is sent.
import type { Instant } from '../domain/bolt.ts';
import type { Clock } from '../support/clock.ts';
import { WaitError } from '../support/errors.ts';
import { HEADERS } from '../wire/endpoints.ts';
import { decodeWait } from '../wire/rate-limit-codec.ts';
import type { HttpAnswer } from './exchange.ts';
import { pauseOf } from './pause.ts';
import { instantOf } from './service-time.ts';

/** One window of the service's limits (specification, Rate limits): the wait after a refusal without a time. */
const DEFAULT_WAIT_MS = 60_000;

/** A wait is at least this long, so that a reset in the past is no invitation to hammer (our choice). */
const SHORTEST_WAIT_MS = 1_000;

/** Longer waits are cut to this (our choice): a garbled header must not stop calls for years. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/**
 * The wait that an answer asks for, in milliseconds: a 429 always does, a 503 where it names one; null for all others.
 * Named instants are of the clock of the service, which dates the answer; `now` counts when it has no date.
 */
export function askedWaitMs(
  { status, headers }: Pick<HttpAnswer, 'status' | 'headers'>,
  sentence: string,
  now: Instant,
): number | null {
  const isLimited = status === 429;
  if (!isLimited && status !== 503) {
    return null;
  }
  const writtenAt = instantOf(headers[HEADERS.date]) ?? now;
  const waitMs =
    decodeWait(headers, isLimited ? sentence : '', writtenAt) ?? (isLimited ? DEFAULT_WAIT_MS : null);
  return waitMs === null ? null : Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}

/** Operations of the device interface. The service limits each by itself (wire contract 11). */
export type Operation =
  | 'list'
  | 'command'
  | 'outcome'
  | 'history'
  | 'codes'
  | 'subscriptions'
  | 'signing-keys';

/** Remembers for each operation how long the service asked not to be called. */
export class CallGate {
  readonly #clock: Clock;
  readonly #restsMs = new Map<Operation, () => number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Stops the operation for `waitMs` from now; returns the error for the caller that met the limit. */
  shut(operation: Operation, waitMs: number, status: number): WaitError {
    if (waitMs > this.#restOf(operation)) {
      this.#restsMs.set(operation, pauseOf(this.#clock, waitMs));
    }
    return new WaitError('rate-limited', `The service asked for a pause (HTTP ${String(status)}).`, waitMs);
  }

  /** Throws a wait error with the rest of the wait while the operation is stopped. */
  pass(operation: Operation): void {
    const restMs = this.#restOf(operation);
    if (restMs > 0) {
      throw new WaitError('rate-limited', 'The service asked for a pause that is not over yet.', restMs);
    }
  }

  #restOf(operation: Operation): number {
    return this.#restsMs.get(operation)?.() ?? 0;
  }
}
