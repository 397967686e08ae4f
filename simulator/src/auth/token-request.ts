// The token endpoint as a function: a form in, an answer out, with every check in the contract's order.
import { createHash } from 'node:crypto';
import type { PkceMode } from './auth-settings.ts';
import type { CodeTerms, GrantStore, TokenPair } from './grant-store.ts';
import type { Grant, PartnerClient } from './partner-client.ts';

export type TokenError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

/** The pair, or an HTTP status and the one member of the body. */
export type TokenAnswer =
  | { readonly status: 200; readonly pair: TokenPair }
  | { readonly status: 400 | 401; readonly error: TokenError };

const REQUIRED_FIELDS: Readonly<Record<Grant, readonly string[]>> = {
  authorization_code: ['client_id', 'client_secret', 'code', 'redirect_uri'],
  refresh_token: ['client_id', 'client_secret', 'refresh_token'],
};

/** Answers a form, or null for an unreadable one, in the order of wire contract 1. */
export function answerTokenRequest(
  form: URLSearchParams | null,
  clients: readonly PartnerClient[],
  grants: GrantStore,
  pkce: PkceMode,
): TokenAnswer {
  if (form === null || new Set(form.keys()).size !== form.size) {
    return refuse('invalid_request');
  }
  const grant = field(form, 'grant_type');
  if (grant === '') {
    return refuse('invalid_request');
  }
  if (grant !== 'authorization_code' && grant !== 'refresh_token') {
    return refuse('unsupported_grant_type');
  }
  if (REQUIRED_FIELDS[grant].some((name) => field(form, name) === '')) {
    return refuse('invalid_request');
  }
  const client = authenticate(form, clients);
  if (client === undefined) {
    return refuse('invalid_client');
  }
  if (!client.grants.includes(grant)) {
    return refuse('unauthorized_client');
  }
  return grant === 'authorization_code' ? redeem(form, client, grants, pkce) : refresh(form, client, grants);
}

function redeem(
  form: URLSearchParams,
  client: PartnerClient,
  grants: GrantStore,
  pkce: PkceMode,
): TokenAnswer {
  const verifier = field(form, 'code_verifier');
  if (pkce === 'refuse' && verifier !== '') {
    return refuse('invalid_request');
  }
  const code = field(form, 'code');
  const terms = grants.findCode(code);
  if (
    terms === undefined ||
    terms.clientId !== client.clientId ||
    terms.redirectUri !== field(form, 'redirect_uri') ||
    (pkce !== 'ignore' && !verifierFits(terms, verifier))
  ) {
    return refuse('invalid_grant');
  }
  return { status: 200, pair: grants.redeemCode(code, terms) };
}

function refresh(form: URLSearchParams, client: PartnerClient, grants: GrantStore): TokenAnswer {
  const scope = field(form, 'scope');
  // A refresh may narrow the scope, never widen it (RFC 6749, 6).
  if (scope !== '' && !scope.split(' ').every((entry) => entry === 'email' || entry === 'openid')) {
    return refuse('invalid_scope');
  }
  const pair = grants.refresh(field(form, 'refresh_token'), client.clientId);
  switch (pair) {
    case 'invalid':
      return refuse('invalid_grant');
    case 'expired':
      return { status: 401, error: 'invalid_grant' };
    default:
      return { status: 200, pair };
  }
}

/** A verifier without a challenge is refused too, else a stripped challenge would go unnoticed (RFC 9700, 2.1.1). */
function verifierFits(terms: CodeTerms, verifier: string): boolean {
  if (terms.codeChallenge === null) {
    return verifier === '';
  }
  return createHash('sha256').update(verifier).digest('base64url') === terms.codeChallenge;
}

function authenticate(form: URLSearchParams, clients: readonly PartnerClient[]): PartnerClient | undefined {
  return clients.find(
    ({ clientId, clientSecret }) =>
      clientId === field(form, 'client_id') && clientSecret === field(form, 'client_secret'),
  );
}

/** A field's text; one that was left out or is empty reads as ''. */
function field(form: URLSearchParams, name: string): string {
  return form.get(name) ?? '';
}

function refuse(error: TokenError): TokenAnswer {
  return { status: 400, error };
}
