// The OAuth callback on this machine: a small server on exactly the redirect URI, open only while a link attempt waits.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type CancelTimer, type Clock, delay } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { createServer } from '../support/node-http.ts';
import type { LinkCallback } from './link-callback.ts';
import { LINK_TIMEOUT_MS } from './link-machine.ts';

/** Addresses of this machine by the name in a redirect URI. A browser may try either of the two that `localhost` has. */
const HOSTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['127.0.0.1', ['127.0.0.1']],
  ['[::1]', ['::1']],
  ['localhost', ['127.0.0.1', '::1']],
]);

/** The server stays open this long after the linking, for a browser that loads the page again, in milliseconds (our choice). */
const LINGER_MS = 30_000;

/** A redirected browser fetches its page within this time, in milliseconds: the end of this process waits for that. */
const LAST_PAGE_MS = 2_000;

/** A browser sends its head at once; all our own are below 2 kB, but a code may be long. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 1_000,
  maxHeaderSize: 16_384,
};
const MOST_CONNECTIONS = 16;

export class LocalCallback {
  readonly #parts;
  readonly #url: URL;
  #servers: readonly Server[] = [];
  /** Opening is in progress: further callers wait for the same servers. */
  #opening: Promise<void> | null = null;
  #closeTimer: CancelTimer | null = null;
  /** A browser was sent on at that monotonic time, and has not fetched its page; aborted when it has. */
  #sentOn: { readonly at: number; readonly shown: AbortController } | null = null;
  #closed = false;

  constructor(parts: {
    readonly callback: LinkCallback;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    this.#parts = parts;
    this.#url = new URL(parts.callback.redirectUri);
  }

  /** Opens it for one linking. False when the redirect URI does not lead to this machine, or its port is taken. */
  async open(): Promise<boolean> {
    if (this.#servers.length === 0 && !this.#closed) {
      this.#opening ??= this.#openServers();
      await this.#opening;
    }
    this.#closeAfter(LINK_TIMEOUT_MS + LINGER_MS);
    return this.#servers.length > 0;
  }

  /** The linking ended: nothing is waited for any more. */
  ended(): void {
    this.#closeAfter(LINGER_MS);
  }

  /** Lets a browser fetch the page that it was sent to, for a moment, then closes. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening;
    await this.#lastPage();
    this.#shut();
  }

  async #openServers(): Promise<void> {
    const hosts = this.#url.protocol === 'http:' ? (HOSTS.get(this.#url.hostname) ?? []) : [];
    const servers = await Promise.all(hosts.map(async (host) => this.#listen(host)));
    this.#servers = servers.filter((server) => server !== null);
    this.#opening = null;
    if (this.#closed) {
      this.#shut();
    }
  }

  async #lastPage(): Promise<void> {
    const { clock } = this.#parts;
    const sentOn = this.#sentOn;
    const restMs = sentOn === null ? 0 : sentOn.at + LAST_PAGE_MS - clock.monotonic();
    if (restMs > 0) {
      // Cut short when it has its page.
      await delay(clock, restMs, sentOn?.shown.signal).catch(() => {});
    }
  }

  #closeAfter(ms: number): void {
    this.#closeTimer?.();
    this.#closeTimer = this.#servers.length === 0 ? null : this.#parts.clock.after(ms, () => this.#shut());
  }

  #shut(): void {
    this.#closeTimer?.();
    this.#closeTimer = null;
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
    this.#servers = [];
  }

  async #listen(host: string): Promise<Server | null> {
    const server = createServer(LIMITS, (request, response) => void this.#serve(request, response));
    server.maxConnections = MOST_CONNECTIONS;
    const { promise, resolve } = Promise.withResolvers<Server | null>();
    server.once('error', (error) => {
      this.#parts.log.debug(`The browser cannot come back to ${host} by itself: ${messageOf(error)}`);
      resolve(null);
    });
    server.listen(Number(this.#url.port || '80'), host, () => resolve(server));
    return promise;
  }

  async #serve({ method, url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('connection', 'close');
    const [path] = url.split('?', 1);
    // A foreign name that resolves to this machine is not ours, and nothing but the registered path is here.
    if (headers.host !== this.#url.host) {
      response.writeHead(421).end();
    } else if (path !== this.#url.pathname) {
      response.writeHead(404).end();
    } else if (method !== 'GET') {
      response.writeHead(405, { allow: 'GET' }).end();
    } else {
      await this.#answer(url, response);
    }
  }

  async #answer(target: string, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await this.#parts.callback.answer(target);
    if (status === 303) {
      this.#sentOn = { at: this.#parts.clock.monotonic(), shown: new AbortController() };
    }
    response.writeHead(status, headers).end(body, () => {
      if (status !== 303) {
        this.#sentOn?.shown.abort();
        this.#sentOn = null;
      }
    });
  }
}
