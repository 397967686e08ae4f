// Connections for what must not be repeated: each carries one request and none before it, and one may wait for the next.
import type { buildConnector, Dispatcher, Client as UndiciClient } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import type { CancelTimer, Clock } from '../support/clock.ts';

type Connector = buildConnector.connector;
type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>;

/** Why a client ends. Made once: its stack would cost more than the sending of a command. */
const SPENT = new Error('The one exchange of this connection is over');

/**
 * A connection that waits is used within this time or not at all, in milliseconds (our choice). Common servers allow one
 * that has asked nothing yet 10 s and more before they close it.
 */
const WAITS_AT_MOST_MS = 4_000;

export interface FreshConnectionsParts {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connect: Connector;
  readonly settings: UndiciClient.Options;
  readonly clock: Clock;
}

/** One connection for one request: being opened, or open and never used until then. */
class FreshConnection implements Pick<Dispatcher, 'dispatch'> {
  /** Made before it is needed, as the connection is. */
  readonly #client: Client;
  readonly #open: (callback: buildConnector.Callback) => void;
  #socket: Socket | null = null;
  #failure: Error | null = null;
  #over = false;
  /** Whoever asked for the socket before it was open. */
  #taker: buildConnector.Callback | null = null;
  #stopWaiting: CancelTimer = () => {};

  constructor(
    { origin, settings }: Pick<FreshConnectionsParts, 'origin' | 'settings'>,
    open: (callback: buildConnector.Callback) => void,
  ) {
    this.#open = open;
    this.#client = new Client(origin, {
      ...settings,
      connect: (_target, callback) => {
        this.#give(callback);
      },
    });
    open((...outcome) => {
      this.#opened(...outcome);
    });
  }

  /** It failed, was ended or was lost, and cannot be used. */
  get isOver(): boolean {
    return this.#over;
  }

  /** Ends by itself unless it is taken soon. */
  wait(clock: Clock): void {
    this.#stopWaiting = clock.after(WAITS_AT_MOST_MS, () => {
      this.end();
    });
  }

  stopWaiting(): void {
    this.#stopWaiting();
  }

  /** Resolves when it is known what the other side has done so far with one that is open: it may have been closed since. */
  async examined(): Promise<void> {
    // What came in is heard in the next turn of the event loop; this one may have been past that point.
    for (let turn = 0; this.#socket !== null && turn < 2; turn += 1) {
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
    this.#lose();
    // Nobody waits for the connection to go.
    void this.#client.destroy(SPENT);
  }

  /** Gives the socket away, to be used at once, or a new one when it was lost before; or the reason why there is none. */
  #give(callback: buildConnector.Callback): void {
    const { failure, socket } = { failure: this.#failure, socket: this.#socket };
    if (failure !== null) {
      queueMicrotask(() => {
        callback(failure, null);
      });
    } else if (this.#over) {
      this.#open(callback);
    } else if (socket === null) {
      this.#taker = callback;
    } else {
      this.#over = true;
      this.#socket = null;
      socket.removeListener('readable', this.#lose).removeListener('close', this.#lose).ref();
      queueMicrotask(() => {
        callback(null, socket);
      });
    }
  }

  readonly #lose = (): void => {
    this.#over = true;
    this.#stopWaiting();
    this.#socket?.destroy();
  };

  #opened(...outcome: Parameters<buildConnector.Callback>): void {
    const [error, socket] = outcome;
    if (error !== null) {
      this.#failure = error;
      this.#over = true;
      this.#stopWaiting();
    }
    if (this.#taker !== null) {
      this.#over = true;
      this.#taker(...outcome);
    } else if (this.#over) {
      socket?.destroy();
    } else if (socket !== null) {
      this.#socket = socket;
      this.#watch(socket);
    }
  }

  /** Whoever speaks before being asked, or hangs up, spoils it: an answer to nothing could be taken for ours. */
  #watch(socket: Socket): void {
    socket.on('readable', this.#lose).on('close', this.#lose);
    // A connection that waits keeps no process alive.
    socket.unref();
  }
}

export class FreshConnections {
  readonly #parts: FreshConnectionsParts;
  readonly #target: buildConnector.Options;
  #waiting: FreshConnection | null = null;

  constructor(parts: FreshConnectionsParts) {
    const { protocol, hostname, host, port } = new URL(parts.origin);
    // Only in addresses do brackets stand around IPv6.
    this.#target = { protocol, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), host, port };
    this.#parts = parts;
  }

  /** A connection for one request, opening from now on unless one was waiting. */
  take(): FreshConnection {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.stopWaiting();
    return waiting === null || waiting.isOver ? this.#open() : waiting;
  }

  /** Has one wait for a moment: whoever has just moved one bolt often moves another. */
  keepOne(): void {
    if (this.#waiting === null || this.#waiting.isOver) {
      this.#waiting = this.#open();
      this.#waiting.wait(this.#parts.clock);
    }
  }

  close(): void {
    this.#waiting?.end();
    this.#waiting = null;
  }

  #open(): FreshConnection {
    return new FreshConnection(this.#parts, (callback) => {
      this.#parts.connect(this.#target, callback);
    });
  }
}
