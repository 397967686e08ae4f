// HTTP to one origin of the service: a deadline per call, a size limit, no redirects, a fresh connection for commands.
import { type Dispatcher, Pool } from 'undici';
import type { Clock } from '../support/clock.ts';
import type { Headers } from '../wire/endpoints.ts';
import { Exchange, type HeadListener, type HttpOutcome } from './exchange.ts';
import { FreshConnections } from './fresh-connections.ts';
import { type ServiceAddress, serviceAddress } from './service-address.ts';

export interface HttpClientSettings {
  /** `https://host/path`; every request stays below it. */
  readonly baseUrl: string;
  /** Plain http is then taken for a host of this machine: for the simulator. */
  readonly allowInsecureLoopback: boolean;
  readonly clock: Clock;
  readonly onHead?: HeadListener;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base address, beginning with a slash. */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string;
  /** Gives up after this long; the default is `ANSWER_WITHIN_MS`. */
  readonly deadlineMs?: number;
  /** The request is sent within this time or not at all; the default is the deadline. */
  readonly startWithinMs?: number;
  /** Called right before the first byte is sent: when it throws, nothing is sent, and the error is the cause. */
  readonly beforeLeaving?: () => void;
  /** Awaited while the connection opens: when it rejects, nothing is sent, and the error is the cause. */
  readonly notBefore?: Promise<unknown>;
  /**
   * True for requests that must not be repeated: they use a connection that carried nothing before, which the service
   * cannot just have closed for being idle (faults#78). It costs one or two round trips unless one was opened ahead.
   */
  readonly ownConnection?: boolean;
}

/** The slowest answer that we plan for takes 30 s (faults#31), and a command is given up after 35 s. */
const ANSWER_WITHIN_MS = 32_000;

/** No answer of the service comes near it: 1,000 locks take 0.5 MB (faults#74). Applies to bytes on the wire and unpacked. */
const LARGEST_ANSWER_BYTES = 5 * 1024 * 1024;

/** A call fails without a connection after this long (our choice), well before a read is given up. */
const CONNECTS_WITHIN_MS = 15_000;

/** After a bad certificate the service is not called for this long (faults#72). */
const DISTRUST_MS = 60_000;

/** Connections that reads share (our choice): one listing and a few read-backs at a time. */
const SHARED_CONNECTIONS = 8;

/**
 * An idle shared connection is reused within this time only: enough for successive read-backs, and less than common servers
 * keep one (Node: 5 s), even when the server claims more.
 */
const IDLE_REUSE_MS = 4_000;

/** Deadlines are ours, by the injected clock; HTTP/2 would hide which requests were written. */
const SETTINGS = {
  headersTimeout: 0,
  bodyTimeout: 0,
  allowH2: false,
  connect: { allowH2: false, timeout: CONNECTS_WITHIN_MS },
} as const;

export class HttpClient {
  readonly #address: ServiceAddress;
  readonly #clock: Clock;
  readonly #onHead: HeadListener;
  readonly #shared: Pool;
  readonly #fresh: FreshConnections;
  readonly #running = new Set<Exchange>();
  #distrustedUntil = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** Throws a final error when the address may not be called. */
  constructor({ baseUrl, allowInsecureLoopback, clock, onHead }: HttpClientSettings) {
    this.#address = serviceAddress(baseUrl, allowInsecureLoopback);
    this.#clock = clock;
    this.#onHead = onHead ?? (() => {});
    const { origin } = this.#address;
    this.#fresh = new FreshConnections({ origin, settings: SETTINGS, clock });
    this.#shared = new Pool(origin, {
      ...SETTINGS,
      connections: SHARED_CONNECTIONS,
      keepAliveTimeout: IDLE_REUSE_MS,
      keepAliveMaxTimeout: IDLE_REUSE_MS,
    });
  }

  /** Sends one request, once. Never rejects: the outcome names the failure, and how far the request got. */
  async send(request: HttpRequest): Promise<HttpOutcome> {
    const deadlineMs = request.deadlineMs ?? ANSWER_WITHIN_MS;
    const exchange = new Exchange(
      this.#clock,
      {
        deadlineMs,
        startWithinMs: request.startWithinMs ?? deadlineMs,
        maxBytes: LARGEST_ANSWER_BYTES,
        beforeLeaving: request.beforeLeaving ?? (() => {}),
      },
      this.#onHead,
    );
    if (this.#closed || this.#clock.monotonic() < this.#distrustedUntil) {
      exchange.abandon(this.#closed ? 'closed' : 'distrusted');
      return exchange.outcome;
    }
    this.#running.add(exchange);
    const options = this.#dispatchOptions(request);
    if (request.ownConnection === true) {
      await this.#sendAlone(request, options, exchange);
    } else {
      this.#shared.dispatch(options, exchange);
    }
    const outcome = await exchange.outcome;
    this.#running.delete(exchange);
    if (outcome.kind === 'failure' && outcome.why === 'distrusted') {
      this.#distrustedUntil = this.#clock.monotonic() + DISTRUST_MS;
    }
    return outcome;
  }

  /** Ends pending calls as if their deadline had passed, and every later call at once. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const exchange of this.#running) {
      exchange.abandon('closed');
    }
    this.#fresh.close();
    await this.#shared.destroy();
  }

  async #sendAlone(
    { notBefore }: HttpRequest,
    options: Dispatcher.DispatchOptions,
    exchange: Exchange,
  ): Promise<void> {
    const connection = this.#fresh.take();
    try {
      await notBefore;
      await connection.examined();
    } catch (error) {
      exchange.abandon(
        'cancelledBeforeSend',
        error instanceof Error ? error : new Error('The call was cancelled before it was sent'),
      );
    }
    if (!exchange.isOver) {
      connection.dispatch(options, exchange);
    }
    const outcome = await exchange.outcome;
    // The caller continues before the connection is closed and the next one opened.
    setImmediate(() => {
      connection.end();
      if (outcome.kind === 'answer' && !this.#closed) {
        this.#fresh.openAhead();
      }
    });
  }

  #dispatchOptions(request: HttpRequest): Dispatcher.DispatchOptions {
    return {
      origin: this.#address.origin,
      method: request.method,
      path: this.#address.basePath + request.path,
      // Compressed answers could be bombs, and are never worth it here (faults#74). One that comes all the same is unpacked.
      headers: { accept: 'application/json', 'accept-encoding': 'identity', ...request.headers },
      body: request.body ?? null,
      reset: request.ownConnection === true,
    };
  }
}
