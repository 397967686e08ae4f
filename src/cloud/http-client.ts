// HTTP to one origin of the service: a deadline per call, a size cap, no redirects, and commands on their own connection.
import type { Dispatcher, buildConnector as UndiciConnector } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Clock } from '../support/clock.ts';
import type { Headers } from '../wire/endpoints.ts';
import { Exchange, type HeadListener, type HttpOutcome } from './exchange.ts';
import { FreshConnections } from './fresh-connections.ts';
import { type ServiceAddress, serviceAddress } from './service-address.ts';

type Connector = UndiciConnector.connector;

export interface HttpClientSettings {
  /** `https://host/path`; every request stays below it. */
  readonly baseUrl: string;
  /** Plain http is then taken for a host of this machine: for the simulator. */
  readonly allowInsecureLoopback: boolean;
  readonly clock: Clock;
  /** Hears of every answer's head. */
  readonly onHead?: HeadListener;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base address, beginning with a slash. */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string;
  /** Gives up after this long; the default is `ANSWER_WITHIN_MS`. */
  readonly deadlineMs?: number;
  /** The request leaves within this time or not at all; the default is the deadline. */
  readonly startWithinMs?: number;
  /** Called at the very last moment before the first byte leaves: when it throws, nothing does, and that is the cause. */
  readonly beforeLeaving?: () => void;
  /** Awaited before anything leaves, while its own connection opens: when it rejects, nothing does, and that is the cause. */
  readonly notBefore?: Promise<unknown>;
  /**
   * True: on a connection of its own that has carried nothing before, which the service cannot just have closed for
   * being idle after an answer (faults#78). It costs one or two round trips, unless one such request has just been
   * answered, and is therefore for what must not be repeated.
   */
  readonly ownConnection?: boolean;
}

/** The slowest answer that we plan for takes 30 s (faults#31), and a command is given up after 35 s. */
const ANSWER_WITHIN_MS = 32_000;

/** No answer of the service comes near it: 1,000 locks take 0.5 MB (faults#74). Applies to bytes on the wire. */
const LARGEST_ANSWER_BYTES = 5 * 1024 * 1024;

/**
 * Whoever has no connection after this long is told so, in milliseconds: long before a read is given up, and longer than a
 * quiet process sleeps, because a timer that is called off still wakes it when none is due before (our choice).
 */
const CONNECTS_WITHIN_MS = 15_000;

/** A bad certificate does not get better soon, and is not asked for again before (faults#72). */
const DISTRUST_MS = 60_000;

/** Reads wait for one of these connections (our choice): one listing and a few read-backs at a time. */
const SHARED_CONNECTIONS = 8;

/**
 * An idle shared connection is used again within this time only: enough for read-backs that follow each other, and less
 * than the shortest common patience of a server (Node's own: 5 s), whatever the server claims.
 */
const IDLE_REUSE_MS = 4_000;

/** Deadlines are ours, by the injected clock; HTTP/2 would hide which requests were written. */
const WITHOUT_OWN_TIMERS = { headersTimeout: 0, bodyTimeout: 0, allowH2: false } as const;

/** Opens connections, or fails in time. undici's own timer would wake the process once more after each connection. */
function connectorWithin(withinMs: number, clock: Clock): Connector {
  const open = buildConnector({ allowH2: false, timeout: 0 });
  return (target, callback) => {
    const socket = open(target, (...outcome) => {
      cancel();
      callback(...outcome);
    });
    const cancel = clock.after(withinMs, () => {
      socket.destroy(new Error('No connection was made in time'));
    });
  };
}

export class HttpClient {
  readonly #address: ServiceAddress;
  readonly #clock: Clock;
  readonly #onHead: HeadListener;
  readonly #shared: Pool;
  readonly #fresh: FreshConnections;
  readonly #running = new Set<Exchange>();
  #distrustedUntil = Number.NEGATIVE_INFINITY;
  #lastSentAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** Throws a final error when the address may not be called. */
  constructor({ baseUrl, allowInsecureLoopback, clock, onHead }: HttpClientSettings) {
    this.#address = serviceAddress(baseUrl, allowInsecureLoopback);
    this.#clock = clock;
    this.#onHead = onHead ?? (() => {});
    const { origin } = this.#address;
    const connect = connectorWithin(CONNECTS_WITHIN_MS, clock);
    this.#fresh = new FreshConnections({ origin, settings: { ...WITHOUT_OWN_TIMERS, connect }, clock });
    this.#shared = new Pool(origin, {
      ...WITHOUT_OWN_TIMERS,
      connect,
      connections: SHARED_CONNECTIONS,
      keepAliveTimeout: IDLE_REUSE_MS,
      keepAliveMaxTimeout: IDLE_REUSE_MS,
    });
  }

  /** Sends one request, once. Never rejects: what went wrong, and how far it got, is the outcome. */
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
    const outcome =
      request.ownConnection === true
        ? await this.#sendAlone(request, options, exchange)
        : await this.#sendOn(this.#shared, options, exchange);
    this.#running.delete(exchange);
    if (outcome.kind === 'failure' && outcome.why === 'distrusted') {
      this.#distrustedUntil = this.#clock.monotonic() + DISTRUST_MS;
    }
    return outcome;
  }

  /** Ends what is under way as if its deadline had passed, and every later call at once. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const exchange of this.#running) {
      exchange.abandon('closed');
    }
    this.#fresh.close();
    await this.#shared.destroy();
  }

  async #sendOn(
    dispatcher: Pick<Dispatcher, 'dispatch'>,
    options: Dispatcher.DispatchOptions,
    exchange: Exchange,
  ): Promise<HttpOutcome> {
    dispatcher.dispatch(options, exchange);
    return exchange.outcome;
  }

  async #sendAlone(
    { notBefore }: HttpRequest,
    options: Dispatcher.DispatchOptions,
    exchange: Exchange,
  ): Promise<HttpOutcome> {
    const connection = this.#fresh.take();
    try {
      await notBefore;
      await connection.examined();
    } catch (error) {
      exchange.abandon(
        'cancelledBeforeSend',
        error instanceof Error ? error : new Error('The call was cancelledBeforeSend'),
      );
    }
    const outcome = exchange.isOver
      ? await exchange.outcome
      : await this.#sendOn(connection, options, exchange);
    // Whoever asked has the answer first.
    setImmediate(() => {
      connection.end();
      if (outcome.kind === 'answer' && !this.#closed) {
        this.#fresh.keepOne();
      }
    });
    return outcome;
  }

  #dispatchOptions(request: HttpRequest): Dispatcher.DispatchOptions {
    const now = this.#clock.monotonic();
    // Whoever has asked nothing for a while will ask nothing for a while: a connection kept open would only be closed later.
    const seldom = now - this.#lastSentAt >= IDLE_REUSE_MS;
    this.#lastSentAt = now;
    return {
      origin: this.#address.origin,
      method: request.method,
      path: this.#address.basePath + request.path,
      // Compressed answers could be bombs, and are never worth it here (faults#74).
      headers: { accept: 'application/json', 'accept-encoding': 'identity', ...request.headers },
      body: request.body ?? null,
      reset: request.ownConnection === true || seldom,
    };
  }
}
