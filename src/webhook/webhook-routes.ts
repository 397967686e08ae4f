// The only routes that strangers can reach: the webhook with its handshake, and the OAuth callback.
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import type { GuardedServer } from '../support/server/guarded-server.ts';
import { WEBHOOK_HEADERS } from '../wire/endpoints.ts';
import { type Answer, isGenuine, isRefusal, STATUSES } from './answer.ts';
import { consentHeaders } from './consent-headers.ts';
import type { HandshakeGuard } from './handshake-guard.ts';
import { type DeliveryHead, LARGEST_BODY_BYTES, type Receiver } from './receive.ts';
import { RETRY_AFTER_S, type RefusalLimiter } from './refusal-limiter.ts';
import { type Marks, SELF_TEST_HEADER, type SelfTests } from './self-test.ts';

/** Where a person's browser comes back to after giving consent. */
export interface LinkCallback {
  /** The registered redirect URI; its path is served. */
  readonly redirectUri: string;
  /** Answers a browser that comes to that path: `target` is the requested path and query. */
  readonly answer: (target: string) => Promise<CallbackPage>;
}

/** A complete answer to a browser: the linking itself belongs to another module. */
export interface CallbackPage {
  readonly kind: 'linked' | 'not-linked' | 'page';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export class WebhookRoutes {
  readonly #parts;

  constructor(parts: {
    readonly path: string;
    /** The name of the signature's header, in lower case. */
    readonly signatureHeader: string;
    readonly receiver: Receiver;
    readonly consent: HandshakeGuard;
    readonly selfTests: SelfTests;
    readonly refusalLimiter: RefusalLimiter;
    /** Called for each connection that carried a request of the service. */
    readonly guard: Pick<GuardedServer, 'vouchFor'>;
    readonly callback: LinkCallback | null;
  }) {
    this.#parts = parts;
  }

  /** Adds the routes to a server without any. */
  serve(app: FastifyInstance): void {
    const { path, receiver, selfTests } = this.#parts;
    app.removeAllContentTypeParsers();
    // The bytes stay unchanged: the signature is over them, and nothing is parsed before it is verified.
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: LARGEST_BODY_BYTES },
      (_request, body, done) => {
        done(null, body);
      },
    );
    this.#answerOthers(app);
    app.setErrorHandler((error: FastifyError, request, reply) => {
      this.#send(request, reply, answerToFault(error));
    });

    app.post(path, { onRequest: this.#judgeHead() }, async (request, reply) => {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const marks = this.#marksOf(request);
      const test = selfTests.testOf(marks);
      if (test !== null) {
        selfTests.meet(test, marks, true, bytes);
        return this.#send(request, reply, 'self-tested');
      }
      return this.#send(request, reply, await receiver.receive(bytes, marks.signature));
    });
    app.options(path, (request, reply) => this.#answerHandshake(request, reply));
  }

  /**
   * Answers from the head alone where possible, before the body is read. A self-test with another content type ends here:
   * Fastify itself refuses some types, and the test would never arrive.
   */
  #judgeHead(): onRequestHookHandler {
    const { receiver, selfTests } = this.#parts;
    return (request, reply, next) => {
      const head = this.#headOf(request);
      const refusal = receiver.judgeHead(head);
      const test = selfTests.testOf(head);
      if (test !== null && refusal === 'wrong-type') {
        selfTests.meet(test, head, false, Buffer.alloc(0));
        this.#send(request, reply, 'self-tested');
      } else if (test === null && refusal !== null) {
        this.#send(request, reply, refusal);
      } else {
        next();
      }
    };
  }

  /** Answers every request without a route: a person's browser after consent, and strangers. */
  #answerOthers(app: FastifyInstance): void {
    const { path, callback, selfTests } = this.#parts;
    const callbackPath = callback === null ? null : (URL.parse(callback.redirectUri)?.pathname ?? null);
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { method, url } = request;
      const [asked] = url.split('?', 1);
      // The path as registered: a route would decode escapes, and read colons and stars as patterns.
      if (callback !== null && method === 'GET' && asked === callbackPath) {
        const page = await callback.answer(url);
        return this.#send(request, reply, page.kind === 'page' ? 'link-page' : page.kind, page);
      }
      if (asked === path) {
        selfTests.meetAstray(this.#marksOf(request), 'method-changed');
        reply.header('allow', 'POST, OPTIONS');
        return this.#send(request, reply, 'wrong-method');
      }
      selfTests.meetAstray(this.#marksOf(request), 'path-changed');
      return this.#send(request, reply, 'unknown-address');
    };
    app.addHook('onRequest', (request, reply, next) => {
      // HTTP forbids such a request (RFC 9112, 3.2).
      if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
        this.#send(request, reply, 'not-http');
      } else if (request.is404) {
        answer(request, reply).catch((error: FastifyError) =>
          this.#send(request, reply, answerToFault(error)),
        );
      } else {
        next();
      }
    });
  }

  #answerHandshake(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const origin = headerOf(request, WEBHOOK_HEADERS.requestOrigin) ?? '';
    if (!this.#parts.consent.allows(origin)) {
      return this.#send(request, reply, 'no-consent');
    }
    reply.headers(consentHeaders(origin, headerOf(request, WEBHOOK_HEADERS.requestRate) ?? ''));
    return this.#send(request, reply, 'consented');
  }

  /** Sends one answer, counted and limited; `page` is for a person, instead of the answer's name. */
  #send(request: FastifyRequest, reply: FastifyReply, answer: Answer, page?: CallbackPage): FastifyReply {
    const { refusalLimiter, guard } = this.#parts;
    const given = refusalLimiter.answer(answer);
    if (isGenuine(given)) {
      guard.vouchFor(request.raw.socket);
    }
    if (page !== undefined && given === answer) {
      return reply.code(page.status).headers(page.headers).send(page.body);
    }
    reply.code(STATUSES[given]);
    if (STATUSES[given] === 204) {
      return reply.send();
    }
    if (given === 'limited' || STATUSES[given] === 503) {
      reply.header('retry-after', String(RETRY_AFTER_S));
    }
    if (isRefusal(given) && bodyGoesOn(request)) {
      // The server does not wait for the rest of the body.
      reply.header('connection', 'close');
    }
    return reply.type('text/plain; charset=utf-8').send(given);
  }

  #headOf(request: FastifyRequest): DeliveryHead {
    return {
      contentTypes: contentTypesOf(request),
      contentEncoding: request.headers['content-encoding'],
      contentLength: request.headers['content-length'],
      ...this.#marksOf(request),
    };
  }

  #marksOf(request: FastifyRequest): Marks {
    return {
      signature: headerOf(request, this.#parts.signatureHeader),
      marker: headerOf(request, SELF_TEST_HEADER),
    };
  }
}

function answerToFault({ statusCode = 500 }: FastifyError): Answer {
  if (statusCode === STATUSES['too-large']) {
    return 'too-large';
  }
  return statusCode >= 500 ? 'failed' : 'not-http';
}

/** True while the rest of a body is larger than any that is read. */
function bodyGoesOn({ raw }: FastifyRequest): boolean {
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = raw.headers;
  return !raw.complete && (encoding !== undefined || Number(length) > LARGEST_BODY_BYTES);
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Node returns the first of several headers; a sender of several may want them to be read in two ways. */
function contentTypesOf({ raw }: FastifyRequest): readonly string[] {
  const { rawHeaders } = raw;
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'content-type');
}
