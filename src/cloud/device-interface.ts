// Calls of the device interface: token and key headers, a new token after a 401, and the waits the service asks for.
import type { Instant } from '../domain/bolt.ts';
import type { SendGuard } from '../domain/ports.ts';
import { type Clock, inTime } from '../support/clock.ts';
import { FinalError, type LatchkeyError, RetryError } from '../support/errors.ts';
import type { CommandRequest } from '../wire/command-codec.ts';
import { HEADERS, type Headers } from '../wire/endpoints.ts';
import { decodeError, isKeyRefusal, type ServiceError } from '../wire/error-codec.ts';
import { commandFailure, commandRefusal, readFailure, readRefusal } from './answer-errors.ts';
import { type HttpAnswer, type HttpRequest, jsonOf } from './exchange.ts';
import { HttpClient, type HttpClientSettings } from './http-client.ts';
import { CallGate, type Operation, overloadWaitMs, rateLimitWaitMs } from './limits.ts';
import type { ServiceTime } from './service-time.ts';
import { SubscriptionKeys } from './subscription-keys.ts';

/** Where access tokens come from. */
export interface AccessTokens {
  /** A token to use now. Rejects with retry, wait, relink or final. */
  accessToken(): Promise<string>;
  /** The service refused this token: it is renewed, unless that was just tried. */
  invalidate(token: string): void;
  accepted(token: string): void;
}

export interface DeviceInterfaceSettings extends HttpClientSettings {
  /** One or two keys, read before each call because a person may change them. Throws final when there are none. */
  readonly subscriptionKeys: () => readonly string[];
  readonly tokens: AccessTokens;
  readonly serviceTime: ServiceTime;
  /**
   * Throws unless this process may act for the account. Called before a token is requested and again right before the
   * first byte is sent, because tokens and connections take time.
   */
  readonly assertOwned?: () => void;
}

/** A request, the operation that its limits count for, a check right before it is sent, and a callback once it is. */
interface GuardedRequest extends HttpRequest {
  readonly operation: Operation;
  readonly beforeLeaving: () => void;
  readonly left?: () => void;
}

/** A successful answer. */
export interface ServiceReply {
  readonly headers: Headers;
  /** The parsed JSON, or undefined when the body is none. */
  readonly body: unknown;
  /** The earliest service time at which the question can have been sent. */
  readonly askedAt: Instant;
}

export class DeviceInterface {
  readonly #http: HttpClient;
  readonly #keys: SubscriptionKeys;
  readonly #tokens: AccessTokens;
  readonly #clock: Clock;
  readonly #serviceTime: ServiceTime;
  readonly #gate: CallGate;
  readonly #assertOwned: () => void;

  constructor(settings: DeviceInterfaceSettings) {
    const { clock, serviceTime } = settings;
    this.#clock = clock;
    this.#serviceTime = serviceTime;
    this.#tokens = settings.tokens;
    this.#assertOwned = settings.assertOwned ?? (() => {});
    this.#keys = new SubscriptionKeys(settings.subscriptionKeys);
    this.#gate = new CallGate(clock);
    this.#http = new HttpClient(settings);
  }

  /** Reads something. Rejects with retry, wait, relink or final. */
  async read(path: string, operation: Operation): Promise<ServiceReply> {
    return this.#ask({ operation, method: 'GET', path, headers: {} });
  }

  /** Sends an idempotent request. Rejects as `read` does. */
  async ensure(
    method: 'POST' | 'DELETE',
    path: string,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<ServiceReply> {
    return this.#ask({ operation: 'subscriptions', method, path, ...contentOf(body ?? null) });
  }

  /**
   * Sends a command, which must not happen twice. Rejects with `uncertain` when it may have happened, with retry or
   * wait only when it certainly has not: with `aborted` when `leave.stillWanted` denied it before the first byte, and
   * with the error of `leave.written` when that was rejected.
   */
  async send({ method, path, body }: CommandRequest, leave: SendGuard): Promise<ServiceReply> {
    const request: GuardedRequest = {
      operation: 'command',
      method,
      path,
      ...contentOf(body),
      ownConnection: true,
      notBefore: leave.written,
      beforeLeaving: () => {
        this.#assertOwned();
        if (!leave.stillWanted()) {
          throw new RetryError('aborted', 'The command was not sent: it is no longer wanted.');
        }
      },
      left: leave.left,
    };
    const asking = this.#serviceTime.asking();
    const answer = await this.#call(request, commandFailure, leave.withinMs);
    return this.#reply(request.operation, answer, asking, commandRefusal);
  }

  /** Ends pending calls as if their deadline had passed. */
  async close(): Promise<void> {
    await this.#http.close();
  }

  async #ask(request: Omit<GuardedRequest, 'beforeLeaving'>): Promise<ServiceReply> {
    const asking = this.#serviceTime.asking();
    const answer = await this.#call({ ...request, beforeLeaving: this.#assertOwned }, readFailure);
    return this.#reply(request.operation, answer, asking, readRefusal);
  }

