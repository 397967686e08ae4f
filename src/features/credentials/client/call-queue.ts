// Queues calls of the credentialing interface in order, and releases each when its operation's rate window allows.

import { message } from '../../../domain/language/message.ts';
import type { RateFacts } from '../../../domain/polling/rate-facts.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import { type Clock, delay } from '../../../support/clock.ts';
import { RetryError, WaitError } from '../../../support/errors.ts';
import type { CredentialOperation } from '../policy/credential.ts';
import type { RateWindowStore } from '../policy/ports.ts';
import { rateLimit } from './credential-endpoints.ts';
import type { CallOptions } from './credential-gateway.ts';

/** Permission to send one call. Exactly one method is called, unless the call may have arrived without an answer. */
export interface CallTicket {
  /** The service answered: its headers update the rate window. */
  answered(facts: RateFacts): void;
  /** The call was not sent at all. */
  cancelled(): void;
}

export class CallQueue {
  readonly #windows: RateWindowStore;
  readonly #clock: Clock;
  /** Settles with the ticket of the last queued call, by operation. */
  readonly #tails = new Map<CredentialOperation, Promise<void>>();
  /** End of the current wait of the first call in line, by operation. */
  readonly #waitingUntil = new Map<CredentialOperation, Instant>();

  constructor({ windows, clock }: { readonly windows: RateWindowStore; readonly clock: Clock }) {
    this.#windows = windows;
    this.#clock = clock;
  }

  /**
   * Resolves when the call may be sent. Rejects with `aborted` on the signal, with `rate-limited` when the wait would
   * exceed `longestWaitMs`, and with `storage-failed` when the windows cannot be read.
   */
  async take(operation: CredentialOperation, options: CallOptions): Promise<CallTicket> {
    this.#assertWaitAllowed(operation, this.#waitingUntil.get(operation), options);
    const previous = this.#tails.get(operation) ?? Promise.resolve();
    const { promise: taken, resolve: leave } = Promise.withResolvers<void>();
    this.#tails.set(
      operation,
      previous.then(async () => taken),
    );
    try {
      await unlessAborted(previous, options.signal);
      return await this.#reserve(operation, options);
    } finally {
      this.#waitingUntil.delete(operation);
      leave();
    }
  }

  /** The service refused a call of this operation: no process of this machine sends one for `waitMs`. */
  refused(operation: CredentialOperation, waitMs: number): void {
    this.#windows.refuse(operation, this.#clock.now() + waitMs);
  }

  async #reserve(operation: CredentialOperation, options: CallOptions): Promise<CallTicket> {
    for (;;) {
      assertWanted(options.signal);
      const now = this.#clock.now();
      const decision = this.#windows.reserve(operation, rateLimit(operation), now);
      if (decision.kind === 'go') {
        return this.#ticket(operation, decision.id);
      }
      const { until, why } = decision;
      this.#assertWaitAllowed(operation, until, options);
      this.#waitingUntil.set(operation, until);
      options.onWait?.({ operation, until, why });
      await unlessAborted(delay(this.#clock, until - now, options.signal), options.signal);
    }
  }

  #ticket(operation: CredentialOperation, id: number): CallTicket {
    return {
      answered: (facts) => this.#windows.answer(operation, id, this.#clock.now(), facts),
      cancelled: () => this.#windows.cancel(operation, id),
    };
  }

  #assertWaitAllowed(
    operation: CredentialOperation,
    until: Instant | undefined,
    { longestWaitMs }: CallOptions,
  ): void {
    const waitMs = (until ?? 0) - this.#clock.now();
    if (longestWaitMs !== undefined && waitMs > longestWaitMs) {
      throw new WaitError(
        'rate-limited',
        message('The limit of this minute is used up ({count} calls of this kind).', {
          count: rateLimit(operation),
        }),
        waitMs,
      );
    }
  }
}

function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw stopped();
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) {
    return work;
  }
  const done = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(stopped()), { once: true, signal: done.signal });
  });
  try {
    assertWanted(signal);
    await Promise.race([work, aborted]);
  } catch (error) {
    throw signal.aborted ? stopped() : error;
  } finally {
    done.abort();
  }
}

function stopped(): RetryError {
  return new RetryError('aborted', 'Stopped before the call was sent.');
}
