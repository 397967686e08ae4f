// The authorization server: the address for the browser, the exchange of a code, and renewals of tokens.
import type { Instant } from '../domain/bolt.ts';
import type { AuthorizationServer, TokenPair } from '../domain/ports.ts';
import {
  FinalError,
  type LatchkeyError,
  RelinkError,
  RetryError,
  UncertainError,
  WaitError,
} from '../support/errors.ts';
import { HEADERS, OAUTH_PATHS } from '../wire/endpoints.ts';
import { decodeError } from '../wire/error-codec.ts';
import {
  type ClientCredentials,
  type DecodedTokens,
  decodeOAuthError,
  decodeTokens,
  encodeAuthorizeQuery,
  encodeExchange,
  encodeRefresh,
  type OAuthError,
} from '../wire/oauth-codec.ts';
import { readFailure } from './answer-errors.ts';
import { type HttpAnswer, type HttpOutcome, jsonOf } from './exchange.ts';
import { HttpClient, type HttpClientSettings } from './http-client.ts';
import { overloadWaitMs, rateLimitWaitMs } from './limits.ts';
import { instantOf, ServiceTime } from './service-time.ts';

export interface OAuthClientSettings extends Pick<HttpClientSettings, 'allowInsecureLoopback' | 'clock'> {
  readonly authUrl: string;
  /** Asked before each use, because a person may change it. Throws final (`bad-configuration`) while it is missing. */
  readonly client: () => ClientCredentials;
  readonly redirectUri: string;
}

/**
 * A token call is given up after this long (our choice): a refresh token posted again while its first answer is still
 * to come counts as stolen with a strict server, and the link is lost (faults#81).
 */
const TOKEN_ANSWER_WITHIN_MS = 120_000;

export class OAuthClient implements AuthorizationServer {
  readonly #settings: OAuthClientSettings;
  /** The clock of this server, which may differ from the device interface's. */
  readonly #serverTime: ServiceTime;
  readonly #http: HttpClient;

  constructor(settings: OAuthClientSettings) {
    this.#settings = settings;
    this.#serverTime = new ServiceTime(settings.clock);
    this.#http = new HttpClient({
      ...settings,
      baseUrl: settings.authUrl,
      onHead: ({ headers }, sentAt, receivedAt) => {
        this.#serverTime.observe(headers[HEADERS.date], sentAt, receivedAt);
      },
    });
  }

  /** Throws final (`bad-configuration`) while the client is not known. */
  authorizeUrl({ state, challenge }: { readonly state: string; readonly challenge: string | null }): string {
    const { authUrl, client, redirectUri } = this.#settings;
    const { clientId } = client();
    const query = encodeAuthorizeQuery({ clientId, redirectUri, state, challenge });
    return `${authUrl.replace(/\/+$/, '')}${OAUTH_PATHS.authorize}?${query}`;
  }

  /**
   * Exchanges a code, which is good once and not for long. Rejects with final when it is used or too old, with
   * uncertain when the answer was lost; either way the person starts again.
   */
  async exchange(code: string, verifier: string | null): Promise<TokenPair> {
    const { client, redirectUri } = this.#settings;
    const outcome = await this.#post(encodeExchange(client(), { code, redirectUri, verifier }));
    if (outcome.kind === 'failure') {
      throw outcome.written
        ? new UncertainError('The answer to the code was lost. Start linking again.', {
            cause: outcome.cause,
          })
        : readFailure(outcome);
    }
    const tokens = tokensOf(outcome);
    if (tokens !== null && tokens.refreshToken !== null) {
      return this.#pair({ ...tokens, refreshToken: tokens.refreshToken }, outcome);
    }
    throw exchangeRefusal(outcome, this.#serverTime.now());
  }

  /**
   * Spends a refresh token. Rejects with relink only when the service clearly says that the token is no good
   * (faults#13), else with retry or wait, and the same token may be spent again.
   */
  async refresh(refreshToken: string): Promise<TokenPair> {
    const outcome = await this.#post(encodeRefresh(this.#settings.client(), refreshToken));
    if (outcome.kind === 'failure') {
      throw readFailure(outcome);
    }
    const tokens = tokensOf(outcome);
    if (tokens !== null) {
      return this.#pair({ ...tokens, refreshToken: tokens.refreshToken ?? refreshToken }, outcome);
    }
    throw refreshRefusal(outcome, this.#serverTime.now());
  }

  /** Ends pending calls as if their deadline had passed. */
  async close(): Promise<void> {
    await this.#http.close();
  }

  async #post(form: string): Promise<HttpOutcome> {
    return this.#http.send({
      method: 'POST',
      path: OAUTH_PATHS.token,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
      deadlineMs: TOKEN_ANSWER_WITHIN_MS,
      // A refresh token may be good only once, like a command.
      ownConnection: true,
    });
  }

  /** Dated by the answer itself: an earlier measurement may be from before this machine slept. */
  #pair(tokens: DecodedTokens & { readonly refreshToken: string }, { headers }: HttpAnswer): TokenPair {
    const issuedAt = instantOf(headers[HEADERS.date]);
    return { ...tokens, receivedAt: this.#settings.clock.now(), issuedAt };
  }
}

