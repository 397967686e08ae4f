// Judges an authorization request: an error page where a redirect is unsafe, a redirect for other faults, else consent.
import type { PkceMode } from './auth-settings.ts';
import type { PartnerClient } from './partner-client.ts';

/** A valid request, waiting for the user's decision. */
export interface AuthorizationRequest {
  readonly client: PartnerClient;
  readonly redirectUri: string;
  /** The state, sent back unchanged; null when the partner sent none, which the service accepts (wire contract 11). */
  readonly state: string | null;
  readonly codeChallenge: string | null;
}

export type AuthorizationVerdict =
  | { readonly kind: 'page'; readonly fault: string }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'consent'; readonly request: AuthorizationRequest };

type AuthorizationError = 'access_denied' | 'invalid_request' | 'invalid_scope' | 'unsupported_response_type';

/** 43 characters of base64url: the only length a SHA-256 challenge has (RFC 7636, 4.2). */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/u;

/** Judges the query of `GET /OAuth2/authorize` (wire contract 1). */
export function judgeAuthorization(
  query: URLSearchParams,
  clients: readonly PartnerClient[],
  pkce: PkceMode,
): AuthorizationVerdict {
  const client = clients.find((candidate) => candidate.clientId === single(query, 'client_id'));
  if (client === undefined) {
    return { kind: 'page', fault: 'No application with this client_id is registered.' };
  }
  const redirectUri = single(query, 'redirect_uri');
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri)) {
    return { kind: 'page', fault: `This redirect_uri is not registered for ${client.name}.` };
  }
  const state = single(query, 'state') ?? null;
  const fault = findFault(query, pkce);
  if (fault !== undefined) {
    return { kind: 'redirect', location: refusalLocation({ redirectUri, state }, fault) };
  }
  const codeChallenge = pkce === 'ignore' ? null : (single(query, 'code_challenge') ?? null);
  return { kind: 'consent', request: { client, redirectUri, state, codeChallenge } };
}

export function approvalLocation({ redirectUri, state }: RedirectTarget, code: string): string {
  return withQuery(redirectUri, { state, code });
}

export function refusalLocation({ redirectUri, state }: RedirectTarget, error: AuthorizationError): string {
  return withQuery(redirectUri, { error, state });
}

type RedirectTarget = Pick<AuthorizationRequest, 'redirectUri' | 'state'>;

function findFault(query: URLSearchParams, pkce: PkceMode): AuthorizationError | undefined {
  // A parameter given twice is malformed (RFC 6749, 3.1); which of the two was meant cannot be known.
  if (new Set(query.keys()).size !== query.size) {
    return 'invalid_request';
  }
  const responseType = single(query, 'response_type');
  if (responseType === undefined) {
    return 'invalid_request';
  }
  if (responseType !== 'code') {
    return 'unsupported_response_type';
  }
  return isWholeScope(query.get('scope') ?? '') ? findPkceFault(query, pkce) : 'invalid_scope';
}

function findPkceFault(query: URLSearchParams, pkce: PkceMode): AuthorizationError | undefined {
  const challenge = single(query, 'code_challenge');
  switch (pkce) {
    case 'ignore':
      return undefined;
    case 'refuse':
      return query.has('code_challenge') || query.has('code_challenge_method')
        ? 'invalid_request'
        : undefined;
    case 'accept':
    case 'require':
      if (challenge === undefined) {
        return pkce === 'require' ? 'invalid_request' : undefined;
      }
      return single(query, 'code_challenge_method') === 'S256' && S256_CHALLENGE.test(challenge)
        ? undefined
        : 'invalid_request';
  }
}

/** The scope is the set {email, openid}, in either order (wire contract 1). */
function isWholeScope(scope: string): boolean {
  return scope.split(' ').sort().join(' ') === 'email openid';
}

/** The one value of a parameter; an empty one counts as left out (RFC 6749, 3.1). */
function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}

/** Adds parameters after those the registered address already has, and leaves out the ones that are null. */
function withQuery(address: string, parameters: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) {
      query.set(name, value);
    }
  }
  return `${address}${address.includes('?') ? '&' : '?'}${query.toString()}`;
}
