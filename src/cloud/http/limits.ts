// The waits that the service asks for: during one, no call of the same operation is sent.
import { message } from '../../domain/language/message.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { suspendedMs } from '../../domain/time/time.ts';
import { type Clock, momentOf } from '../../support/clock.ts';
import { WaitError } from '../../support/errors.ts';
import { HEADERS } from '../../wire/endpoints.ts';
import { decodeWait } from '../../wire/rate-limit-codec.ts';
import type { HttpAnswer } from './exchange.ts';
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

/** The rest of a pause that begins now, in milliseconds: 0 or less when it is over. Sleep counts, as at the service. */
export function pauseOf(clock: Pick<Clock, 'monotonic' | 'now'>, ms: number): () => number {
  const since = momentOf(clock);
  return () => {
    const now = momentOf(clock);
    return ms - (now.monotonicMs - since.monotonicMs) - suspendedMs(since, now);
  };
}

/** Operations of the service. It limits each by itself (wire contract 11). */
export type Operation =
  | 'list'
  | 'command'
  | 'outcome'
  | 'history'
  | 'codes'
  | 'subscriptions'
  | 'signing-keys'
  | 'token';

/** A pause as it outlives this process, in milliseconds of the machine's clock. */
export interface KeptPause {
  readonly from: number;
  readonly ms: number;
}

/** Where pauses stand for the next process that owns the account. Never throws: without it they count in this process alone. */
export interface PauseStore {
  read(operation: Operation): KeptPause | null;
  keep(operation: Operation, pause: KeptPause): void;
}

interface Pause {
  readonly from: number;
  readonly restMs: () => number;
}

/** Remembers for each operation how long the service asked not to be called, also by an earlier process (faults#115). */
export class CallGate {
  readonly #clock: Clock;
  readonly #store: PauseStore | null;
  readonly #pauses = new Map<Operation, Pause>();

  constructor(clock: Clock, store: PauseStore | null = null) {
    this.#clock = clock;
    this.#store = store;
  }

  /** Stops the operation for `waitMs` from now; returns the error for the caller that met the limit. */
  shut(operation: Operation, waitMs: number, status: number): WaitError {
    this.begin(operation, waitMs);
    return new WaitError(
      'rate-limited',
      message('The service asked for a pause (HTTP {status}).', { status: String(status) }),
      waitMs,
    );
  }

  /** Stops the operation for `waitMs` from now, unless it is stopped for longer. */
  begin(operation: Operation, waitMs: number): void {
    if (waitMs > this.#restOf(operation)) {
      const from = this.#clock.now();
      this.#pauses.set(operation, { from, restMs: pauseOf(this.#clock, waitMs) });
      this.#store?.keep(operation, { from, ms: waitMs });
    }
  }

  /** Throws a wait error with the rest of the wait while the operation is stopped. */
  pass(operation: Operation): void {
    const restMs = this.#restOf(operation);
    if (restMs > 0) {
      throw new WaitError(
        'rate-limited',
        message('The service asked for a pause that is not over yet.'),
        restMs,
      );
    }
  }

  #restOf(operation: Operation): number {
    this.#takeOver(operation);
    return this.#pauses.get(operation)?.restMs() ?? 0;
  }

  /** A pause that another process kept. One from the future is of a clock that was set back since: it is not believed. */
  #takeOver(operation: Operation): void {
    const kept = this.#store?.read(operation) ?? null;
    if (kept !== null && kept.from !== this.#pauses.get(operation)?.from) {
      const ageMs = this.#clock.now() - kept.from;
      const restMs = ageMs < 0 ? 0 : Math.min(kept.ms, LONGEST_WAIT_MS) - ageMs;
      this.#pauses.set(operation, { from: kept.from, restMs: pauseOf(this.#clock, restMs) });
    }
  }
}
