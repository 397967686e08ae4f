// Opens and closes the pages' own server, apart from the address that the service and tunnels may reach.
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { CertificateView } from '../../domain/account/certificate-policy.ts';
import { message } from '../../domain/language/message.ts';
import type { LinkCallback } from '../../linking/link-callback.ts';
import type { Clock } from '../../support/clock.ts';
import { messageOf, RetryError } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { type CertificatePair, usableCertificate } from '../../support/server/certificate.ts';
import { CertificateWatch } from '../../support/server/certificate-watch.ts';
import { GuardedServer } from '../../support/server/guarded-server.ts';
import { isTaken } from '../../support/server/listen.ts';
import { t } from '../../words/translate.ts';
import type { PanelEvent } from '../panel-event.ts';
import { type SessionShelf, sessionArchive } from '../sessions/archive.ts';
import type { Role } from '../sessions/role.ts';
import { LOGIN_TOKEN_MS, type LoginView, SessionStore } from '../sessions/store.ts';
import type { Operations } from '../socket/server.ts';
import { apiRoutes } from './api-routes.ts';
import { callbackRoute } from './callback-route.ts';
import { EventStreams } from './event-streams.ts';
import { featureRoutes } from './feature-routes.ts';
import { guardPanel } from './guard.ts';
import { BUILT_PAGES, readPageFiles } from './page-files.ts';
import { NOT_BUILT, pageRoutes } from './page-routes.ts';
import type { PanelPlace } from './place.ts';

export interface DashboardServerParts {
  readonly place: PanelPlace;
  /** 0: any that is free. */
  readonly port: number;
  /** Reads the files of the certificate, now and whenever they may have been renewed; left out for plain HTTP. */
  readonly tls?: (() => CertificatePair) | null;
  /** Of which pages may call those that `isPageOperation` names. */
  readonly operations: Operations;
  /** The OAuth callback; null when the registered redirect URI does not lead here. */
  readonly callback: LinkCallback | null;
  /** Where sessions outlive this process. */
  readonly shelf: SessionShelf;
  readonly clock: Clock;
  readonly log: Log;
  /** For tests: where the built pages are. */
  readonly pagesFolder?: string;
  /** For tests: how long a request may take to arrive whole. */
  readonly slowestRequestMs?: number;
  /** For tests: how many connections there may be at a time. */
  readonly mostConnections?: number;
}

export interface DashboardServer {
  readonly port: number;
  /** Emits an event to every open page. */
  publish(event: PanelEvent): void;
  /** The certificate in use; null over plain HTTP. */
  certificate(): CertificateView | null;
  /** A login token, good once. */
  mintLogin(role?: Role): { readonly token: string; readonly expiresInMs: number };
  logins(): readonly LoginView[];
  /** Ends a login, with everything that it has open. */
  endLogin(id: string): void;
  /** Cuts every connection. */
  close(): Promise<void>;
}

/** Settings and pasted addresses are far smaller. */
const LARGEST_BODY_BYTES = 65_536;
const LARGEST_HEADERS_BYTES = 16_384;

/** A request that takes longer to arrive, in milliseconds, is cut. */
const SLOWEST_REQUEST_MS = 10_000;

/** An idle connection is kept this long for the next request, in milliseconds (our choice). */
const IDLE_CONNECTION_MS = 72_000;

/** Connections at a time (our choice): every stream of events is one, and a browser opens six. */
const MOST_CONNECTIONS = 64;

/** Rejects with retry (`unreachable`) when the address is taken or not there, with final when the certificate cannot be used. */
export async function startPanelServer(parts: DashboardServerParts): Promise<DashboardServer> {
  const { place, operations, callback, clock, log, pagesFolder = BUILT_PAGES } = parts;
  const sessions = new SessionStore(clock, sessionArchive(parts.shelf, log));
  const streams = new EventStreams({ clock, log, isOpen: (session) => sessions.isOpen(session) });
  const pages = readPageFiles(pagesFolder);
  if (!pages.has('/')) {
    log.warn(t(NOT_BUILT));
  }
  const read = parts.tls ?? null;
  const pair = read === null ? null : usableCertificate(read, 'panel.tls');
  const guard = new GuardedServer({
    tls: pair,
    mostConnections: parts.mostConnections ?? MOST_CONNECTIONS,
    slowestRequestMs: parts.slowestRequestMs ?? SLOWEST_REQUEST_MS,
    idleMs: IDLE_CONNECTION_MS,
    largestHeadersBytes: LARGEST_HEADERS_BYTES,
    onCut: () => log.debug('A connection to the dashboard kept asking without reading the answers.'),
    clock,
  });
  const app = createApp(guard);
  guardPanel(app, place, clock, log);
  pageRoutes(app, pages);
  for (const route of featureRoutes.all) {
    route(app, operations, clock);
  }
  if (callback !== null) {
    callbackRoute(app, callback, clock);
  }
  const vouchFor = (socket: Socket): void => guard.vouchFor(socket);
  app.register(
    (api, _options, done) => {
      apiRoutes(api, { place, operations, sessions, streams, vouchFor, clock, log });
      done();
    },
    { prefix: '/api' },
  );
  const port = await listen(app, parts);
  const use = (renewed: CertificatePair): void => guard.renew(renewed);
  const certificates =
    read === null || pair === null
      ? null
      : new CertificateWatch({ option: 'panel.tls', clock, log, pair, read, use });
  return {
    port,
    publish: (event) => streams.publish(event),
    mintLogin: (role) => ({ token: sessions.mint(role), expiresInMs: LOGIN_TOKEN_MS }),
    logins: () => sessions.list(),
    endLogin: (id) => {
      sessions.end({ digest: id });
      streams.sweep();
    },
    certificate: () => certificates?.view() ?? null,
    close: async () => {
      certificates?.dispose();
      streams.close();
      await app.close();
      sessions.close();
    },
  };
}

function createApp(guard: GuardedServer): FastifyInstance {
  const app = Fastify({
    serverFactory: (answer) => guard.serve(answer),
    bodyLimit: LARGEST_BODY_BYTES,
    exposeHeadRoutes: false,
    // A proxy's claims about the sender prove nothing.
    trustProxy: false,
    frameworkErrors: (_error, _request, reply) => reply.raw.writeHead(400).end(),
  });
  app.addHook('preClose', (done) => {
    guard.cutAll();
    done();
  });
  return app;
}

async function listen(app: FastifyInstance, { place, port }: DashboardServerParts): Promise<number> {
  try {
    await app.listen({ host: place.bindHost, port });
  } catch (error) {
    await app.close();
    const at = { host: place.bindHost, port: String(port) };
    const words = isTaken(error)
      ? message('The dashboard cannot be served on {host} port {port}: another program uses it.', at)
      : message('The dashboard cannot be served on {host} port {port}: {why}.', {
          ...at,
          why: messageOf(error),
        });
    throw new RetryError('unreachable', words, { cause: error });
  }
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
