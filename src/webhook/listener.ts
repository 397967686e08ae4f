// Opens and closes the server for the service and its tunnels, apart from all pages for people.
import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import type { CertificateView } from '../domain/account/certificate-policy.ts';
import type { EventFeed } from '../domain/webhooks/ports.ts';
import type { SelfTestReport } from '../domain/webhooks/report.ts';
import { type CertificatePair, usableCertificate } from '../support/server/certificate.ts';
import { CertificateWatch } from '../support/server/certificate-watch.ts';
import { GuardedServer } from '../support/server/guarded-server.ts';
import { notOpened } from '../support/server/listen.ts';
import type { Metric } from '../support/server/prometheus.ts';
import { type Answer, type AnswerCounts, STATUSES } from './answer.ts';
import { HandshakeGuard } from './handshake-guard.ts';
import { PublicUrlProbe } from './public-url-probe.ts';
import { LARGEST_BODY_BYTES, Receiver, type ReceiverParts } from './receive.ts';
import { RefusalLimiter } from './refusal-limiter.ts';
import { SelfTests } from './self-test.ts';
import { type LinkCallback, WebhookRoutes } from './webhook-routes.ts';

export interface ListenerParts extends ReceiverParts {
  readonly host: string;
  /** The port; 0 takes any free one. */
  readonly port: number;
  /** The path of the webhook; begins with a slash and holds no pattern. */
  readonly path: string;
  /**
   * Reads the files of the certificate as they are now, here and whenever they may have been renewed; throws
   * `bad-configuration` when one of them cannot be read. Null when a proxy or tunnel speaks TLS for us.
   */
  readonly tls: (() => CertificatePair) | null;
  readonly signatureHeader: string;
  /** The OAuth callback; null when the registered redirect URI does not lead here. */
  readonly callback: LinkCallback | null;
  /** For tests: how long a request may take to arrive whole. */
  readonly slowestRequestMs?: number;
  /** For tests: how many connections there may be at a time. */
  readonly mostConnections?: number;
}

export interface Listener {
  /** `http://host:port`, with `https` where TLS is ours. */
  readonly address: string;
  readonly feed: EventFeed;
  /** A registration begins: the first origin that asks has consent, for a minute or until the returned function is called. */
  expectRegistration(): () => void;
  /** Sends a self-test to that address, which should lead here, and reports where it got lost. Never rejects. */
  selfTest(url: string): Promise<SelfTestReport>;
  counts(): AnswerCounts;
  /** The certificate in use; null where TLS is not ours. */
  certificate(): CertificateView | null;
  /** Deliveries that wait, and how long answers take, for Prometheus. */
  metrics(): readonly Metric[];
  /** Cuts every connection; every received event is in the ledger when it resolves. */
  close(): Promise<void>;
}

/** A request that takes longer to arrive is cut (faults#50). */
const SLOWEST_REQUEST_MS = 10_000;

/** Connections at a time (our choice): with their largest bodies 16 MB, and their turns do not hold Home up. */
const MOST_CONNECTIONS = 256;

/** Node's names for a request, and an agreement on TLS, that did not arrive in time. */
const TOO_SLOW: ReadonlySet<string> = new Set(['ERR_HTTP_REQUEST_TIMEOUT', 'ERR_TLS_HANDSHAKE_TIMEOUT']);

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
  const refusalLimiter = new RefusalLimiter(clock, log);
  const consent = new HandshakeGuard(clock);
  const selfTests = new SelfTests();
  const receiver = new Receiver(parts);
  const ending = new AbortController();
  const pair = parts.tls === null ? null : usableCertificate(parts.tls, 'webhooks.tls');
  const guard = new GuardedServer({
    tls: pair,
    mostConnections: parts.mostConnections ?? MOST_CONNECTIONS,
    slowestRequestMs: parts.slowestRequestMs ?? SLOWEST_REQUEST_MS,
    idleMs: IDLE_CONNECTION_MS,
    largestHeadersBytes: LARGEST_HEADERS_BYTES,
    onCut: () => refusalLimiter.answer('limited'),
  });
  const app = createApp(guard, refusalLimiter);
  const routes = new WebhookRoutes({
    path: parts.path,
    signatureHeader: parts.signatureHeader.toLowerCase(),
    receiver,
    consent,
    selfTests,
    refusalLimiter,
    guard,
    callback: parts.callback,
  });
  routes.serve(app);
  const address = await listen(app, parts);
  const certificates = pair === null ? null : watchCertificate(parts, pair, guard);
  // Fetches the keys now, so that the first event need not wait for them.
  void parts.keys.refresh();
  const probe = new PublicUrlProbe({ ...parts, selfTests, signal: ending.signal });
  return {
    address,
    feed: receiver,
    expectRegistration: () => {
      consent.begin();
      return () => consent.end();
    },
    selfTest: async (url) => probe.test(url),
    counts: () => refusalLimiter.counts(),
    certificate: () => certificates?.view() ?? null,
    metrics: () => receiver.metrics(),
    close: async () => {
      consent.end();
      certificates?.dispose();
      ending.abort();
      await app.close();
      await receiver.close();
    },
  };
}

/** An unguessable path for a listener whose path is not configured. Made once; the caller keeps it. */
export function unguessablePath(): string {
  return `/hooks/${randomBytes(24).toString('base64url')}`;
}

function createApp(guard: GuardedServer, refusalLimiter: RefusalLimiter): FastifyInstance {
  const app = Fastify({
    serverFactory: (answer) => guard.serve(answer),
    bodyLimit: LARGEST_BODY_BYTES,
    exposeHeadRoutes: false,
    // The headers of a proxy prove nothing about the sender.
    trustProxy: false,
    clientErrorHandler: cutOff(guard, refusalLimiter),
    frameworkErrors: (_error, _request, reply) =>
      reply.raw.writeHead(STATUSES[refusalLimiter.answer('unknown-address')]).end(),
  });
  app.addHook('preClose', (done) => {
    guard.cutAll();
    done();
  });
  return app;
}

function watchCertificate(
  { tls, clock, log }: ListenerParts,
  pair: CertificatePair,
  guard: GuardedServer,
): CertificateWatch {
  return new CertificateWatch({
    option: 'webhooks.tls',
    clock,
    log,
    pair,
    read: () => tls?.() ?? pair,
    use: (renewed) => guard.renew(renewed),
  });
}

/** Ends a connection that can carry no further request, with its status as the last answer. */
function cutOff(
  guard: GuardedServer,
  refusalLimiter: RefusalLimiter,
): NonNullable<FastifyServerOptions['clientErrorHandler']> {
  return ({ code }, socket) => {
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const reason: Answer = TOO_SLOW.has(code) ? 'too-slow' : 'not-http';
    const status = STATUSES[refusalLimiter.answer(reason)];
    guard.end(
      socket,
      `HTTP/1.1 ${String(status)} ${reason}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    );
  };
}

async function listen(app: FastifyInstance, { host, port, tls }: ListenerParts): Promise<string> {
  try {
    const address = await app.listen({ host, port });
    return tls === null ? address : address.replace(/^http:/, 'https:');
  } catch (error) {
    await app.close();
    throw notOpened({ host, port }, error);
  }
}