  /** An answer other than 401. After a 401, which processed nothing, a new token is tried once if there is one. */
  async #call(
    request: GuardedRequest,
    failed: typeof readFailure,
    leavesWithinMs = Number.POSITIVE_INFINITY,
  ): Promise<HttpAnswer> {
    const leavesUntil = this.#clock.monotonic() + leavesWithinMs;
    let refused: string | null = null;
    for (;;) {
      request.beforeLeaving();
      const token = await this.#token(leavesUntil);
      if (token === refused) {
        throw refusedTokens();
      }
      const answer = await this.#callWith(token, request, failed, leavesUntil);
      if (answer.status !== 401) {
        return answer;
      }
      this.#tokens.invalidate(token);
      if (refused !== null) {
        throw refusedTokens();
      }
      refused = token;
    }
  }

  /** Tries the keys with one token: the answer, or a 401 that is about the token. */
  async #callWith(
    token: string,
    request: GuardedRequest,
    failed: typeof readFailure,
    leavesUntil: number,
  ): Promise<HttpAnswer> {
    for (const key of this.#keys.inOrder()) {
      request.beforeLeaving();
      this.#gate.pass(request.operation);
      const outcome = await this.#http.send({
        ...request,
        beforeLeaving: () => {
          request.beforeLeaving();
          request.left?.();
        },
        headers: {
          ...request.headers,
          [HEADERS.authorization]: `Bearer ${token}`,
          [HEADERS.subscriptionKey]: key,
        },
        ...(Number.isFinite(leavesUntil) ? { startWithinMs: leavesUntil - this.#clock.monotonic() } : {}),
      });
      if (outcome.kind === 'failure') {
        throw failed(outcome);
      }
      if (outcome.status !== 401 || !isKeyRefusal(decodeError(jsonOf(outcome.text)))) {
        this.#keys.prefer(key);
        if (outcome.status >= 200 && outcome.status < 300) {
          this.#tokens.accepted(token);
        }
        return outcome;
      }
    }
    throw new FinalError(
      'bad-configuration',
      "The service accepts none of the subscription keys; check them on the plugin's pages or in config.json.",
    );
  }

  /** A token in time for a command, which must be sent until then. */
  async #token(leavesUntil: number): Promise<string> {
    const token = this.#tokens.accessToken();
    return Number.isFinite(leavesUntil)
      ? inTime(
          this.#clock,
          leavesUntil - this.#clock.monotonic(),
          token,
          () => new RetryError('timed-out', 'The command was not sent: no access token came in time.'),
        )
      : token;
  }

  #reply(
    operation: Operation,
    { status, headers, text, sentAt }: HttpAnswer,
    asking: Instant,
    refused: (status: number, error: ServiceError) => LatchkeyError,
  ): ServiceReply {
    const body = jsonOf(text);
    if (status >= 200 && status < 300) {
      return { headers, body, askedAt: this.#serviceTime.at(sentAt, asking) };
    }
    const error = decodeError(body);
    const now = this.#serviceTime.now();
    if (status === 429) {
      throw this.#gate.shut(
        operation,
        rateLimitWaitMs(headers, error.sentence, now),
        'The service asked for a pause: too many requests (HTTP 429).',
      );
    }
    const overloadMs = status === 503 ? overloadWaitMs(headers, now) : null;
    throw overloadMs === null
      ? refused(status, error)
      : this.#gate.shut(operation, overloadMs, 'The service is overloaded and asked for a pause (HTTP 503).');
  }
}

function contentOf(body: CommandRequest['body']): Pick<HttpRequest, 'headers' | 'body'> {
  return body === null
    ? { headers: {} }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function refusedTokens(): RetryError {
  return new RetryError('server-fault', 'The service refused an access token that it had just issued.');
}
