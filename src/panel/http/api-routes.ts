// The HTTP API of the pages: a session, the operations open to a page, and an event stream.
import type { Socket } from 'node:net';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import { z } from 'zod';
import { message } from '../../domain/language/message.ts';
import type { Clock } from '../../support/clock.ts';
import { FinalError, LatchkeyError, messageOf, WaitError } from '../../support/errors.ts';
import { type Log, oneLine } from '../../support/log.ts';
import { isPageOperation } from '../operations/panel-api.ts';
import { allowedTo, mayCall } from '../operations/role-table.ts';
import { sessionCookie, sessionIdIn } from '../sessions/cookie.ts';
import { deviceOf } from '../sessions/device.ts';
import { isSameSecret, type PageSession, type SessionStore } from '../sessions/store.ts';
import type { Operations } from '../socket/server.ts';
import { reportableError } from '../views/error.ts';
import { answerError } from './answers.ts';
import type { EventStreams } from './event-streams.ts';
import { originAt, type PanelPlace } from './place.ts';
import { refusalBudget } from './refusal-budget.ts';

export interface ApiParts {
  readonly place: PanelPlace;
  readonly operations: Operations;
  readonly sessions: SessionStore;
  readonly streams: EventStreams;
  /** Marks a connection as that of a page with a session. */
  readonly vouchFor: (socket: Socket) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Carries the CSRF token with every write: a foreign page can make a browser send cookies, but not this. */
const CSRF_HEADER = 'latchkey-csrf';

/** Concurrent calls of all pages (our choice). */
const MOST_CALLS = 32;

/** How long a page should wait when there are too many, in milliseconds. */
const CROWDED_WAIT_MS = 1_000;

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const UNSUPPORTED_TYPE = 415;

const LOGIN_ROUTE = '/api/login';

const LOGIN_NEEDED =
  'A login is needed. Get an address for it: npx homebridge-latchkey panel --login, or the Homebridge UI.';

const LOGIN_REFUSED =
  'This login address is wrong, was used already or is older than five minutes. Get a new one: npx homebridge-latchkey panel --login, or the Homebridge UI.';

const logoutBody = z.object({ everywhere: z.boolean().default(false) }).default({ everywhere: false });
const loginBody = z.object({ token: z.string().max(200) });

/** Registers the routes; paths are relative to `/api`. */
export function apiRoutes(app: FastifyInstance, parts: ApiParts): void {
  const { sessions, streams } = parts;
  app.addHook('onRequest', admit(parts));
  readJson(app);
  answerFaults(app, parts.log);
  loginRoutes(app, parts);
  callRoute(app, parts);
  app.get('/events', (request, reply) => {
    const session = admitted(sessions, request);
    if (streams.isFull) {
      throw new WaitError('rate-limited', message('Too many pages are open. Close one.'), CROWDED_WAIT_MS);
    }
    const { raw } = reply.type('text/event-stream; charset=utf-8').hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      raw.setHeader(name, value ?? '');
    }
    raw.writeHead(200);
    streams.add(raw, session);
  });
}

/** Decides by the head alone, before the body is read. */
function admit({ sessions, vouchFor }: ApiParts): onRequestHookHandler {
  return (request, reply, next) => {
    const isWrite = request.method !== 'GET';
    const { 'content-type': type = '', [CSRF_HEADER]: csrf = '' } = request.headers;
    if (isWrite && !/^application\/json\s*(?:;|$)/iu.test(type)) {
      const words = 'What is sent here must be application/json.';
      answerError(request, reply, new FinalError('bad-request', words), UNSUPPORTED_TYPE);
      return;
    }
    if (request.routeOptions.url === LOGIN_ROUTE) {
      next();
      return;
    }
    const session = sessionOf(sessions, request);
    if (session === null) {
      answerError(request, reply, new FinalError('not-permitted', LOGIN_NEEDED), UNAUTHORIZED);
      return;
    }
    if (isWrite && !isSameSecret(String(csrf), session.csrf)) {
      const words = 'This page is older than the plugin that runs, or not its own. Load it again.';
      answerError(request, reply, new FinalError('not-permitted', words), FORBIDDEN);
      return;
    }
    vouchFor(request.raw.socket);
    next();
  };
}

