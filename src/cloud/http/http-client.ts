// HTTP to one origin of the service: a deadline per call, a size limit, no redirects, a fresh connection for commands.
import { type Dispatcher, Pool } from 'undici';
import type { Clock } from '../../support/clock.ts';
import { Exchange, type HttpOutcome, type HttpRequest, LARGEST_ANSWER_BYTES } from './exchange.ts';
import { FreshConnections } from './fresh-connections.ts';
import { type ServiceAddress, serviceAddress } from './service-address.ts';
import type { ServiceTime } from './service-time.ts';

export interface HttpClientSettings {
  /** `https://host/path`; every request stays below it. */
  readonly baseUrl: string;
  /** Allows plain http to a host of this machine: for the simulator. */
  readonly allowInsecureLoopback: boolean;
  readonly clock: Clock;
  readonly serviceTime?: Pick<ServiceTime, 'observe'>;
}

/** A call fails without a connection after this long (our choice), well before a read is given up. */
const CONNECTS_WITHIN_MS = 15_000;

/** After a bad certificate the service is not called for this long (faults#72). */
const DISTRUST_MS = 60_000;

/** Connections that reads share (our choice): one listing and a few read-backs at a time. */
const SHARED_CONNECTIONS = 8;

/** An idle shared connection is reused within this time: common servers keep one a little longer (Node: 5 s). */
const IDLE_REUSE_MS = 4_000;

/** The deadlines are ours, by the injected clock; HTTP/2 would hide which requests were written. */
const SETTINGS = {
  maxResponseSize: LARGEST_ANSWER_BYTES,
  headersTimeout: 0,
  bodyTimeout: 0,
  allowH2: false,
  connect: { allowH2: false, timeout: CONNECTS_WITHIN_MS },
} as const;

export class HttpClient {
  readonly #address: ServiceAddress;
  readonly #clock: Clock;
  readonly #serviceTime: HttpClientSettings['serviceTime'];
  readonly #shared: Pool;
  readonly #fresh: FreshConnections;
  readonly #running = new Set<Exchange>();
  /** After a bad certificate: its error, and until when nothing is sent, in monotonic milliseconds. */
  #distrust: { readonly until: number; readonly cause: unknown } | null = null;
  #closed = false;

  /** Throws a final error when the address may not be called. */
  constructor({ baseUrl, allowInsecureLoopback, clock, serviceTime }: HttpClientSettings) {
    this.#address = serviceAddress(baseUrl, allowInsecureLoopback);
    this.#clock = clock;
    this.#serviceTime = serviceTime;
    const { origin } = this.#address;
    this.#fresh = new FreshConnections(origin, SETTINGS, clock);
    this.#shared = new Pool(origin, {
      ...SETTINGS,
      connections: SHARED_CONNECTIONS,
      keepAliveTimeout: IDLE_REUSE_MS,
      keepAliveMaxTimeout: IDLE_REUSE_MS,
    });
  }

  /** Sends one request, once. Never rejects: the outcome names the failure, and how far the request got. */
  async send(request: HttpRequest): Promise<HttpOutcome> {
    const exchange = new Exchange(this.#clock, request, this.#serviceTime);
    if (this.#closed) {
      exchange.abandon('closed');
      return exchange.outcome;
    }
    if (this.#distrust !== null && this.#clock.monotonic() < this.#distrust.until) {
      exchange.abandon('distrusted', this.#distrust.cause);
      return exchange.outcome;
    }
    this.#running.add(exchange);
    if (request.ownConnection === true) {
      await this.#sendAlone(request, exchange);
    } else {
      this.#shared.dispatch(this.#dispatchOptions(request), exchange);
    }
    const outcome = await exchange.outcome;
    this.#running.delete(exchange);
    if (outcome.kind === 'failure' && outcome.why === 'distrusted') {
      this.#distrust = { until: this.#clock.monotonic() + DISTRUST_MS, cause: outcome.cause };
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

  async #sendAlone(request: HttpRequest, exchange: Exchange): Promise<void> {
    const connection = this.#fresh.take();
    try {
      await request.notBefore;
      await connection.examined();
      connection.dispatch(this.#dispatchOptions(request), exchange);
    } catch (error) {
      exchange.abandon('cancelledBeforeSend', error);
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
