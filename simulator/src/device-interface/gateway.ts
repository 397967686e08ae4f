// The gateway before the device interface: the subscription key, then the token (wire contract 0, order of checks).
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthorizationServer } from '../auth/authorization-server.ts';
import type { PartnerClient } from '../auth/partner-client.ts';
import { GATEWAY_BODIES, INVALID_TOKEN_CHALLENGE } from '../contract/errors.ts';
import { HEADERS } from '../contract/names.ts';

/** The caller: the partner of the key and the user of the token. */
export interface Caller {
  readonly clientId: string;
  readonly userId: string;
}

/** The token of an `Authorization` header; the scheme's case does not matter (RFC 9110, 11.1). */
const BEARER = /^Bearer +(?<token>[\w.~+/-]+=*)$/iu;

export class Gateway {
  readonly #auth: AuthorizationServer;
  readonly #clientsByKey: ReadonlyMap<string, PartnerClient>;
  readonly #callers = new WeakMap<FastifyRequest, Caller>();

  constructor(auth: AuthorizationServer) {
    this.#auth = auth;
    this.#clientsByKey = new Map(
      auth.clients.flatMap((client) => client.subscriptionKeys.map((key) => [key, client] as const)),
    );
  }

  /** The client of the request's subscription key, or the gateway's refusal, sent. */
  checkKey(request: FastifyRequest, reply: FastifyReply): PartnerClient | undefined {
    const key = request.headers[HEADERS.subscriptionKey];
    if (key === undefined || key === '') {
      refuse(reply, GATEWAY_BODIES.keyMissing);
      return undefined;
    }
    const client = typeof key === 'string' ? this.#clientsByKey.get(key) : undefined;
    if (client === undefined) {
      refuse(reply, GATEWAY_BODIES.keyWrong);
    }
    return client;
  }

  /** The user of the request's token, or the gateway's refusal, sent. A token given to another client is no token. */
  checkBearer(request: FastifyRequest, reply: FastifyReply, client: PartnerClient): Caller | undefined {
    const token = BEARER.exec(request.headers.authorization ?? '')?.groups?.['token'];
    const caller = token === undefined ? undefined : this.#auth.holderOf(token);
    if (caller === undefined || caller.clientId !== client.clientId) {
      refuse(reply.header('www-authenticate', INVALID_TOKEN_CHALLENGE), GATEWAY_BODIES.tokenBad);
      return undefined;
    }
    this.#callers.set(request, caller);
    return caller;
  }

  /** Both checks, as a hook for a whole scope; the handlers then find the caller by `callerOf`. */
  readonly onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const client = this.checkKey(request, reply);
    if (client !== undefined && this.checkBearer(request, reply, client) !== undefined) {
      done();
    }
  };

  /** The caller of this request, after both checks. */
  callerOf(request: FastifyRequest): Caller {
    const caller = this.#callers.get(request);
    if (caller === undefined) {
      throw new Error('A route of the device interface was reached without the checks of its gateway');
    }
    return caller;
  }
}

function refuse(reply: FastifyReply, body: (typeof GATEWAY_BODIES)[keyof typeof GATEWAY_BODIES]): void {
  void reply.code(body.statusCode).send(body);
}
