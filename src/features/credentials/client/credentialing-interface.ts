// Sends calls of the credentialing interface: rate windows, both subscription keys, a new token after a 401, and every
// wait.

import { SubscriptionKeys } from '../../../cloud/account/subscription-keys.ts';
import { isPart } from '../../../cloud/http/answer-errors.ts';
import { type HttpAnswer, jsonOf } from '../../../cloud/http/exchange.ts';
import { HttpClient } from '../../../cloud/http/http-client.ts';
import { askedWaitMs } from '../../../cloud/http/limits.ts';
import { message } from '../../../domain/language/message.ts';
import type { Clock } from '../../../support/clock.ts';
import { FinalError, RetryError, WaitError } from '../../../support/errors.ts';
import { HEADERS } from '../../../wire/endpoints.ts';
import { decodeError, isForeign } from '../../../wire/error-codec.ts';
import { decodeRateFacts } from '../../../wire/rate-limit-codec.ts';
import type { CredentialOperation } from '../policy/credential.ts';
import type { RateWindowStore } from '../policy/ports.ts';
import { CallQueue } from './call-queue.ts';
import { decodeToken, encodeLogin } from './credential-codec.ts';
import { CREDENTIAL_ACCEPT, type CredentialEndpoint, credentialEndpoints } from './credential-endpoints.ts';
import type { CallOptions } from './credential-gateway.ts';
import { failureOf, refusalOf, unreadable } from './credentialing-errors.ts';
import { CredentialingSession, type InterfaceLogin, type TokenStore } from './credentialing-session.ts';

export interface CredentialingSettings {
  readonly credentialsUrl: string;
  readonly allowInsecureLoopback: boolean;
  /** One or two, read before each call. Throws final (`bad-configuration`) when there are none. */
  readonly subscriptionKeys: () => readonly string[];
  /** The current login; throws final (`bad-configuration`) without one. */
  readonly login: () => InterfaceLogin;
  readonly tokens: TokenStore;
  readonly windows: RateWindowStore;
  readonly clock: Clock;
}

export interface CredentialingCall {
  readonly operation: CredentialOperation;
  readonly endpoint: CredentialEndpoint;
  readonly body?: object;
  /** False for calls that must not happen twice. */
  readonly repeatable: boolean;
}

/** Consecutive refusals that one call waits out before it fails (our choice): clients that ignore them are suspended. */
const MAX_REFUSALS = 10;

export class CredentialingInterface {
  readonly session: CredentialingSession;
  readonly #http: HttpClient;
  readonly #keys: SubscriptionKeys;
  readonly #queue: CallQueue;
  readonly #clock: Clock;

  /** Throws a final error when the address may not be called. */
  constructor(settings: CredentialingSettings) {
    const { credentialsUrl, clock, subscriptionKeys, tokens, login } = settings;
    this.#clock = clock;
    this.#http = new HttpClient({ ...settings, baseUrl: credentialsUrl });
    this.#keys = new SubscriptionKeys(subscriptionKeys, message('The credentialing interface'));
    this.#queue = new CallQueue(settings);
    this.session = new CredentialingSession({
      store: tokens,
      login,
      clock,
      request: async (pair, options) => this.#logIn(pair, options),
    });
  }

  /** The body of a successful answer. Rejects with the errors of `support/errors.ts`. */
  async call(call: CredentialingCall, options: CallOptions = {}): Promise<unknown> {
    return (await this.ask(call, options)).body;
  }

  /** The same, with whether more pages may follow. */
  async ask(
    call: CredentialingCall,
    options: CallOptions = {},
  ): Promise<{ readonly body: unknown; readonly isPart: boolean }> {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const token = await this.session.token(options);
      const answer = await this.#callWith(call, token, options);
      if (answer.status !== 401) {
        return { body: successOf(answer, call.repeatable), isPart: isPart(answer.headers) };
      }
      this.session.invalidate(token);
    }
    throw new RetryError('server-fault', message('The service refused a token that it had just given.'));
  }

  /** Ends running calls as on timeout. */
  async close(): Promise<void> {
    await this.#http.close();
  }

  async #logIn(
    login: InterfaceLogin,
    options: CallOptions,
  ): Promise<{ readonly token: string; readonly lifetimeMs: number }> {
    const call = {
      operation: 'login',
      endpoint: credentialEndpoints.login(),
      body: encodeLogin(login),
      repeatable: true,
    } as const;
    const answer = await this.#callWith(call, null, options);
    const isRefused = answer.status === 401 || answer.status === 403;
    if (isRefused && !isForeign(decodeError(jsonOf(answer.text)))) {
      throw new FinalError(
        'bad-configuration',
        message(
          'The credentialing interface refused the user name or the password. Log in again with: {command}',
          { command: 'npx homebridge-latchkey credentials login' },
        ),
      );
    }
    const token = decodeToken(successOf(answer, true));
    if (token === null) {
      throw unreadable('the token');
    }
    return token;
  }

  /** An answer other than 429 or a key rejection. Keys are tried in turn; a rate refusal is waited out. */
  async #callWith(call: CredentialingCall, token: string | null, options: CallOptions): Promise<HttpAnswer> {
    return this.#keys.ask(async (key) => this.#unlimited(call, { token, key }, options));
  }

  /** A 429 was not processed: the call is sent again after the requested wait. */
  async #unlimited(
    call: CredentialingCall,
    proof: { readonly token: string | null; readonly key: string },
    options: CallOptions,
  ): Promise<HttpAnswer> {
    let waitMs = 0;
    for (let refusals = 0; refusals < MAX_REFUSALS; refusals += 1) {
      const answer = await this.#once(call, proof, options);
      if (answer.status !== 429) {
        return answer;
      }
      const { sentence } = decodeError(jsonOf(answer.text));
      waitMs = askedWaitMs(answer, sentence, this.#clock.now()) ?? 0;
      this.#queue.refused(call.operation, waitMs);
    }
    throw new WaitError('rate-limited', message('The service keeps asking for a pause (HTTP 429).'), waitMs);
  }

  async #once(
    { operation, endpoint, body, repeatable }: CredentialingCall,
    { token, key }: { readonly token: string | null; readonly key: string },
    options: CallOptions,
  ): Promise<HttpAnswer> {
    const ticket = await this.#queue.take(operation, options);
    const outcome = await this.#http.send({
      ...endpoint,
      headers: {
        accept: CREDENTIAL_ACCEPT,
        [HEADERS.subscriptionKey]: key,
        ...(token === null ? {} : { [HEADERS.authorization]: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ownConnection: !repeatable,
      ...(options.onSend === undefined || token === null ? {} : { beforeLeaving: options.onSend }),
    });
    if (outcome.kind === 'answer') {
      ticket.answered(decodeRateFacts(outcome.headers));
      return outcome;
    }
    if (!outcome.written) {
      ticket.cancelled();
    }
    throw failureOf(outcome, repeatable);
  }
}

function successOf({ status, text }: HttpAnswer, repeatable: boolean): unknown {
  const body = jsonOf(text);
  if (status < 200 || status >= 300) {
    throw refusalOf(status, decodeError(body).sentence, repeatable);
  }
  return body;
}
