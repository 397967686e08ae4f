// Calls of the device interface: token and key headers, a new token after a 401, and the waits of the service.

import { message } from '../domain/language/message.ts';
import type { SendGuard } from '../domain/ports.ts';
import type { Instant } from '../domain/time/instant.ts';
import { inTime } from '../support/clock.ts';
import { RetryError } from '../support/errors.ts';
import type { CommandRequest } from '../wire/command-codec.ts';
import { HEADERS, type Headers } from '../wire/endpoints.ts';
import { decodeError } from '../wire/error-codec.ts';
import { SubscriptionKeys } from './account/subscription-keys.ts';
import type { AccessTokens } from './account/token-session.ts';
import { type CallErrors, COMMAND_ERRORS, READ_ERRORS } from './http/answer-errors.ts';
import { type HttpAnswer, type HttpRequest, jsonOf } from './http/exchange.ts';
import { HttpClient, type HttpClientSettings } from './http/http-client.ts';
import { askedWaitMs, CallGate, type Operation } from './http/limits.ts';
import type { ServiceTime } from './http/service-time.ts';

export interface DeviceInterfaceSettings extends HttpClientSettings {
  /** One or two keys, read before each call because a person may change them. Throws final when there are none. */
  readonly subscriptionKeys: () => readonly string[];
  readonly tokens: AccessTokens;
  readonly serviceTime: ServiceTime;
  /** The pauses, shared with the next process of the account; one of its own if left out. */
  readonly gate?: CallGate;
  /** Throws unless this process may act for the account. Called before a token is requested, and before the first byte. */
  readonly assertOwned?: () => void;
}

interface Call extends HttpRequest {
  readonly operation: Operation;
  readonly errors: CallErrors;
  /** Throws when it may not be sent; asked before each step and right before the first byte. */
  readonly check: () => void;
  readonly left?: () => void;
}

export interface ServiceReply {
  readonly headers: Headers;
  /** The parsed JSON, or undefined when the body has none. */
  readonly body: unknown;
  /** The earliest service time at which the question can have been sent. */
  readonly askedAt: Instant;
}

export class DeviceInterface {
  readonly #settings: DeviceInterfaceSettings;
  readonly #http: HttpClient;
  readonly #keys: SubscriptionKeys;
  readonly #gate: CallGate;

  constructor(settings: DeviceInterfaceSettings) {
    this.#settings = settings;
    this.#http = new HttpClient(settings);
    this.#keys = new SubscriptionKeys(settings.subscriptionKeys, message('The service'));
    this.#gate = settings.gate ?? new CallGate(settings.clock);
  }

  /** Reads something. Rejects with retry, wait, relink or final. */
  async read(path: string, operation: Operation): Promise<ServiceReply> {
    return this.#askIdempotent({ operation, method: 'GET', path, headers: {} });
  }

  /** Sends an idempotent request. Rejects as `read` does. */
  async ensure(
    method: 'POST' | 'DELETE',
    path: string,
    body: Readonly<Record<string, unknown>> | null = null,
  ): Promise<ServiceReply> {
    return this.#askIdempotent({ operation: 'subscriptions', method, path, ...contentOf(body) });
  }

  /**
   * Sends a command, which must not happen twice. Rejects with `uncertain` when it may have happened, with retry or
   * wait only when it certainly has not: with `aborted` when `leave.stillWanted` denied it before the first byte, and
   * with the error of `leave.written` when that was rejected.
   */
  async send({ method, path, body }: CommandRequest, leave: SendGuard): Promise<ServiceReply> {
    this.#gate.tapped();
    return this.#ask({
      operation: 'command',
      method,
      path,
      ...contentOf(body),
      errors: COMMAND_ERRORS,
      ownConnection: true,
      notBefore: leave.written,
      startWithinMs: leave.withinMs,
      check: () => {
        this.#settings.assertOwned?.();
        if (!leave.stillWanted()) {
          throw new RetryError('aborted', 'The command was not sent: it is no longer wanted.');
        }
      },
      left: leave.left,
    });
  }

  /** Ends pending calls as if their deadline had passed. */
  async close(): Promise<void> {
    await this.#http.close();
  }

  async #askIdempotent(request: HttpRequest & Pick<Call, 'operation'>): Promise<ServiceReply> {
    return this.#ask({
      ...request,
      errors: READ_ERRORS,
      check: () => this.#settings.assertOwned?.(),
    });
  }

  /** After a 401, which processed nothing, a new token is tried once if there is one. */
  async #ask(call: Call): Promise<ServiceReply> {
    const { clock, serviceTime, tokens } = this.#settings;
    const asking = serviceTime.asking();
    const leavesUntil = clock.monotonic() + (call.startWithinMs ?? Number.POSITIVE_INFINITY);
    const refused = new Set<string>();
    while (refused.size < 2) {
      call.check();
      const token = await this.#token(leavesUntil, call.operation === 'command');
      if (refused.has(token)) {
        break;
      }
      const answer = await this.#keys.ask(async (key) => this.#send(call, token, key, leavesUntil));
      if (answer.status >= 200 && answer.status < 300) {
        tokens.accepted(token);
      }
      if (answer.status !== 401) {
        return this.#reply(call, answer, asking);
      }
      tokens.invalidate(token);
      refused.add(token);
    }
    throw new RetryError(
      'server-fault',
      message('The service refused an access token that it had just issued.'),
    );
  }

  async #send(call: Call, token: string, key: string, leavesUntil: number): Promise<HttpAnswer> {
    call.check();
    this.#gate.pass(call.operation);
    const outcome = await this.#http.send({
      ...call,
      headers: {
        ...call.headers,
        [HEADERS.authorization]: `Bearer ${token}`,
        [HEADERS.subscriptionKey]: key,
      },
      startWithinMs: leavesUntil - this.#settings.clock.monotonic(),
      beforeLeaving: () => {
        call.check();
        call.left?.();
      },
    });
    if (outcome.kind === 'failure') {
      throw call.errors.failure(outcome);
    }
    if (outcome.status !== 429 && outcome.status < 500) {
      this.#gate.taken(call.operation);
    }
    return outcome;
  }

  /** A token in time: a command must be sent until then. */
  async #token(leavesUntil: number, isTapped: boolean): Promise<string> {
    const { clock, tokens } = this.#settings;
    return inTime(
      clock,
      leavesUntil - clock.monotonic(),
      tokens.accessToken(isTapped),
      () => new RetryError('timed-out', message('The command was not sent: no access token came in time.')),
    );
  }

  #reply({ operation, errors }: Call, answer: HttpAnswer, asking: Instant): ServiceReply {
    const { status, headers, text, sentAt } = answer;
    const { serviceTime } = this.#settings;
    const body = jsonOf(text);
    if (status >= 200 && status < 300) {
      return { headers, body, askedAt: serviceTime.at(sentAt, asking) };
    }
    const error = decodeError(body);
    const waitMs = askedWaitMs(answer, error.sentence, serviceTime.now());
    throw waitMs === null ? errors.refusal(status, error) : this.#gate.shut(operation, waitMs, status);
  }
}

function contentOf(body: CommandRequest['body']): Pick<HttpRequest, 'headers' | 'body'> {
  return body === null
    ? { headers: {} }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
