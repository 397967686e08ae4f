// The words of the authorization server: its address, its two forms, its tokens and its errors (wire contract 1).
import { z } from 'zod';
import { lenientInteger } from './lenient-schema.ts';

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

const word = z.string().min(1).nullable().catch(null);
const seconds = z.union([z.number().transform(Math.floor), lenientInteger]).catch(null);

/** Names as in RFC 6749, 5.1: the specification shows none, and its other members are spelled in the second way. */
const tokenSchema = z.object({
  access_token: word,
  accessToken: word,
  refresh_token: word,
  refreshToken: word,
  expires_in: seconds,
  expiresIn: seconds,
  token_type: word,
  tokenType: word,
});

/** The decoded token answer. `refreshToken` null: the old one stays good (RFC 6749, 6). */
export interface DecodedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresInMs: number;
  /** False where the answer names another kind than `Bearer`, in any case (RFC 6749, 7.1). */
  readonly isBearer: boolean;
}

/** Reads a token answer; null when it has no access token. */
export function decodeTokens(body: unknown): DecodedTokens | null {
  const { data } = tokenSchema.safeParse(body);
  const accessToken = data?.access_token ?? data?.accessToken ?? null;
  if (data === undefined || accessToken === null) {
    return null;
  }
  const namedS = data.expires_in ?? data.expiresIn ?? 0;
  return {
    accessToken,
    refreshToken: data.refresh_token ?? data.refreshToken,
    expiresInMs: Math.min(namedS > 0 ? namedS : DEFAULT_LIFETIME_S, LONGEST_LIFETIME_S) * 1_000,
    isBearer: (data.token_type ?? data.tokenType ?? 'bearer').toLowerCase() === 'bearer',
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

const oauthErrorSchema = z.object({ error: z.enum(OAUTH_ERRORS) });

/** The word of an OAuth error body; null when it has none of the six. */
export function decodeOAuthError(body: unknown): OAuthError | null {
  return oauthErrorSchema.safeParse(body).data?.error ?? null;
}

const claimsSchema = z.object({ sub: z.string().min(1) });

/** The user of an access token, when it is a JWT that names one; else null. A hint and no proof: its signature is not verified. */
export function decodeSubject(accessToken: string): string | null {
  const [, payload, signature, ...more] = accessToken.split('.');
  if (payload === undefined || signature === undefined || more.length > 0) {
    return null;
  }
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return claimsSchema.safeParse(claims).data?.sub ?? null;
  } catch {
    return null;
  }
}
