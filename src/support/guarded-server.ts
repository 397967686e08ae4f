// An HTTP server for strangers: bounded in connections, in time, and in what one connection may leave unanswered or unread.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { type CancelTimer, type Clock, systemClock } from './clock.ts';

export interface GuardedServerLimits {
  /** Contents of PEM files; null for plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Connections at a time. */
  readonly mostConnections: number;
  /** How long a request, or the agreement on TLS, may take to arrive whole. A connection on which nothing moves has twice as long. */
  readonly slowestRequestMs: number;
  /** How long a connection is kept for the next request. */
  readonly idleMs: number;
  readonly largestHeadersBytes: number;
  /** A connection was cut because its sender went on asking without taking the answers. */
  readonly onCut: () => void;
  /** Times the requests; by default the machine's own. */
  readonly clock?: Pick<Clock, 'after'>;
}

/** One connection, by its socket as it was opened: under TLS another one carries the requests. */
interface Connection {
  readonly opened: Socket;
  /** To its last request and to the one before; null before there was one. */
  latest: ServerResponse | null;
  former: ServerResponse | null;
  /** Runs while a request is to arrive. */
  patience: CancelTimer | null;
}

/** What Node calls a request that did not arrive in time. */
const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/** How long the last word to a sender is waited for, in milliseconds (our choice). */
const LAST_WORD_MS = 1_000;

/**
 * Limits connections; the caller answers requests, and vouches for connections that brought a valid one. When it is full,
 * the oldest connection without a voucher makes room, so that idle strangers keep nobody out.
 */
export class GuardedServer {
  readonly #limits: GuardedServerLimits;
  readonly #open = new Set<Connection>();
  /** The open ones that are not vouched for, the oldest first. */
  readonly #strangers = new Set<Connection>();
  /** By the socket that carries its requests. */
  readonly #speaking = new WeakMap<Socket, Connection>();
  /** Tells the server of it, as Node does. */
  #tooSlow: (socket: Socket) => void = () => {};
  /** Null before it serves, and without TLS. */
  #secure: SecureServer | null = null;

  constructor(limits: GuardedServerLimits) {
    this.#limits = limits;
  }

  /** Makes the server, to be listened on once. Throws what Node throws when the certificate cannot be used. */
  serve(answer: RequestListener): Server {
    const { tls, slowestRequestMs, idleMs, largestHeadersBytes } = this.#limits;
    // Node looks for slow requests at its own pace, every 30 s: oftener would wake a machine to which nobody speaks. What
    // strangers may take is timed by each connection.
    const options = {
      headersTimeout: slowestRequestMs,
      requestTimeout: slowestRequestMs,
      keepAliveTimeout: idleMs,
      maxHeaderSize: largestHeadersBytes,
      // Node would refuse those without by itself, past every limit below.
      requireHostHeader: false,
    };
    const guarded: RequestListener = (request, response) => {
      if (this.#mayAsk(request.socket, response)) {
        this.#waitForPosition(request, response);
        answer(request, response);
      }
    };
    this.#secure =
      tls === null
        ? null
        : createSecureServer({ ...options, ...tls, handshakeTimeout: slowestRequestMs }, guarded);
    const server = this.#secure ?? createServer(options, guarded);
    // Unheard, Node would answer these by itself, too.
    server.on('checkExpectation', guarded);
    this.#tooSlow = (socket) => {
      server.emit(
        'clientError',
        Object.assign(new Error('The request is too slow'), { code: TOO_SLOW }),
        socket,
      );
    };
    server.on('connection', (socket: Socket) => {
      this.#take(socket, tls === null);
    });
    server.on('secureConnection', (socket: Socket) => {
      this.#join(socket);
    });
    server.setTimeout(2 * slowestRequestMs, (socket: Socket) => {
      this.#look(socket);
    });
    return server;
  }

  /**
   * New connections get this certificate; connections that are open stay as they are. Throws what Node
   * throws when it cannot be used; then the former stays.
   */
  renew(tls: { readonly cert: string; readonly key: string }): void {
    this.#secure?.setSecureContext(tls);
  }

  /** That connection brought something genuine: it is no longer cut to make room. */
  vouchFor(socket: Socket): void {
    const connection = this.#speaking.get(socket);
    if (connection !== undefined) {
      this.#strangers.delete(connection);
    }
  }

  /** Ends a connection with these bytes as its last, unless TLS was not agreed on; in any case soon. */
  end(socket: Socket, lastWord: string): void {
    if (!this.#speaking.has(socket)) {
      socket.destroy();
      return;
    }
    socket.setTimeout(LAST_WORD_MS);
    socket.end(lastWord, () => {
      socket.destroy();
    });
  }

  /** Cuts every connection, also those on which TLS was not agreed on. */
  cutAll(): void {
    for (const connection of this.#open) {
      this.#cut(connection);
    }
  }

  #take(opened: Socket, isPlain: boolean): void {
    const connection: Connection = { opened, latest: null, former: null, patience: null };
    this.#open.add(connection);
    this.#strangers.add(connection);
    opened.once('close', () => {
      this.#forget(connection);
    });
    if (isPlain) {
      this.#mayBegin(opened, connection);
    }
    // The newest is a stranger, too.
    const [oldest] = this.#strangers;
    if (this.#open.size > this.#limits.mostConnections && oldest !== undefined) {
      this.#cut(oldest);
    }
  }

  /** TLS was agreed on; the two sockets of a connection have the other end in common. */
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

  /** Requests come in from now on, the first one within its time. */
  #mayBegin(socket: Socket, connection: Connection): void {
    this.#speaking.set(socket, connection);
    this.#expect(socket, connection);
  }

  /** A whole request has to come in within its time. */
  #expect(socket: Socket, connection: Connection): void {
    connection.patience ??= (this.#limits.clock ?? systemClock).after(this.#limits.slowestRequestMs, () => {
      this.#tooSlow(socket);
    });
  }

  /** The head of a request is there; its body has to follow in time, unless it is answered before. */
  #waitForPosition(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#speaking.get(request.socket);
    if (connection === undefined) {
      return;
    }
    const arrived = (): void => {
      connection.patience?.();
      connection.patience = null;
    };
    if (!hasBody(request)) {
      // Nothing reads it to its end, and its answer may stay open for hours, as a stream of events does.
      arrived();
      return;
    }
    this.#expect(request.socket, connection);
    request.once('end', arrived);
    response.once('close', arrived);
  }

  /**
   * One answer may still be on its way while the next request comes in; Node may hear late that it has arrived. Whoever
   * asks for more than that does not read, and each request would wait in memory for its answer to be taken.
   */
  #mayAsk(socket: Socket, response: ServerResponse): boolean {
    const connection = this.#speaking.get(socket);
    if (connection === undefined || !this.#open.has(connection)) {
      return false;
    }
    if (connection.former?.writableFinished === false) {
      this.#cut(connection);
      this.#limits.onCut();
      return false;
    }
    connection.former = connection.latest;
    connection.latest = response;
    return true;
  }

  /** Nothing has moved for long: that is right only while we have not answered yet. */
  #look(socket: Socket): void {
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
    connection.patience?.();
    this.#open.delete(connection);
    this.#strangers.delete(connection);
  }
}

/** Whether more follows the head (RFC 9112, 6). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
