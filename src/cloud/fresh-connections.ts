// Connections for what must not be repeated: each carries one request and none before it, and one may wait for the next.
import type { Dispatcher, Client as UndiciClient } from 'undici';
import symbols from 'undici/lib/core/symbols.js';
import Client from 'undici/lib/dispatcher/client.js';
import type { CancelTimer, Clock } from '../support/clock.ts';

/** Why a client ends. Made once: its stack would cost more than the sending of a command. */
const SPENT = new Error('The one exchange of this connection is over');

/**
 * A connection that waits is used within this time or not at all, in milliseconds (our choice). Common servers allow one
 * that has asked nothing yet 10 s and more before they close it.
 */
const WAITS_AT_MOST_MS = 4_000;

/** Longer than any waits, in milliseconds: the clock that ends the waiting is ours. */
const KEPT_BY_UNDICI_MS = 60_000;

/**
 * One connection for one request, opening from now on. A client of its own keeps it: that hears of a connection which was
 * closed, or into which somebody spoke unasked, and then opens another one for the request.
 */
class FreshConnection implements Pick<Dispatcher, 'dispatch'> {
  readonly #client: Client;
  #isOpen = false;
  #stopWaiting: CancelTimer = () => {};

  constructor(origin: string, settings: UndiciClient.Options) {
    this.#client = new Client(origin, { ...settings, keepAliveTimeout: KEPT_BY_UNDICI_MS });
    this.#client[symbols.kConnect](() => {
      this.#isOpen = true;
    });
  }

  /** Ends by itself unless it is taken soon. */
  wait(clock: Clock, ended: () => void): void {
    this.#stopWaiting = clock.after(WAITS_AT_MOST_MS, () => {
      this.end();
      ended();
    });
  }

  stopWaiting(): void {
    this.#stopWaiting();
  }

  /** Resolves when it is known what the other side has done so far with one that is open: it may have been closed since. */
  async examined(): Promise<void> {
    // What came in is heard in the next turn of the event loop; this one may have been past that point.
    for (let turn = 0; this.#isOpen && turn < 2; turn += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  /** Sends its request: on what stands open, or on a new connection when that was lost before. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#client.dispatch(options, handler);
  }

  /** Ends it, used or not. */
  end(): void {
    this.stopWaiting();
    // Nobody waits for the connection to go.
    void this.#client.destroy(SPENT);
  }
}

export interface FreshConnectionsParts {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly settings: UndiciClient.Options;
  readonly clock: Clock;
}

export class FreshConnections {
  readonly #parts: FreshConnectionsParts;
  #waiting: FreshConnection | null = null;

  constructor(parts: FreshConnectionsParts) {
    this.#parts = parts;
  }

  /** A connection for one request, opening from now on unless one was waiting. */
  take(): FreshConnection {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.stopWaiting();
    return waiting ?? this.#open();
  }

  /** Has one wait for a moment: whoever has just moved one bolt often moves another. */
  keepOne(): void {
    if (this.#waiting === null) {
      this.#waiting = this.#open();
      this.#waiting.wait(this.#parts.clock, () => {
        this.#waiting = null;
      });
    }
  }

  close(): void {
    this.#waiting?.end();
    this.#waiting = null;
  }

  #open(): FreshConnection {
    return new FreshConnection(this.#parts.origin, this.#parts.settings);
  }
}
