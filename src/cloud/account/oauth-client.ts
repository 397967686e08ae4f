// The authorization server: the address for the browser, the exchange of a code, and renewals of tokens.
import { message } from '../../domain/language/message.ts';
import type { AuthorizationServer, TokenPair } from '../../domain/ports.ts';
import { UncertainError } from '../../support/errors.ts';
import { HEADERS, OAUTH_PATHS } from '../../wire/endpoints.ts';
import {
  type ClientCredentials,
  type DecodedTokens,
  decodeOAuthError,
  encodeAuthorizeQuery,
  encodeExchange,
  encodeRefresh,
} from '../../wire/oauth-codec.ts';
import { readFailure } from '../http/answer-errors.ts';
import { type HttpAnswer, type HttpOutcome, jsonOf } from '../http/exchange.ts';
import { HttpClient, type HttpClientSettings } from '../http/http-client.ts';
import { instantOf } from '../http/service-time.ts';
import { exchangeRefusal, holdsPair, isStrange, refreshRefusal, tokensOf } from './token-answer.ts';

export interface OAuthClientSettings extends Pick<HttpClientSettings, 'allowInsecureLoopback' | 'clock'> {
  readonly authUrl: string;
  /** Read before each use, because a person may change it. Throws final (`bad-configuration`) while it is missing. */
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
  readonly #http: HttpClient;
  /** The path that the server knows, which may need a slash at its end (specification, Authorization and token endpoints). */
  #tokenPath: string = OAUTH_PATHS.token;

  constructor(settings: OAuthClientSettings) {
    this.#settings = settings;
    this.#http = new HttpClient({ ...settings, baseUrl: settings.authUrl });
  }

  /** Throws final (`bad-configuration`) while the client is not known. */
  authorizeUrl({ state, challenge }: { readonly state: string; readonly challenge: string | null }): string {
    const { client, redirectUri } = this.#settings;
    const { clientId } = client();
    const query = encodeAuthorizeQuery({ clientId, redirectUri, state, challenge });
    return `${this.#addressOf(OAUTH_PATHS.authorize)}?${query}`;
  }

  /** Exchanges a code. Rejects with final when it is used or too old, with uncertain when the answer was lost. */
  async exchange(code: string, verifier: string | null): Promise<TokenPair> {
    const { client, redirectUri } = this.#settings;
    const outcome = await this.#post(encodeExchange(client(), { code, redirectUri, verifier }));
    if (outcome.kind === 'failure') {
      throw outcome.written
        ? new UncertainError(message('The answer to the code was lost. Start again.'), {
            cause: outcome.cause,
          })
        : readFailure(outcome);
    }
    const tokens = tokensOf(outcome);
    if (tokens?.isBearer === true && tokens.refreshToken !== null) {
      return this.#pair({ ...tokens, refreshToken: tokens.refreshToken }, outcome);
    }
    throw exchangeRefusal(outcome, this.#settings.clock.now());
  }

  /**
   * Spends a refresh token, of which the answer may bring a successor of any kind: it is taken. Rejects with relink only on an
   * OAuth error of the server (faults#13, faults#141), else with retry or wait.
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
    throw refreshRefusal(outcome, this.#settings.clock.now());
  }

  async close(): Promise<void> {
    await this.#http.close();
  }

  /** A route that is not there has spent nothing, so the same form may go to the other spelling of the path. */
  async #post(form: string): Promise<HttpOutcome> {
    const path = this.#tokenPath;
    const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    const outcome = await this.#postTo(path, form);
    if (outcome.kind === 'failure' || !this.#leadsTo(other, outcome)) {
      return outcome;
    }
    const second = await this.#postTo(other, form);
    if (second.kind === 'answer' && isStrange(second)) {
      return outcome;
    }
    this.#tokenPath = other;
    return second;
  }

  /** No such route, or a redirect to that path; its host is never followed, because the form holds secrets. */
  #leadsTo(path: string, { status, headers, text }: HttpAnswer): boolean {
    if (status !== 301 && status !== 307 && status !== 308) {
      return status === 404 && decodeOAuthError(jsonOf(text)) === null;
    }
    const address = this.#addressOf(path);
    const location = headers[HEADERS.location] ?? '';
    return location !== '' && URL.parse(location, address)?.pathname === new URL(address).pathname;
  }

  #addressOf(path: string): string {
    return `${this.#settings.authUrl.replace(/\/+$/, '')}${path}`;
  }

  async #postTo(path: string, form: string): Promise<HttpOutcome> {
    return this.#http.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
      deadlineMs: TOKEN_ANSWER_WITHIN_MS,
      // A refresh token may be good only once, like a command.
      ownConnection: true,
      isWhole: holdsPair,
    });
  }

  /** Dated by the answer itself: an earlier measurement may be from before this machine slept. */
  #pair(tokens: DecodedTokens & { readonly refreshToken: string }, { headers }: HttpAnswer): TokenPair {
    const { accessToken, refreshToken, expiresInMs } = tokens;
    const issuedAt = instantOf(headers[HEADERS.date]);
    return { accessToken, refreshToken, expiresInMs, receivedAt: this.#settings.clock.now(), issuedAt };
  }
}
