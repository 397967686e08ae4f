// An HTTP server for untrusted clients, with limits on connections, on time, and on unanswered or unread responses.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { type CancelTimer, type Clock, systemClock } from '../clock.ts';
import { createServer } from '../node-http.ts';

export interface GuardedServerLimits {
  /** Contents of PEM files; null for plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly mostConnections: number;
  /** Deadline of a complete request or TLS handshake. An inactive connection gets twice as long. */
  readonly slowestRequestMs: number;
  readonly idleMs: number;
  readonly largestHeadersBytes: number;
  /** A connection was cut because its client kept sending requests without reading the answers. */
  readonly onCut: () => void;
  /** Clock of the request deadlines; the machine's own by default. */
  readonly clock?: Pick<Clock, 'after'>;
}

/** One connection, by the socket it was opened on; under TLS another socket carries the requests. */
interface Connection {
  readonly opened: Socket;
  /** The response to the last request that was passed on; null before there was one. */
  latest: ServerResponse | null;
  /** Requests that came before that response was delivered. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
  timeout: CancelTimer | null;
}

/** Node's error code for a request that did not arrive in time. */
const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Requests of one connection that wait for the answers before them, and the sum of their bodies (our choice): a client that sends
 * many at once may have some in transit, and one that sends more does not read.
 */
const MOST_WAITING = 32;
const MOST_WAITING_BYTES = 256 * 1_024;

/** Time for the final bytes to reach the client, in milliseconds (our choice). */
const LAST_WORD_MS = 1_000;

/**
 * Limits connections; the caller answers requests, and vouches for connections that sent a valid one. At the limit, the
 * oldest connection without a voucher is closed, so that idle clients cannot block others.
 */
export class GuardedServer {
  readonly #limits: GuardedServerLimits;
  readonly #open = new Set<Connection>();
  /** Open connections without a voucher, the oldest first. */
  readonly #strangers = new Set<Connection>();
  /** Connections by the socket that carries their requests. */
  readonly #speaking = new WeakMap<Socket, Connection>();
  /** Passes a timeout to the server, as Node does. */
  #tooSlow: (socket: Socket) => void = () => {};
  /** Null before `serve`, and without TLS. */
  #secure: SecureServer | null = null;

  constructor(limits: GuardedServerLimits) {
    this.#limits = limits;
  }

  /** Creates the server, to be listened on once. Throws Node's error for an unusable certificate. */
  serve(answer: RequestListener): Server {
    const { tls, slowestRequestMs, idleMs, largestHeadersBytes } = this.#limits;
    // Node checks for slow requests every 30 s; a shorter interval would wake an idle machine. Deadlines of untrusted
    // clients are timed per connection.
    const options = {
      headersTimeout: slowestRequestMs,
      requestTimeout: slowestRequestMs,
      keepAliveTimeout: idleMs,
      maxHeaderSize: largestHeadersBytes,
      // Node would answer requests without a host itself, past every limit below.
      requireHostHeader: false,
    };
    const guarded: RequestListener = (request, response) => this.#inTurn(request, response, answer);
    this.#secure =
      tls === null
        ? null
        : createSecureServer({ ...options, ...tls, handshakeTimeout: slowestRequestMs }, guarded);
    const server = this.#secure ?? createServer(options, guarded);
    // Without a listener, Node would answer these itself, too.
    server.on('checkExpectation', guarded);
    this.#tooSlow = (socket) => {
      server.emit(
        'clientError',
        Object.assign(new Error('The request is too slow'), { code: TOO_SLOW }),
        socket,
      );
    };
    server.on('connection', (socket: Socket) => this.#take(socket, tls === null));
    server.on('secureConnection', (socket: Socket) => this.#join(socket));
    server.setTimeout(2 * slowestRequestMs, (socket: Socket) => this.#closeIdle(socket));
    return server;
  }

  /**
   * Replaces the certificate for new connections; open ones stay as they are. Throws Node's error for an unusable one,
   * and keeps the former.
   */
  renew(tls: { readonly cert: string; readonly key: string }): void {
    this.#secure?.setSecureContext(tls);
  }

  /** Marks a connection that sent a valid request: it is no longer closed to free a slot. */
  vouchFor(socket: Socket): void {
    const connection = this.#speaking.get(socket);
    if (connection !== undefined) {
      this.#strangers.delete(connection);
    }
  }

  /** Ends a connection with these final bytes, unless the TLS handshake is incomplete; in any case soon. */
  end(socket: Socket, lastWord: string): void {
    if (!this.#speaking.has(socket)) {
      socket.destroy();
      return;
    }
    socket.setTimeout(LAST_WORD_MS);
    socket.end(lastWord, () => socket.destroy());
  }

  /** Cuts every connection, also during a TLS handshake. */
  cutAll(): void {
    for (const connection of this.#open) {
      this.#cut(connection);
    }
  }

  #take(opened: Socket, isPlain: boolean): void {
    const connection: Connection = { opened, latest: null, waiting: [], timeout: null };
    this.#open.add(connection);
    this.#strangers.add(connection);
    opened.once('close', () => this.#forget(connection));
    if (isPlain) {
      this.#mayBegin(opened, connection);
    }
    // The newest connection has no voucher either.
    const [oldest] = this.#strangers;
    if (this.#open.size > this.#limits.mostConnections && oldest !== undefined) {
      this.#cut(oldest);
    }
  }

  /** Called after the TLS handshake; both sockets of a connection have the same remote address and port. */
  #join(secured: Socket): void {
    const { remoteAddress, remotePort } = secured;
    for (const connection of this.#open) {
      const { opened } = connection;
      if (opened.remotePort === remotePort && opened.remoteAddress === remoteAddress) {
        this.#mayBegin(secured, connection);
        return;
      }
    }
    secured.destroy();
  }

  /** Requests are accepted from now on, the first with its deadline. */
  #mayBegin(socket: Socket, connection: Connection): void {
    this.#speaking.set(socket, connection);
    this.#expect(socket, connection);
  }