function loginRoutes(app: FastifyInstance, { place, sessions, streams, clock, log }: ApiParts): void {
  const isSecure = ({ headers }: FastifyRequest): boolean =>
    originAt(place, headers.host ?? '').startsWith('https:');
  const budget = refusalBudget(clock);
  app.get('/session', (request) => {
    const { csrf, role, digest } = admitted(sessions, request);
    return { csrf, role, login: digest, may: allowedTo(role) };
  });
  app.post('/login', (request, reply) => {
    const { data } = loginBody.safeParse(request.body);
    const opened =
      data === undefined
        ? null
        : sessions.exchange(data.token, deviceOf(request.headers['user-agent'] ?? ''));
    if (opened === null) {
      const waitMs = budget.take();
      log.debug('A login to the pages was refused.');
      return waitMs === null
        ? answerError(request, reply, new FinalError('not-permitted', LOGIN_REFUSED), UNAUTHORIZED)
        : answerError(request, reply, new WaitError('rate-limited', LOGIN_REFUSED, waitMs));
    }
    return reply
      .header('set-cookie', sessionCookie(portOf(request), opened.id, isSecure(request)))
      .send({ csrf: opened.session.csrf });
  });
  app.post('/logout', (request, reply) => {
    const session = admitted(sessions, request);
    if (logoutBody.safeParse(request.body).data?.everywhere === true) {
      if (session.role !== 'all') {
        return refuseRole(request, reply);
      }
      sessions.endAll();
    } else {
      sessions.end(session);
    }
    streams.sweep();
    return reply
      .header('set-cookie', sessionCookie(portOf(request), null, isSecure(request)))
      .code(204)
      .send();
  });
}

function callRoute(app: FastifyInstance, { operations, sessions }: ApiParts): void {
  let underWay = 0;
  app.post<{ Params: { operation: string } }>('/call/:operation', async (request, reply) => {
    const { operation } = request.params;
    const perform = operations[operation];
    if (!isPageOperation(operation) || perform === undefined) {
      throw new FinalError('not-found', 'No page may ask for this.');
    }
    if (!mayCall(admitted(sessions, request).role, operation)) {
      return refuseRole(request, reply);
    }
    if (underWay >= MOST_CALLS) {
      throw new WaitError('rate-limited', message('Too many calls are under way.'), CROWDED_WAIT_MS);
    }
    underWay += 1;
    try {
      return { result: (await perform(request.body)) ?? null };
    } finally {
      underWay -= 1;
    }
  });
}

function refuseRole(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = new FinalError('not-permitted', message('This login may not do that.'));
  return answerError(request, reply, error, FORBIDDEN);
}

/** JSON and nothing else; no body at all is no input. */
function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') {
      done(null, undefined);
    } else {
      void parse(request, body, done);
    }
  });
}

/** An operation's own error goes to the page; a refusal of the server gets our words. */
function answerFaults(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: FastifyError | LatchkeyError, request, reply) => {
    if (!(error instanceof LatchkeyError) && (error.statusCode ?? 500) < 500) {
      const status = error.statusCode ?? 400;
      const words = status === 413 ? 'That is too large.' : 'What was sent is not JSON that can be read.';
      return answerError(request, reply, new FinalError('bad-request', words), status);
    }
    if (!(error instanceof LatchkeyError)) {
      log.error(`What a page asked for failed: ${oneLine(messageOf(error))}`);
    }
    return answerError(request, reply, reportableError(error));
  });
}

function sessionOf(sessions: SessionStore, request: FastifyRequest): PageSession | null {
  return sessions.find(sessionIdIn(request.headers.cookie, portOf(request)));
}

/** The session of a request that was let in. */
function admitted(sessions: SessionStore, request: FastifyRequest): PageSession {
  const session = sessionOf(sessions, request);
  if (session === null) {
    throw new FinalError('not-permitted', LOGIN_NEEDED);
  }
  return session;
}

function portOf({ raw }: FastifyRequest): number {
  return raw.socket.localPort ?? 0;
}
