// Calls of the device interface: both common headers, the second key, a new token after a 401, and every wait obeyed.
import type { Instant } from '../domain/bolt.ts';
import type { SendGuard } from '../domain/ports.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError, type LatchkeyError, RetryError } from '../support/errors.ts';
import { HEADERS, type Headers } from '../wire/endpoints.ts';
import { decodeError, isKeyRefusal, type ServiceError } from '../wire/error-codec.ts';
import { commandFailure, commandRefusal, readFailure, readRefusal } from './answer-errors.ts';
import { type HttpAnswer, jsonOf } from './exchange.ts';
import { HttpClient, type HttpRequest } from './http-client.ts';
import { CallGate, overloadWaitMs, rateLimitWaitMs } from './limits.ts';
import type { ServiceTime } from './service-time.ts';
import { SubscriptionKeys } from './subscription-keys.ts';

/** Where access tokens come from. */
export interface AccessTokens {
  /** A token to use now. Rejects with retry, wait, relink or final. */
  accessToken(): Promise<string>;
  /** The same, where nothing has to be waited for; else null. Never throws. */
  readyToken(): string | null;
  /** The service refused this token: it is not handed out again. */
  invalidate(token: string): void;
}

export interface DeviceInterfaceSettings {
  readonly baseUrl: string;
  readonly allowInsecureLoopback: boolean;
  /** One or two; asked before each call, because a person may change them. Throws final when there are none. */
  readonly subscriptionKeys: () => readonly string[];
  readonly tokens: AccessTokens;
  readonly clock: Clock;
  readonly serviceTime: ServiceTime;
  /**
   * Throws unless this process may act for the account. Asked before a token is, and again at the last moment before
   * anything leaves, because tokens and connections take their time.
   */
  readonly assertOwned?: () => void;
}

/** A request, what is asked before each step towards its departure, and what hears of that. */
type GuardedRequest = HttpRequest & { readonly beforeLeaving: () => void; readonly left?: () => void };

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
  /** What was read last, and how it read. */
  #latest: { readonly text: string; readonly body: unknown } | null = null;

  constructor(settings: DeviceInterfaceSettings) {
    const { clock, serviceTime } = settings;
    this.#clock = clock;
    this.#serviceTime = serviceTime;
    this.#tokens = settings.tokens;
    this.#assertOwned = settings.assertOwned ?? (() => {});
    this.#keys = new SubscriptionKeys(settings.subscriptionKeys);
    this.#gate = new CallGate(clock);
    this.#http = new HttpClient({
      ...settings,
      onHead: ({ headers }, sentAt, receivedAt) => {
        serviceTime.observe(headers[HEADERS.date], sentAt, receivedAt);
      },
    });
  }

  /**
   * Asks for something. The same words as the last time are the same object, so that a quiet house has nothing to decode.
   * Rejects with retry, wait, relink or final.
   */
  async read(path: string): Promise<ServiceReply> {
    const request = { method: 'GET', path, headers: {}, beforeLeaving: this.#assertOwned } as const;
    const asking = this.#serviceTime.asking();
    const answer = await this.#call(request, readFailure);
    const reply = this.#reply(answer, asking, readRefusal, this.#latest);
    if (this.#latest?.body !== reply.body) {
      this.#latest = { text: answer.text, body: reply.body };
    }
    return reply;
  }

  /** Sends something that may happen twice, since the second time changes nothing. Rejects as `read` does. */
  async ensure(
    method: 'POST' | 'DELETE',
    path: string,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<ServiceReply> {
    const content =
      body === undefined
        ? { headers: {} }
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const request = { method, path, ...content, beforeLeaving: this.#assertOwned };
    const asking = this.#serviceTime.asking();
    const answer = await this.#call(request, readFailure);
    return this.#reply(answer, asking, readRefusal);
  }

  /**
   * Sends something that must not happen twice. Rejects with `uncertain` when it may have happened, with retry or wait
   * only when it certainly has not: `aborted` when `leave.stillWanted` denied it, which is asked until its first byte
   * leaves, and as `leave.written` when that was rejected. An answer whose head says that it was accepted counts, even
   * if its body is lost.
   */
  async send(path: string, body: Readonly<Record<string, unknown>>, leave: SendGuard): Promise<ServiceReply> {
    const request: GuardedRequest = {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
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
    return this.#reply(answer, asking, commandRefusal);
  }

  /** Ends what is under way as if its deadline had passed. */
  async close(): Promise<void> {
    await this.#http.close();
  }

  /** One answer that is not a 401: keys and tokens are tried here. A 401 means that nothing was processed. */
  async #call(
    request: GuardedRequest,
    failed: typeof readFailure,
    leavesWithinMs = Number.POSITIVE_INFINITY,
  ): Promise<HttpAnswer> {
    const leavesUntil = this.#clock.monotonic() + leavesWithinMs;
    for (let attempt = 0; attempt < 2; attempt += 1) {
      request.beforeLeaving();
      const token = this.#tokens.readyToken() ?? (await this.#token(leavesUntil));
      const answer = await this.#callWith(token, request, failed, leavesUntil);
      if (answer.status !== 401) {
        return answer;
      }
      this.#tokens.invalidate(token);
    }
    throw new RetryError('server-fault', 'The service refused an access token that it had just issued.');
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
      this.#gate.pass();
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
        return outcome;
      }
    }
    throw new FinalError(
      'bad-configuration',
      "The service accepts none of the subscription keys; check them on the plugin's pages or in config.json.",
    );
  }

  /** A token in time for a command that must leave until then. */
  async #token(leavesUntil: number): Promise<string> {
    const token = this.#tokens.accessToken();
    if (!Number.isFinite(leavesUntil)) {
      return token;
    }
    const tooLate = Promise.withResolvers<never>();
    const cancel = this.#clock.after(leavesUntil - this.#clock.monotonic(), () => {
      tooLate.reject(new RetryError('timed-out', 'The command was not sent: no access token came in time.'));
    });
    try {
      return await Promise.race([token, tooLate.promise]);
    } finally {
      cancel();
    }
  }

  #reply(
    { status, headers, text, sentAt }: HttpAnswer,
    asking: Instant,
    refused: (status: number, error: ServiceError) => LatchkeyError,
    latest: { readonly text: string; readonly body: unknown } | null = null,
  ): ServiceReply {
    const body = latest?.text === text ? latest.body : jsonOf(text);
    if (status >= 200 && status < 300) {
      return { headers, body, askedAt: this.#serviceTime.at(sentAt, asking) };
    }
    const error = decodeError(body);
    const now = this.#serviceTime.now();
    if (status === 429) {
      throw this.#gate.shut(
        rateLimitWaitMs(headers, error.sentence, now),
        'The service asked for a pause: too many requests (HTTP 429).',
      );
    }
    const overloadMs = status === 503 ? overloadWaitMs(headers, now) : null;
    throw overloadMs === null
      ? refused(status, error)
      : this.#gate.shut(overloadMs, 'The service is overloaded and asked for a pause (HTTP 503).');
  }
}