  #expect(socket: Socket, connection: Connection): void {
    connection.timeout ??= (this.#limits.clock ?? systemClock).after(this.#limits.slowestRequestMs, () =>
      this.#tooSlow(socket),
    );
  }

  /** The head of a request has arrived; its body has a deadline, too, unless the answer comes first. */
  #waitForBody(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#speaking.get(request.socket);
    if (connection === undefined) {
      return;
    }
    const arrived = (): void => {
      connection.timeout?.();
      connection.timeout = null;
    };
    if (!hasBody(request)) {
      // The request is never read to its end, and its response may stay open for hours, as an event stream does.
      arrived();
      return;
    }
    this.#expect(request.socket, connection);
    request.once('end', arrived);
    response.once('close', arrived);
  }

  /** Requests of one connection are answered one after the other, also those that came in one go. */
  #inTurn(request: IncomingMessage, response: ServerResponse, answer: RequestListener): void {
    const connection = this.#speaking.get(request.socket);
    if (connection === undefined || !this.#open.has(connection)) {
      return;
    }
    const { latest, waiting } = connection;
    if (latest === null || latest.closed) {
      this.#pass(connection, [request, response], answer);
      return;
    }
    const bytes = [...waiting.map(([earlier]) => earlier), request].map(bodyBytes);
    if (bytes.length > MOST_WAITING || bytes.reduce((sum, each) => sum + each) > MOST_WAITING_BYTES) {
      this.#cut(connection);
      this.#limits.onCut();
      return;
    }
    waiting.push([request, response]);
  }

  #pass(
    connection: Connection,
    [request, response]: readonly [IncomingMessage, ServerResponse],
    answer: RequestListener,
  ): void {
    connection.latest = response;
    response.once('close', () => {
      const next = this.#open.has(connection) ? connection.waiting.shift() : undefined;
      if (next !== undefined) {
        this.#pass(connection, next, answer);
      }
    });
    this.#waitForBody(request, response);
    answer(request, response);
  }

  /** After long inactivity, a connection may stay only while its answer is still pending. */
  #closeIdle(socket: Socket): void {
    const isOurTurn = this.#speaking.get(socket)?.latest?.writableEnded === false;
    if (!isOurTurn || socket.writableLength > 0) {
      socket.destroy();
    }
  }

  #cut(connection: Connection): void {
    this.#forget(connection);
    connection.opened.destroy();
  }

  #forget(connection: Connection): void {
    connection.timeout?.();
    this.#open.delete(connection);
    this.#strangers.delete(connection);
  }
}

/** The length of the body as its head names it; the largest that may wait where it names none. */
function bodyBytes({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : MOST_WAITING_BYTES / 4;
}

/** Whether a body follows the head (RFC 9112, 6). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
