// Connections for requests that must not be repeated: each carries one request, and one may be opened ahead.
import { buildConnector, Client, type Dispatcher } from 'undici';
import type { CancelTimer, Clock } from '../support/clock.ts';

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>;

/**
 * An unused connection is kept this long, in milliseconds (our choice). Common servers allow a connection without a
 * first request 10 s and more before they close it.
 */
const KEPT_UNUSED_MS = 4_000;

export interface FreshConnectionsParts {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly settings: Client.Options & { readonly connect: buildConnector.BuildOptions };
  readonly clock: Clock;
}

/** One connection for one request, opening from now on. One that was lost before it was used is opened again. */
class FreshConnection implements Pick<Dispatcher, 'dispatch'> {
  readonly #client: Client;
  readonly #open: buildConnector.connector;
  /** Open and unused. */
  #unused: Socket | null = null;
  #isOpening = true;
  /** The client waits for the connection that is opening. */
  #deliver: buildConnector.Callback | null = null;
  #hasEnded = false;

  constructor(origin: string, settings: FreshConnectionsParts['settings']) {
    this.#open = buildConnector(settings.connect);
    this.#client = new Client(origin, {
      ...settings,
      connect: (target, callback) => {
        this.#connect(target, callback);
      },
    });
    const { protocol, host, hostname, port } = new URL(origin);
    // Node takes an IPv6 address without its brackets.
    this.#open({ protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port }, (...outcome) => {
      this.#opened(outcome);
    });
  }

  /** Resolves when a close or reset of an open connection that has arrived by now was noticed. */
  async examined(): Promise<void> {
    // Arrivals are read in the next turn of the event loop; this turn may be past that point.
    for (let turn = 0; this.#unused !== null && turn < 2; turn += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#client.dispatch(options, handler);
  }

  end(): void {
    this.#hasEnded = true;
    this.#unused?.destroy();
    void this.#client.destroy();
  }

  #opened(outcome: Parameters<buildConnector.Callback>): void {
    this.#isOpening = false;
    // A failure comes without a socket: undefined, though undici's types promise null. The request opens another.
    const [error, socket] = outcome;
    if (this.#deliver !== null) {
      this.#deliver(...outcome);
    } else if (error === null && this.#hasEnded) {
      socket.destroy();
    } else if (error === null) {
      this.#unused = socket.on('readable', this.#spoil).on('close', this.#spoil);
    }
  }

  /** The other side closed it, or spoke unasked: the request needs a new connection. */
  readonly #spoil = (): void => {
    this.#unused?.destroy();
    this.#unused = null;
  };

  #connect(target: buildConnector.Options, callback: buildConnector.Callback): void {
    const socket = this.#unused?.off('readable', this.#spoil).off('close', this.#spoil) ?? null;
    this.#unused = null;
    if (this.#isOpening) {
      this.#deliver = callback;
    } else if (socket === null || socket.destroyed) {
      this.#open(target, callback);
    } else {
      // undici ignores a connection that is there before this call returns.
      queueMicrotask(() => {
        callback(null, socket);
      });
    }
  }
}

export class FreshConnections {
  readonly #parts: FreshConnectionsParts;
  #ahead: FreshConnection | null = null;
  #cancelExpiry: CancelTimer = () => {};

  constructor(parts: FreshConnectionsParts) {
    this.#parts = parts;
  }

  /** A connection for one request: the one opened ahead, or one that opens from now on. */
  take(): FreshConnection {
    const ahead = this.#ahead;
    this.#ahead = null;
    this.#cancelExpiry();
    return ahead ?? this.#open();
  }

  /** Opens one ahead: after one bolt a person often moves another. */
  openAhead(): void {
    if (this.#ahead === null) {
      this.#ahead = this.#open();
      this.#cancelExpiry = this.#parts.clock.after(KEPT_UNUSED_MS, () => {
        this.close();
      });
    }
  }

  close(): void {
    this.#cancelExpiry();
    this.#ahead?.end();
    this.#ahead = null;
  }

  #open(): FreshConnection {
    return new FreshConnection(this.#parts.origin, this.#parts.settings);
  }
}
