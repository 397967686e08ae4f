// Keeps one connection to a broker of any kind, and opens the next one after a pause.
import { type BackOff, backOffMs } from '../domain/polling/backoff-policy.ts';
import { type Clock, delay } from '../support/clock.ts';
import { Emitter } from '../support/emitter.ts';
import type { Log } from '../support/log.ts';
import type { CarrierState } from './carrier.ts';
import type { BrokerFault } from './connection-faults.ts';

/** Pauses between attempts (our choice). Each is shortened at random by up to half, so that clients of one broker spread. */
const PAUSE: BackOff = { firstMs: 1_000, longestMs: 60_000 };
const SHORTENED_BY = 0.5;

/** Up for this long, a connection counts as good, in milliseconds (our choice). */
const STEADY_AFTER_MS = 30_000;

/** One connection, from its opening on. */
export interface OpenConnection {
  /** Resolves with the reason when it has ended, and never rejects. */
  readonly ended: Promise<BrokerFault>;
  /** Whether the broker still had the session of an earlier connection. */
  readonly resumed: boolean;
  close(): Promise<void>;
}

export interface LastingParts<C extends OpenConnection> {
  /** Leaves nothing open when it rejects. */
  readonly open: (signal: AbortSignal) => Promise<C>;
  readonly faultOf: (error: unknown) => BrokerFault;
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Longest pause between two attempts, in milliseconds, unless a person has to change something; a minute if left out. */
  readonly longestPauseMs?: number | undefined;
  /** Pause before the first attempt after a failure, in milliseconds; a second if left out. */
  readonly firstPauseMs?: number;
  readonly log: Log;
}

/** Connects from now on, until it is closed. */
export class LastingConnection<C extends OpenConnection> {
  readonly #parts: LastingParts<C>;
  readonly #states: Emitter<CarrierState>;
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;
  #state: CarrierState = { kind: 'connecting' };
  #connection: C | null = null;
  #failures = 0;

  constructor(parts: LastingParts<C>) {
    this.#parts = parts;
    this.#states = new Emitter(parts.log);
    this.#done = this.#run();
  }

  get state(): CarrierState {
    return this.#state;
  }

  /** Null without one, and once closing has begun. */
  get current(): C | null {
    return this.#closing.signal.aborted ? null : this.#connection;
  }

  subscribeState(listener: (state: CarrierState) => void): () => void {
    return this.#states.subscribe(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The carrier was closed'));
    await this.#connection?.close();
    await this.#done;
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    // The owner subscribes to the state first.
    await Promise.resolve();
    while (!signal.aborted) {
      this.#show({ kind: 'connecting' });
      const fault = await this.#once(signal);
      if (!signal.aborted) {
        await this.#pause(fault, signal);
      }
    }
    this.#show({ kind: 'closed' });
  }

  async #once(signal: AbortSignal): Promise<BrokerFault> {
    const { clock } = this.#parts;
    try {
      const connection = await this.#parts.open(signal);
      const since = clock.monotonic();
      if (signal.aborted) {
        // Closing began while it was opened, and did not see it.
        await connection.close();
      } else {
        this.#connection = connection;
        this.#show({ kind: 'connected', resumed: connection.resumed });
      }
      const fault = await connection.ended;
      if (clock.monotonic() - since >= STEADY_AFTER_MS) {
        this.#failures = 0;
      }
      return fault;
    } catch (error) {
      return this.#parts.faultOf(error);
    } finally {
      this.#connection = null;
    }
  }

  async #pause({ reason, isLasting, isTakenOver }: BrokerFault, signal: AbortSignal): Promise<void> {
    const { clock, random, firstPauseMs: firstMs, longestPauseMs: longestMs } = this.#parts;
    this.#failures += 1;
    const backOff = { firstMs: firstMs ?? PAUSE.firstMs, longestMs: longestMs ?? PAUSE.longestMs };
    const wholeMs = isLasting ? PAUSE.longestMs : backOffMs(this.#failures, backOff);
    const pauseMs = Math.round(wholeMs * (1 - SHORTENED_BY * random()));
    const takenOver = isTakenOver === true ? { isTakenOver } : {};
    this.#show({ kind: 'waiting', reason, retryInMs: pauseMs, ...takenOver });
    await delay(clock, pauseMs, signal).catch(() => {});
  }

  #show(state: CarrierState): void {
    this.#state = state;
    this.#states.emit(state);
  }
}
