// The two forms and the two answers of the authorization server, and whom an access token names.
import { describe, expect, it } from 'vitest';
import {
  decodeOAuthError,
  decodeSubject,
  decodeTokens,
  encodeAuthorizeQuery,
  encodeExchange,
  encodeRefresh,
} from '../../../src/wire/oauth-codec.ts';

const client = { clientId: 'client-1', clientSecret: 's&cret=+' };

describe('the address for a browser', () => {
  const parameters = { clientId: 'client-1', redirectUri: 'https://home.example/cb', state: 'xyz' };

  it('has the five parameters, with the scope as the specification spells it', () => {
    expect(encodeAuthorizeQuery({ ...parameters, challenge: null })).toBe(
      'client_id=client-1&redirect_uri=https%3A%2F%2Fhome.example%2Fcb&response_type=code&scope=email+openid&state=xyz',
    );
  });

  it('has a PKCE challenge with its method', () => {
    const query = new URLSearchParams(encodeAuthorizeQuery({ ...parameters, challenge: 'abc' }));
    expect(query.get('code_challenge')).toBe('abc');
    expect(query.get('code_challenge_method')).toBe('S256');
  });
});

describe('the form of a token request', () => {
  const membersOf = (form: string) => Object.fromEntries(new URLSearchParams(form));

  it('exchanges a code, with a verifier when there is one', () => {
    const grant = { code: 'c 1', redirectUri: 'https://home.example/cb', verifier: null };
    const plain = {
      grant_type: 'authorization_code',
      code: 'c 1',
      client_id: 'client-1',
      client_secret: 's&cret=+',
      redirect_uri: 'https://home.example/cb',
    };
    expect(membersOf(encodeExchange(client, grant))).toEqual(plain);
    const verified = encodeExchange(client, { ...grant, verifier: 'v' });
    expect(membersOf(verified)).toEqual({ ...plain, code_verifier: 'v' });
  });

  it('spends a refresh token', () => {
    expect(membersOf(encodeRefresh(client, 'r-9f1c'))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'r-9f1c',
      client_id: 'client-1',
      client_secret: 's&cret=+',
    });
  });
});

describe('a token answer', () => {
  it.each([
    [3600, 3_600_000],
    [2 ** 63, 315_360_000_000],
    ['3600', 3_600_000],
    [60, 60_000],
    [59.9, 59_000],
    [0.4, 3_600_000],
    [undefined, 3_600_000],
    [0, 3_600_000],
    [-5, 3_600_000],
    ['soon', 3_600_000],
  ])('with expires_in %j is good for %i ms', (expires_in, expiresInMs) => {
    const answer = { access_token: 'a', token_type: 'Bearer', refresh_token: 'r', expires_in };
    expect(decodeTokens(answer)).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
      expiresInMs,
      isBearer: true,
    });
  });

  it.each([undefined, null, '', 7])('without a new refresh token (%j) keeps the old one', (refresh_token) => {
    expect(decodeTokens({ access_token: 'a', refresh_token })).toMatchObject({ refreshToken: null });
  });

  it('may spell its members in camel case, as all other bodies do', () => {
    const answer = { accessToken: 'a', refreshToken: 'r', expiresIn: 60, tokenType: 'Bearer' };
    expect(decodeTokens(answer)).toMatchObject({ refreshToken: 'r', expiresInMs: 60_000, isBearer: true });
    expect(decodeTokens({ ...answer, access_token: 'b' })).toMatchObject({ accessToken: 'b' });
  });

  it.each([
    ['Bearer', true],
    ['bearer', true],
    [undefined, true],
    ['', true],
    ['DPoP', false],
    ['mac', false],
  ])('with the token type %j is one of Bearer: %s', (token_type, isBearer) => {
    expect(decodeTokens({ access_token: 'a', token_type })).toMatchObject({ isBearer });
  });

  it.each([[{}], [{ access_token: '' }], [{ access_token: 7 }], [null], ['<html>'], [undefined]])(
    '%j is refused',
    (body) => {
      expect(decodeTokens(body)).toBeNull();
    },
  );
});

describe('an OAuth error', () => {
  it.each([
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'invalid_scope',
    'unauthorized_client',
    'unsupported_grant_type',
  ])('%s is one of the six words of the specification', (error) => {
    expect(decodeOAuthError({ error })).toBe(error);
    expect(decodeOAuthError({ error, error_description: 'more' })).toBe(error);
  });

  it.each([[{ error: 'Rate limit reached.' }], [{ error: 7 }], [{}], ['invalid_grant'], [undefined]])(
    '%j is not recognised',
    (body) => {
      expect(decodeOAuthError(body)).toBeNull();
    },
  );
});

function jwt(claims: unknown): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbmF0dXJl`;
}

describe('the subject of an access token', () => {
  it('is read from a JWT, without a check of its signature', () => {
    expect(decodeSubject(jwt({ sub: 'user-1', exp: 1 }))).toBe('user-1');
    expect(decodeSubject(jwt({ sub: 'üser' }))).toBe('üser');
  });

  it.each([
    '',
    'a-opaque-token',
    'two.parts',
    'a.b.c',
    'a.b.c.d',
    '..',
    jwt({}),
    jwt({ sub: 7 }),
    jwt({ sub: '' }),
    jwt(['sub']),
    jwt(null),
    `${jwt({ sub: 'x' })}.more`,
    jwt({ sub: 'x' }).split('.').slice(0, 2).join('.'),
  ])('is unknown for anything else: %j', (token) => {
    expect(decodeSubject(token)).toBeNull();
  });
});
