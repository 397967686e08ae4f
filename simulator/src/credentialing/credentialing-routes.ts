// The credentialing interface over HTTP: checks in the contract's order, rate headers, and the two forms of error.
// Usage: call this in the scope of `{credentials_base_url}/SMC` and hand it `checkKey`. It answers which client holds the request's `vendor-subscription-key`, or sends the gateway's 401.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { jsonIn } from '../../../src/support/text/foreign-json.ts';
import { GATEWAY_BODIES, INVALID_TOKEN_CHALLENGE } from '../contract/errors.ts';
import { HEADERS } from '../contract/names.ts';
import type { CredentialingService } from './credentialing-service.ts';
import type { CredentialingUser } from './logins.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from './operations.ts';
import type { RateVerdict } from './rate-windows.ts';
import { CredentialingRefusal } from './refusal.ts';

export interface CredentialingRouteOptions {
  readonly service: CredentialingService;
  readonly checkKey: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => { readonly clientId: string } | undefined;
}

interface Caller {
  readonly clientId: string;
  readonly user: CredentialingUser | undefined;
}

/** All eleven operations, and the answers to errors and unknown routes. */
export function credentialingRoutes(scope: FastifyInstance, options: CredentialingRouteOptions): void {
  answerErrors(scope);
  readBodiesAsText(scope);
  const checks = new CallChecks(options);
  for (const operation of OPERATION_NAMES) {
    addOperation(scope, operation, options.service, checks);
  }
  scope.setNotFoundHandler(async (request, reply) => {
    const client = options.checkKey(request, reply);
    const user = client && checks.bearer(request, reply, client.clientId);
    return user === undefined ? reply : reply.code(404).send({ error: 'There is no such operation.' });
  });
}

function addOperation(
  scope: FastifyInstance,
  operation: OperationName,
  service: CredentialingService,
  checks: CallChecks,
): void {
  const { method, path } = OPERATIONS[operation];
  scope.route<{ Params: Record<string, string> }>({
    method,
    url: path,
    exposeHeadRoute: false,
    // Counted before the body is read: a request with a bad body counts too.
    onRequest: (request, reply, done) => {
      if (service.settings.trailingSlash === 'no-operation' && Object.values(request.params).includes('')) {
        // A trailing slash is not an id (wire contract 12), so nothing was asked that could be counted.
        reply.callNotFound();
        return;
      }
      if (checks.admit(operation, request, reply)) {
        done();
      }
    },
    handler: async (request, reply) => {
      const { clientId, user } = checks.callerOf(request);
      const { status, body } = service.perform(operation, {
        clientId,
        user,
        parameters: request.params,
        readBody: () => parseJson(request.body),
      });
      return reply.code(status).send(body);
    },
  });
}

/** Subscription key, rate limit, bearer: in this order (wire contract 0 and 11). */
class CallChecks {
  readonly #service: CredentialingService;
  readonly #checkKey: CredentialingRouteOptions['checkKey'];
  readonly #callers = new WeakMap<FastifyRequest, Caller>();

  constructor({ service, checkKey }: CredentialingRouteOptions) {
    this.#service = service;
    this.#checkKey = checkKey;
  }

  /** True lets the request on; on false it has been answered. */
  admit(operation: OperationName, request: FastifyRequest, reply: FastifyReply): boolean {
    const client = this.#checkKey(request, reply);
    if (client === undefined) {
      return false;
    }
    const verdict = this.#service.count(operation, String(request.headers[HEADERS.subscriptionKey]));
    reply.headers(this.#rateHeaders(verdict));
    if (!verdict.allowed) {
      this.#refuseForRate(verdict, reply);
      return false;
    }
    const needsUser = operation !== 'Authentication Token';
    const user = needsUser ? this.bearer(request, reply, client.clientId) : undefined;
    this.#callers.set(request, { clientId: client.clientId, user });
    return !needsUser || user !== undefined;
  }

  /** The result of `admit` for an accepted request. */
  callerOf(request: FastifyRequest): Caller {
    const caller = this.#callers.get(request);
    if (caller === undefined) {
      throw new Error('The request reached an operation without having been admitted');
    }
    return caller;
  }

  /** The user behind the bearer token; undefined when the gateway's 401 was sent. */
  bearer(request: FastifyRequest, reply: FastifyReply, clientId: string): CredentialingUser | undefined {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const user = token === undefined ? undefined : this.#service.userOf(clientId, token);
    if (user === undefined) {
      reply.code(401).header('WWW-Authenticate', INVALID_TOKEN_CHALLENGE).send(GATEWAY_BODIES.tokenBad);
    }
    return user;
  }

  #refuseForRate(verdict: RateVerdict, reply: FastifyReply): void {
    const seconds = this.#service.secondsUntil(verdict.resetAt);
    reply
      .code(429)
      .header(HEADERS.rateRetryAfter, seconds)
      .send({ error: `Rate limit reached. Try again in ${String(seconds)} seconds.` });
  }

  #rateHeaders(verdict: RateVerdict): Record<string, string | number> {
    // Rounded up, so that a waiting client does not come early.
    const resetSeconds = Math.ceil(verdict.resetAt / 1000);
    return {
      [HEADERS.rateLimit]: verdict.limit,
      [HEADERS.rateLimitRemaining]: verdict.remaining,
      [HEADERS.rateLimitReset]:
        this.#service.settings.resetForm === 'epoch-seconds'
          ? resetSeconds
          : new Date(resetSeconds * 1000).toISOString(),
    };
  }
}

/** Bodies are parsed by the operation, after the checks, for any content type. */
function readBodiesAsText(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
}

function parseJson(body: unknown): unknown {
  const value = jsonIn(String(body));
  if (value === undefined) {
    throw new CredentialingRefusal(400, 'The body must be JSON.');
  }
  return value;
}

function answerErrors(scope: FastifyInstance): void {
  scope.setErrorHandler(async (error: unknown, _request, reply) => {
    if (error instanceof CredentialingRefusal) {
      return reply.code(error.status).send({ error: error.message });
    }
    if (isErrorWithCode(error) && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      return reply.code(413).send({ error: 'The body is too large.' });
    }
    throw error;
  });
}

function isErrorWithCode(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && 'code' in error;
}
