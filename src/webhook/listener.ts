// Opens the address that the service and tunnels may reach, apart from every page for people, and closes it again.
import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { EventFeed, EventLedger, ServiceClock, SigningKeys } from '../domain/ports.ts';
import type { SelfTestReport } from '../domain/webhook-report.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError, messageOf, RetryError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { type Answer, type AnswerCounts, STATUSES } from './answer.ts';
import { ConsentWindow } from './consent-window.ts';
import { Gatekeeper } from './gatekeeper.ts';
import { tryPublicWay } from './public-way.ts';
import { LARGEST_BODY_BYTES, Receiver } from './receive.ts';
import { SelfTests } from './self-test.ts';
import type { SignatureMethod } from './verify-signature.ts';
import { type LinkCallback, webhookRoutes } from './webhook-routes.ts';

export interface ListenerParts {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Of the webhook; begins with a slash and holds no pattern. */
  readonly path: string;
  /** Contents of PEM files; null when a proxy or tunnel speaks TLS for us. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Null: nothing is signed, and every event is `unverified`. */
  readonly method: SignatureMethod | null;
  readonly signatureHeader: string;
  readonly keys: SigningKeys;
  readonly ledger: EventLedger;
  readonly serviceClock: ServiceClock;
  readonly clock: Clock;
  readonly log: Log;
  /** The way back from linking; null when the registered redirect URI does not lead here. */
  readonly callback: LinkCallback | null;
  /** For tests: how long a request may take to arrive whole. */
  readonly slowestRequestMs?: number;
}

export interface Listener {
  /** `http://host:port`, with `https` where TLS is ours. */
  readonly address: string;
  readonly feed: EventFeed;
  /**
   * Registration runs: consent is given to that origin alone, with null to the first that asks, for a minute or until
   * the returned function is called.
   */
  expectRegistration(origin: string | null): () => void;
  /** Sends a request of our own to that address, which should lead here, and says where it got lost. Never rejects. */
  selfTest(url: string): Promise<SelfTestReport>;
  /** How often each answer was given. */
  counts(): AnswerCounts;
  /** Cuts every connection; what was received is in the ledger when it resolves. */
  close(): Promise<void>;
}

/** A request that takes longer to arrive is cut (faults#50). */
const SLOWEST_REQUEST_MS = 10_000;

/** Connections at a time (our choice): with their largest bodies 16 MB, and their turns do not hold Home up. */
const MOST_CONNECTIONS = 256;

/** Longer than a proxy keeps its own end (nginx: 60 s), so that it never sends into a connection we just closed. */
const IDLE_CONNECTION_MS = 75_000;

/** All our own headers are below 2 kB; a redirected address may be long. */
const LARGEST_HEADERS_BYTES = 16_384;

/**
 * Opens the listener. Rejects with retry (`unreachable`) when the address is taken or not there, with final
 * (`bad-configuration`) when the certificate or the path cannot be used.
 */
export async function startListener(parts: ListenerParts): Promise<Listener> {
  const { clock, log } = parts;
  const gatekeeper = new Gatekeeper(clock, log);
  const consent = new ConsentWindow(clock);
  const selfTests = new SelfTests();
  const receiver = new Receiver(parts);
  const ending = new AbortController();
  const app = createServer(parts, gatekeeper);
  webhookRoutes(app, {
    path: parts.path,
    signatureHeader: parts.signatureHeader.toLowerCase(),
    receiver,
    consent,
    selfTests,
    gatekeeper,
    callback: parts.callback,
  });
  const address = await listen(app, parts);
  // So that the first event need not wait for the keys.
  void parts.keys.refresh();
  return {
    address,
    feed: receiver,
    expectRegistration: (origin) => consent.expect(origin),
    selfTest: async (url) =>
      tryPublicWay(
        {
          ...parts,
          selfTests,
          keys: parts.method === null ? null : parts.keys,
          signal: ending.signal,
        },
        url,
      ),
    counts: () => gatekeeper.counts(),
    close: async () => {
      consent.close();
      ending.abort();
      await app.close();
      await receiver.close();
    },
  };
}

/** A path that nobody guesses, for a listener whose path was not chosen by hand. Made once, and kept by the caller. */
export function unguessablePath(): string {
  return `/hooks/${randomBytes(24).toString('base64url')}`;
}

function createServer(parts: ListenerParts, gatekeeper: Gatekeeper): FastifyInstance {
  const slowestMs = parts.slowestRequestMs ?? SLOWEST_REQUEST_MS;
  // The server looks for slow requests twenty times in that time, so the last look is one before its end.
  const lookEveryMs = Math.ceil(slowestMs / 20);
  const limits = {
    headersTimeout: slowestMs - lookEveryMs,
    connectionsCheckingInterval: lookEveryMs,
    maxHeaderSize: LARGEST_HEADERS_BYTES,
  };
  const options: FastifyServerOptions = {
    bodyLimit: LARGEST_BODY_BYTES,
    requestTimeout: slowestMs - lookEveryMs,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Whatever a proxy says of the sender proves nothing.
    trustProxy: false,
    clientErrorHandler: cutOff(gatekeeper),
    frameworkErrors: (_error, _request, reply) => {
      reply.raw.writeHead(STATUSES[gatekeeper.answer('unknown-address')]).end();
    },
  };
  const app =
    parts.tls === null ? Fastify({ ...options, http: limits }) : secureServer(parts.tls, options, limits);
  app.server.maxConnections = MOST_CONNECTIONS;
  return app;
}

function secureServer(
  tls: NonNullable<ListenerParts['tls']>,
  options: FastifyServerOptions,
  limits: object,
): FastifyInstance {
  try {
    const https = { ...limits, ...tls, handshakeTimeout: SLOWEST_REQUEST_MS };
    // To the compiler the two servers are strangers; they differ in nothing that is used here.
    return Fastify({ ...options, https } as object) as FastifyInstance;
  } catch (error) {
    const message = `The certificate or key of webhooks.tls cannot be used: ${messageOf(error)}`;
    throw new FinalError('bad-configuration', message, { cause: error });
  }
}

/** Ends a connection on which no request can be answered any more, with its status as the last word. */
function cutOff(gatekeeper: Gatekeeper): NonNullable<FastifyServerOptions['clientErrorHandler']> {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const reason: Answer = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'too-slow' : 'not-http';
    const status = STATUSES[gatekeeper.answer(reason)];
    socket.end(
      `HTTP/1.1 ${String(status)} ${reason}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
      () => {
        socket.destroy();
      },
    );
  };
}

async function listen(app: FastifyInstance, { host, port }: ListenerParts): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    await app.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = code === 'EADDRINUSE' ? 'another program uses it' : messageOf(error);
    throw new RetryError(
      'unreachable',
      `Webhooks cannot be received on ${host} port ${String(port)}: ${why}.`,
      {
        cause: error,
      },
    );
  }
}
