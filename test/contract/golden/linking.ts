// Linking: consent, exchange, renewal and every OAuth error (wire contract 1; specification, OAuth errors).
import type { GoldenAnswer, GoldenExchange, GoldenRequest } from './golden-exchange.ts';

const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' };

/** Wire contract 1: `Cache-Control: no-store` on the answer with tokens. */
const TOKEN_HEADERS = { 'cache-control': 'no-store' };

/** Specification, OAuth errors: the exact content type and exactly one member. */
function refusal(status: 400 | 401, error: string): GoldenAnswer {
  return { status, headers: { 'content-type': 'application/json; charset=UTF-8' }, json: { error } };
}

function tokenRequest(form: Readonly<Record<string, string>>): GoldenRequest {
  return { method: 'POST', path: '/OAuth2/token', headers: FORM_HEADERS, form };
}

const CLIENT = { client_id: '{clientId}', client_secret: '{clientSecret}' };

const EXCHANGE = tokenRequest({
  grant_type: 'authorization_code',
  code: '{code}',
  redirect_uri: '{redirectUri}',
  ...CLIENT,
});

const RENEWAL = tokenRequest({ grant_type: 'refresh_token', refresh_token: '{refreshToken}', ...CLIENT });

export const LINKING = {
  consent: {
    section: 'wire contract 1',
    server: 'authorization',
    request: {
      method: 'GET',
      path: '/OAuth2/authorize?client_id={clientId}&redirect_uri={encodedRedirectUri}&response_type=code&scope=email+openid&state=xyz',
      headers: {},
    },
    answer: { status: 302, headers: { location: '{redirectUri}?state=xyz&code={code}' } },
  },
  exchange: {
    section: 'wire contract 1',
    server: 'authorization',
    request: EXCHANGE,
    answer: {
      status: 200,
      headers: TOKEN_HEADERS,
      json: {
        access_token: '{accessToken}',
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: '{refreshToken}',
      },
    },
  },
  codeSpent: {
    section: 'wire contract 1',
    server: 'authorization',
    request: EXCHANGE,
    answer: refusal(400, 'invalid_grant'),
  },
  renewal: {
    section: 'wire contract 1',
    server: 'authorization',
    request: RENEWAL,
    answer: {
      status: 200,
      headers: TOKEN_HEADERS,
      json: {
        access_token: '{secondAccessToken}',
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: '{secondRefreshToken}',
      },
    },
  },
  tokenSpentOrRevoked: {
    section: 'wire contract 1',
    server: 'authorization',
    request: RENEWAL,
    answer: refusal(400, 'invalid_grant'),
  },
  tokenExpired: {
    section: 'specification, Flow 7; wire contract 1',
    server: 'authorization',
    request: RENEWAL,
    answer: refusal(401, 'invalid_grant'),
  },
  clientUnknown: {
    section: 'wire contract 1',
    server: 'authorization',
    request: { ...RENEWAL, form: { ...RENEWAL.form, client_secret: 'wrong' } },
    answer: refusal(400, 'invalid_client'),
  },
  grantUnknown: {
    section: 'wire contract 1',
    server: 'authorization',
    request: { ...RENEWAL, form: { ...RENEWAL.form, grant_type: 'password' } },
    answer: refusal(400, 'unsupported_grant_type'),
  },
  tokenMissing: {
    section: 'specification, OAuth errors; wire contract 1',
    server: 'authorization',
    request: tokenRequest({ grant_type: 'refresh_token', ...CLIENT }),
    answer: refusal(400, 'invalid_request'),
  },
} as const satisfies Readonly<Record<string, GoldenExchange>>;
