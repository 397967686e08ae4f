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

const REFRESH = { grant_type: 'refresh_token', refresh_token: '{refreshToken}', ...CLIENT };
const RENEWAL = tokenRequest(REFRESH);

function linking(request: GoldenRequest, answer: GoldenAnswer, section = 'wire contract 1'): GoldenExchange {
  return { section, server: 'authorization', request, answer };
}

const tokens = (access_token: string, refresh_token: string): GoldenAnswer => ({
  status: 200,
  headers: TOKEN_HEADERS,
  json: { access_token, token_type: 'Bearer', expires_in: 3600, refresh_token },
});

export const LINKING = {
  consent: linking(
    {
      method: 'GET',
      path: '/OAuth2/authorize?client_id={clientId}&redirect_uri={encodedRedirectUri}&response_type=code&scope=email+openid&state=xyz',
      headers: {},
    },
    { status: 302, headers: { location: '{redirectUri}?state=xyz&code={code}' } },
  ),
  exchange: linking(EXCHANGE, tokens('{accessToken}', '{refreshToken}')),
  codeSpent: linking(EXCHANGE, refusal(400, 'invalid_grant')),
  renewal: linking(RENEWAL, tokens('{secondAccessToken}', '{secondRefreshToken}')),
  tokenSpentOrRevoked: linking(RENEWAL, refusal(400, 'invalid_grant')),
  tokenExpired: linking(RENEWAL, refusal(401, 'invalid_grant'), 'specification, Flow 7; wire contract 1'),
  clientUnknown: linking(
    tokenRequest({ ...REFRESH, client_secret: 'wrong' }),
    refusal(400, 'invalid_client'),
  ),
  grantUnknown: linking(
    tokenRequest({ ...REFRESH, grant_type: 'password' }),
    refusal(400, 'unsupported_grant_type'),
  ),
  tokenMissing: linking(
    tokenRequest({ grant_type: 'refresh_token', ...CLIENT }),
    refusal(400, 'invalid_request'),
    'specification, OAuth errors; wire contract 1',
  ),
} as const satisfies Readonly<Record<string, GoldenExchange>>;
