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

/** Longer waits of a limit are cut to this (our choice): a garbled header must not stop calls for years. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/**
 * A 503 tells how long the service expects to be away (RFC 9110, 10.2.3), and is no limit. It may be back sooner, and the doors are
 * unknown until it is asked: one call in each window of its limits finds out.
 */
const LONGEST_ABSENCE_MS = DEFAULT_WAIT_MS;

/**
 * The wait after an answer, in milliseconds: a 429 always asks for one, a 503 where it names one; null for all others.
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
  const longestMs = isLimited ? LONGEST_WAIT_MS : LONGEST_ABSENCE_MS;
  return waitMs === null ? null : Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), longestMs);
}

/** The cause of such a wait. */
export function waitCodeOf(status: number): 'rate-limited' | 'overloaded' {
  return status === 503 ? 'overloaded' : 'rate-limited';
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
const OPERATIONS = [
  'list',
  'command',
  'outcome',
  'history',
  'codes',
  'subscriptions',
  'signing-keys',
  'token',
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** A pause as it outlives this process, in milliseconds of the machine's clock. */
export interface KeptPause {
  readonly from: number;
  readonly ms: number;
}

/** Where pauses stand for the next process that owns the account. Never throws: without it they count in this process alone. */
export interface PauseStore {
  read(operation: Operation): KeptPause | null;
  save(operation: Operation, pause: KeptPause): void;
}

interface Pause {
  readonly from: number;
  readonly ms: number;
  readonly restMs: () => number;
}

/** What a person taps waits for one window of the service's limits at most, then one call shows whether the pause was meant. */
const TAP_WAITS_MS = DEFAULT_WAIT_MS;

/** The calls that one tap causes come within this time, in milliseconds (our choice): a renewal, the command, its read-backs. */
const TAP_LASTS_MS = 30_000;

/** A pause with a longer rest is named to people, in milliseconds: no limit of the service lasts so long, so it may be a mistake. */
const LONG_PAUSE_MS = 3_600_000;

/** Remembers for each operation how long the service asked not to be called, also by an earlier process (faults#115). */
export class CallGate {
  readonly #clock: Clock;
  readonly #store: PauseStore | null;
  readonly #pauses = new Map<Operation, Pause>();
  /** When a call was let through a pause, and whether its answer is still to come. */
  readonly #probes = new Map<Operation, { readonly restMs: () => number; answered: boolean }>();
  #tappedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, store: PauseStore | null = null) {
    this.#clock = clock;
    this.#store = store;
  }

  /** A person waits for the calls that follow: each operation may be tried once, in a pause that has lasted for a minute. */
  tapped(): void {
    this.#tappedAt = this.#clock.monotonic();
  }

  /** Stops the operation for `waitMs` from now; returns the error for the caller that met the limit. */
  shut(operation: Operation, waitMs: number, status: number): WaitError {
    const words = message('The service asked for a pause (HTTP {status}).', { status: String(status) });
    return new WaitError(waitCodeOf(status), words, this.begin(operation, waitMs));
  }

  /**
   * Stops the operation for `waitMs` from now; returns how long the caller has to wait. Of two answers the longer pause counts,
   * unless the later one was asked for in the pause.
   */
  begin(operation: Operation, waitMs: number): number {
    if (waitMs > this.#restOf(operation) || this.#isProbed(operation)) {
      this.#set(operation, waitMs);
    }
    return this.#isTapped() ? Math.min(waitMs, TAP_WAITS_MS) : waitMs;
  }

  /** The service took a call: a pause in which it was tried is over. */
  taken(operation: Operation): void {
    if (this.#isProbed(operation)) {
      this.#set(operation, 0);
    }
  }

  /** Throws a wait error with the rest of the wait while the operation is stopped. */
  pass(operation: Operation): void {
    const restMs = this.#restOf(operation);
    if (restMs <= 0) {
      return;
    }
    const tapWaitMs = this.#isTapped() ? this.#tapWaitMs(operation) : Number.POSITIVE_INFINITY;
    if (tapWaitMs <= 0) {
      this.#probes.set(operation, { restMs: pauseOf(this.#clock, TAP_WAITS_MS), answered: false });
      return;
    }
    throw new WaitError(
      'rate-limited',
      message('The service asked for a pause that is not over yet.'),
      Math.min(restMs, tapWaitMs),
    );
  }

  /** The rest of the longest pause that is named to people; null without one. */
  get longPauseMs(): number | null {
    const restMs = Math.max(...OPERATIONS.map((operation) => this.#restOf(operation)));
    return restMs > LONG_PAUSE_MS ? restMs : null;
  }

  #isTapped(): boolean {
    return this.#clock.monotonic() - this.#tappedAt < TAP_LASTS_MS;
  }

  #isProbed(operation: Operation): boolean {
    return this.#probes.get(operation)?.answered === false;
  }

  /** How long a tap still has to wait: from the begin of the pause, and from the last call that was tried in it. */
  #tapWaitMs(operation: Operation): number {
    const { ms = 0, restMs = () => 0 } = this.#pauses.get(operation) ?? {};
    const sinceProbeMs = this.#probes.get(operation)?.restMs() ?? 0;
    return Math.max(TAP_WAITS_MS - (ms - restMs()), sinceProbeMs);
  }

  #set(operation: Operation, ms: number): void {
    const from = this.#clock.now();
    const probe = this.#probes.get(operation);
    if (probe !== undefined) {
      probe.answered = true;
    }
    this.#pauses.set(operation, { from, ms, restMs: pauseOf(this.#clock, ms) });
    this.#store?.save(operation, { from, ms });
  }

  #restOf(operation: Operation): number {
    this.#takeOver(operation);
    return this.#pauses.get(operation)?.restMs() ?? 0;
  }

  /** A pause that another process kept. One from the future is of a clock that was set back since: it is not believed. */
  #takeOver(operation: Operation): void {
    const kept = this.#store?.read(operation) ?? null;
    if (kept !== null && kept.from !== this.#pauses.get(operation)?.from) {
      const ms = Math.min(kept.ms, LONGEST_WAIT_MS);
      const ageMs = this.#clock.now() - kept.from;
      const rest = pauseOf(this.#clock, ageMs < 0 ? 0 : ms - ageMs);
      this.#pauses.set(operation, { from: kept.from, ms, restMs: rest });
    }
  }
}
