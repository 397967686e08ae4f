// The words of the authorization server: its address, its two forms, its tokens and its errors (wire contract 1).
import { integerOf, membersOf } from './lenient.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The set {openid, email}; a form encodes the space as the `+` of the specification. */
const SCOPE = 'email openid';

/** Specification, Authentication: an access token lives 3600 s. Used when an answer does not say. */
const DEFAULT_LIFETIME_S = 3_600;

/** Specification, Authentication: a refresh token lives 3650 days. Services write a huge number for an access token without an end. */
const LONGEST_LIFETIME_S = 3_650 * 86_400;

/** The query of the authorize address. `challenge`: PKCE with S256 (RFC 7636), which the service may ignore. */
export function encodeAuthorizeQuery(parameters: {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly challenge: string | null;
}): string {
  const { clientId, redirectUri, state, challenge } = parameters;
  return formOf({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPE,
    state,
    code_challenge: challenge,
    code_challenge_method: challenge === null ? null : 'S256',
  });
}

/** A member that is null is left out. */
function formOf(members: Readonly<Record<string, string | null>>): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value !== null) {
      form.set(name, value);
    }
  }
  return form.toString();
}

export function encodeExchange(
  { clientId, clientSecret }: ClientCredentials,
  grant: { readonly code: string; readonly redirectUri: string; readonly verifier: string | null },
): string {
  return formOf({
    grant_type: 'authorization_code',
    code: grant.code,
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uri: grant.redirectUri,
    code_verifier: grant.verifier,
  });
}

export function encodeRefresh({ clientId, clientSecret }: ClientCredentials, refreshToken: string): string {
  return formOf({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: clientId,
    client_secret: clientSecret,
  });
}

function wordOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function secondsOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.floor(value) : integerOf(value);
}

/** The decoded token answer. `refreshToken` null: the old one stays good (RFC 6749, 6). */
export interface DecodedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresInMs: number;
  /** False where the answer names another kind than `Bearer`, in any case (RFC 6749, 7.1). */
  readonly isBearer: boolean;
}

/**
 * Reads a token answer; null when it has no access token. Names as in RFC 6749, 5.1: the specification shows none, and its
 * other members are spelled in the second way.
 */
export function decodeTokens(body: unknown): DecodedTokens | null {
  const data = membersOf(body);
  const accessToken = wordOf(data['access_token']) ?? wordOf(data['accessToken']);
  if (accessToken === null) {
    return null;
  }
  const namedS = secondsOf(data['expires_in']) ?? secondsOf(data['expiresIn']) ?? 0;
  const type = wordOf(data['token_type']) ?? wordOf(data['tokenType']) ?? 'bearer';
  return {
    accessToken,
    refreshToken: wordOf(data['refresh_token']) ?? wordOf(data['refreshToken']),
    expiresInMs: Math.min(namedS > 0 ? namedS : DEFAULT_LIFETIME_S, LONGEST_LIFETIME_S) * 1_000,
    isBearer: type.toLowerCase() === 'bearer',
  };
}

/** The six words of the specification, OAuth errors. */
const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
] as const;

export type OAuthError = (typeof OAUTH_ERRORS)[number];

/** The word of an OAuth error body; null when it has none of the six. */
export function decodeOAuthError(body: unknown): OAuthError | null {
  const { error } = membersOf(body);
  return OAUTH_ERRORS.find((word) => word === error) ?? null;
}

/** The user of an access token, when it is a JWT that names one; else null. A hint and no proof: its signature is not verified. */
export function decodeSubject(accessToken: string): string | null {
  const [, payload, signature, ...more] = accessToken.split('.');
  if (payload === undefined || signature === undefined || more.length > 0) {
    return null;
  }
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return wordOf(membersOf(claims)['sub']);
  } catch {
    return null;
  }
}
