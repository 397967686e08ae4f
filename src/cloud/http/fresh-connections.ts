// Connections for requests that must not be repeated: each carries one request, and one may be opened ahead.
import { buildConnector, Client, type Dispatcher } from 'undici';
import type { CancelTimer, Clock } from '../../support/clock.ts';

/** An error, or an open socket. After an error the socket is undefined, though undici's types promise null. */
type Opened = Parameters<buildConnector.Callback>;

type Socket = NonNullable<Opened[1]>;

/** An unused connection is kept this long, in milliseconds (our choice): common servers allow 10 s and more. */
const KEPT_UNUSED_MS = 4_000;

type Settings = Client.Options & { readonly connect: buildConnector.BuildOptions };

/** One connection for one request, opening from now on. One that was lost before it was used is opened again. */
class FreshConnection implements Pick<Dispatcher, 'dispatch'> {
  readonly #client: Client;
  readonly #opening: Promise<Opened>;
  #opened: Opened | null = null;

  constructor(origin: string, settings: Settings) {
    const open = buildConnector(settings.connect);
    const { protocol, host, hostname, port } = new URL(origin);
    this.#opening = new Promise((resolve) => {
      // Node takes an IPv6 address without its brackets.
      open({ protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port }, (...opened) => {
        this.#opened = opened;
        opened[1]?.on('readable', spoil);
        resolve(opened);
      });
    });
    this.#client = new Client(origin, {
      ...settings,
      connect: (target, callback) => {
        const isLost = this.#opened !== null && this.#opened[1]?.destroyed !== false;
        if (isLost) {
          open(target, callback);
        } else {
          void this.#handOver(callback);
        }
      },
    });
  }

  /** Resolves when a close or reset of an open connection that has arrived by now was noticed. */
  async examined(): Promise<void> {
    // Arrivals are read in the next turn of the event loop; this turn may be past that point.
    for (let turn = 0; this.#opened !== null && turn < 2; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#client.dispatch(options, handler);
  }

  end(): void {
    void this.#client.destroy();
    void this.#handOver((_, socket) => socket?.destroy());
  }

  /** Never before it returns: undici ignores a connection that is there so early. */
  async #handOver(callback: buildConnector.Callback): Promise<void> {
    const opened = await this.#opening;
    opened[1]?.off('readable', spoil);
    callback(...opened);
  }
}

/** The other side closed an unused connection, or spoke unasked: the request needs a new one. */
function spoil(this: Socket): void {
  this.destroy();
}

export class FreshConnections {
  readonly #origin: string;
  readonly #settings: Settings;
  readonly #clock: Clock;
  #ahead: FreshConnection | null = null;
  #cancelExpiry: CancelTimer = () => {};

  constructor(origin: string, settings: Settings, clock: Clock) {
    this.#origin = origin;
    this.#settings = settings;
    this.#clock = clock;
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
      this.#cancelExpiry = this.#clock.after(KEPT_UNUSED_MS, () => this.close());
    }
  }

  close(): void {
    this.#cancelExpiry();
    this.#ahead?.end();
    this.#ahead = null;
  }

  #open(): FreshConnection {
    return new FreshConnection(this.#origin, this.#settings);
  }
}