function tokensOf({ status, text }: HttpAnswer): DecodedTokens | null {
  return status >= 200 && status < 300 ? decodeTokens(jsonOf(text)) : null;
}

function exchangeRefusal(answer: HttpAnswer, now: Instant): LatchkeyError {
  const error = oauthErrorOf(answer);
  if (error === 'invalid_grant') {
    return new FinalError('refused', 'The code was used already, or it is too old. Start linking again.');
  }
  if (error === null && leadsElsewhere(answer)) {
    return new FinalError('bad-configuration', addressWords(answer.status));
  }
  return clientFault(error) ?? passingFault(answer, now);
}

function refreshRefusal(answer: HttpAnswer, now: Instant): LatchkeyError {
  const error = oauthErrorOf(answer);
  const fault = clientFault(error);
  if (fault !== null) {
    return fault;
  }
  if (answer.status === 401 && !isPage(answer)) {
    // Specification, Flow 7: independent of the error.
    return new RelinkError('expired', 'The link to the lock account has expired. Link the account again.');
  }
  return error === 'invalid_grant'
    ? new RelinkError('revoked', 'The lock account no longer accepts the link. Link the account again.')
    : passingFault(answer, now);
}

/** An OAuth error comes with 400 or 401 (RFC 6749, 5.2): the same words with another status are those of a gateway. */
function oauthErrorOf({ status, text }: HttpAnswer): OAuthError | null {
  return status === 400 || status === 401 ? decodeOAuthError(jsonOf(text)) : null;
}

/** The fault of a client that the service does not know or accept; null for other errors. */
function clientFault(error: OAuthError | null): FinalError | null {
  if (error === null || error === 'invalid_grant') {
    return null;
  }
  const isUnknown = error === 'invalid_client' || error === 'unauthorized_client';
  return new FinalError(
    'bad-configuration',
    isUnknown
      ? `The service does not know this client (${error}); check client id and client secret on the plugin's pages or in config.json.`
      : `The service does not accept the request (${error}); check client id and client secret on the plugin's pages or in config.json, and the redirect URI in config.json.`,
  );
}

/** A page of a gateway: neither empty nor JSON, so the service did not write it. */
function isPage({ text }: HttpAnswer): boolean {
  return text.trim() !== '' && jsonOf(text) === undefined;
}

function leadsElsewhere({ status }: HttpAnswer): boolean {
  return status === 404 || (status >= 300 && status < 400);
}

function addressWords(status: number): string {
  return `The address of the authorization server leads elsewhere (HTTP ${String(status)}); check it in the configuration.`;
}

/**
 * All other answers are passing faults: a page of a proxy, a server that fails, a success that cannot be read. A
 * gateway's single 404 or redirect is one of them.
 */
function passingFault(answer: HttpAnswer, now: Instant): LatchkeyError {
  const { status, headers, text } = answer;
  const named = `(HTTP ${String(status)})`;
  const waitMs =
    status === 429
      ? rateLimitWaitMs(headers, decodeError(jsonOf(text)).sentence, now)
      : status === 503
        ? overloadWaitMs(headers, now)
        : null;
  if (waitMs !== null) {
    return new WaitError('rate-limited', `The authorization server asked for a pause ${named}.`, waitMs);
  }
  const words = leadsElsewhere(answer)
    ? addressWords(status)
    : `The authorization server did not answer as it should ${named}.`;
  return new RetryError('server-fault', words);
}
