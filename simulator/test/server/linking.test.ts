// The authorization server over HTTP, walked along wire contract 1 and the specification's OAuth errors.
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { call, Fixture, locationOf, tokensOf } from './partner.ts';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.start();
  return async () => fixture.close();
});

const JSON_TYPE = 'application/json; charset=UTF-8';
const DAY_MS = 86_400_000;

describe('wire contract 1, authorization', () => {
  test.each(['email+openid', 'email%20openid', 'openid+email'])('the scope %s is good', async (scope) => {
    const { clientId } = fixture.client();
    const base = `${fixture.simulator.authUrl}/OAuth2/authorize?client_id=${clientId}&redirect_uri=${encodeURIComponent(fixture.redirectUri())}&response_type=code`;
    expect(locationOf(await call(`${base}&scope=${scope}`)).searchParams.has('code')).toBe(true);
    const twice = locationOf(await call(`${base}&scope=${scope}&scope=${scope}`));
    expect(twice.searchParams.get('error')).toBe('invalid_request');
  });

  test('a missing state is accepted, and then not sent back', async () => {
    const location = locationOf(await fixture.authorize({ state: null }));
    expect(location.searchParams.has('code')).toBe(true);
    expect(location.searchParams.has('state')).toBe(false);
  });

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: null }],
    ['an unregistered redirect URI', { redirect_uri: 'http://127.0.0.1:8765/callback/' }],
    ['no redirect URI', { redirect_uri: null }],
  ])('%s gets a page with 400 and no redirect', async (_what, changes) => {
    const answer = await fixture.authorize(changes);
    expect(answer.status).toBe(400);
    expect(answer.headers['location']).toBeUndefined();
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { response_type: null }],
    ['invalid_scope', { scope: 'email' }],
    ['invalid_scope', { scope: null }],
    ['invalid_scope', { scope: 'email openid profile' }],
  ])('%s is redirected with the state for %o', async (error, changes) => {
    const { searchParams } = locationOf(await fixture.authorize(changes));
    expect(Object.fromEntries(searchParams)).toEqual({ error, state: 'xyz' });
  });
});

describe('wire contract 1, token', () => {
  test('a code is exchanged for a pair with exactly the four members', async () => {
    const answer = await fixture.exchange();
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { access_token, refresh_token } = tokensOf(answer);
    expect(answer.json).toEqual({ access_token, token_type: 'Bearer', expires_in: 3600, refresh_token });
    expect(new Set([access_token, refresh_token]).size).toBe(2);
  });

  test('a trailing slash is the same address, and only a form is a body', async () => {
    const { clientId, clientSecret } = fixture.client();
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: fixture.redirectUri(),
      code: await fixture.code(),
    });
    const url = `${fixture.simulator.authUrl}/OAuth2/token`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
    for (const body of [undefined, { grant_type: 'authorization_code' }, form.toString()]) {
      const answer = await call(url, { method: 'POST', body });
      expect([answer.status, answer.text]).toEqual([400, '{"error":"invalid_request"}']);
    }
    const answer = await call(`${url}/`, { method: 'POST', headers, body: form.toString() });
    expect(answer.status).toBe(200);
  });

  test.each([
    ['no grant_type', { grant_type: null }, 'invalid_request'],
    ['an empty grant_type', { grant_type: '' }, 'invalid_request'],
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
    [
      'another grant, before what is missing',
      { grant_type: 'password', code: null },
      'unsupported_grant_type',
    ],
    ['no client_id', { client_id: null }, 'invalid_request'],
    ['no client_secret', { client_secret: null }, 'invalid_request'],
    ['no code', { code: null }, 'invalid_request'],
    ['no redirect_uri', { redirect_uri: null }, 'invalid_request'],
    ['what is missing, before a bad pair', { client_secret: 'wrong', code: null }, 'invalid_request'],
    ['a wrong secret', { client_secret: 'wrong' }, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['a bad pair, before a bad code', { client_secret: 'wrong', code: 'unknown' }, 'invalid_client'],
    ['an unknown code', { code: 'unknown' }, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'http://localhost:8765/callback' }, 'invalid_grant'],
  ])('specification, OAuth errors: %s', async (_what, changes, error) => {
    const answer = await fixture.exchange(changes);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe(JSON_TYPE);
    expect(answer.text).toBe(JSON.stringify({ error }));
  });

  test('a refresh that asks for more scope is an invalid_scope, one without a token an invalid_request', async () => {
    const { refresh_token } = tokensOf(await fixture.exchange());
    expect((await fixture.refresh(refresh_token, { scope: 'email admin' })).json).toEqual({
      error: 'invalid_scope',
    });
    expect((await fixture.refresh(refresh_token, { scope: 'email' })).status).toBe(200);
    expect((await fixture.refresh(null)).json).toEqual({ error: 'invalid_request' });
  });

  test('a code works once, for 300 s and not a moment longer', async () => {
    const [early, late] = [await fixture.code(), await fixture.code()];
    await fixture.clock.advance(299_999);
    expect((await fixture.exchange({ code: early })).status).toBe(200);
    expect((await fixture.exchange({ code: early })).json).toEqual({ error: 'invalid_grant' });
    await fixture.clock.advance(1);
    expect((await fixture.exchange({ code: late })).json).toEqual({ error: 'invalid_grant' });
  });

  test('a code or refresh token of another client is an invalid_grant, and stays good for its own', async () => {
    const code = await fixture.code();
    expect((await fixture.exchange({ code }, 1)).json).toEqual({ error: 'invalid_grant' });
    const { refresh_token } = tokensOf(await fixture.exchange({ code }));
    expect((await fixture.refresh(refresh_token, {}, 1)).json).toEqual({ error: 'invalid_grant' });
    expect((await fixture.refresh(refresh_token)).status).toBe(200);
  });

  test('a client without a grant gets unauthorized_client, after its pair was checked', async () => {
    const limited = await Fixture.start({
      scenario: { clients: [{ grants: ['authorization_code'] }, { grants: ['refresh_token'] }] },
    });
    onTestFinished(() => limited.close());
    expect((await limited.refresh('any')).json).toEqual({ error: 'unauthorized_client' });
    expect((await limited.refresh('any', { client_secret: 'wrong' })).json).toEqual({
      error: 'invalid_client',
    });
    expect((await limited.exchange({ code: 'any' }, 1)).json).toEqual({ error: 'unauthorized_client' });
  });
});

describe('specification, Flow 5 to 8: tokens', () => {
  test('with a grace window a spent refresh token yields another pair, until the window closes', async () => {
    await fixture.control('house/configure-authorization', { refreshGraceMs: 10_000 });
    const { refresh_token } = tokensOf(await fixture.exchange());
    expect((await fixture.refresh(refresh_token)).status).toBe(200);
    await fixture.clock.advance(9999);
    expect((await fixture.refresh(refresh_token)).status).toBe(200);
    await fixture.clock.advance(1);
    expect((await fixture.refresh(refresh_token)).json).toEqual({ error: 'invalid_grant' });
  });

  test('an access token lives 3600 s, through a refresh too', async () => {
    const partner = await fixture.link();
    await fixture.refresh(partner.refreshToken);
    await fixture.clock.advance(3_599_999);
    expect((await partner.call('/devices')).status).toBe(200);
    await fixture.clock.advance(1);
    expect((await partner.call('/devices')).status).toBe(401);
  });

  test('a refresh token lives 3650 days; then the answer is 401 with invalid_grant', async () => {
    const [early, late] = [await fixture.link(), await fixture.link()];
    await fixture.control('time/advance', { ms: 3650 * DAY_MS - 1 });
    expect((await fixture.refresh(early.refreshToken)).status).toBe(200);
    await fixture.clock.advance(1);
    const answer = await fixture.refresh(late.refreshToken);
    expect([answer.status, answer.text]).toEqual([401, '{"error":"invalid_grant"}']);
  });

  test('revocation ends access tokens at once, refresh tokens and codes with invalid_grant, of that client alone', async () => {
    const [first, second] = [await fixture.link('resident', 0), await fixture.link('resident', 1)];
    const code = await fixture.code();
    await fixture.control('house/revoke', { userId: 'resident', clientId: fixture.client(0).clientId });
    expect((await first.call('/devices')).status).toBe(401);
    expect((await fixture.refresh(first.refreshToken)).json).toEqual({ error: 'invalid_grant' });
    expect((await fixture.exchange({ code })).json).toEqual({ error: 'invalid_grant' });
    expect((await second.call('/devices')).status).toBe(200);
  });

  test('signing out everywhere unlinks every client of that user, and nobody else', async () => {
    const mine = [await fixture.link('resident', 0), await fixture.link('resident', 1)];
    const guest = await fixture.link('guest-of-house', 0);
    await fixture.control('house/sign-out-everywhere', { userId: 'resident' });
    for (const partner of mine) {
      expect((await partner.call('/devices')).status).toBe(401);
    }
    expect((await guest.call('/devices')).status).toBe(200);
  });
});

describe('the form of access tokens, which the specification leaves open', () => {
  const jwt = z.object({
    sub: z.string(),
    client_id: z.string(),
    iat: z.int(),
    exp: z.int(),
    jti: z.string(),
  });
  const claimsOf = (token: string): unknown =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

  test('jwt: it names its holder, and lives, dies and is renewed as any other', async () => {
    await fixture.control('house/configure-authorization', { accessTokenForm: 'jwt' });
    const partner = await fixture.link('guest-of-house');
    const claims = jwt.parse(claimsOf(partner.accessToken));
    expect(claims).toMatchObject({ sub: 'guest-of-house', client_id: fixture.client().clientId });
    expect(claims.exp - claims.iat).toBe(3600);
    expect((await partner.call('/devices')).status).toBe(200);
    const renewed = tokensOf(await fixture.refresh(partner.refreshToken));
    expect(jwt.parse(claimsOf(renewed.access_token)).jti).not.toBe(claims.jti);
    await fixture.control('house/revoke', { userId: 'guest-of-house' });
    expect((await partner.call('/devices')).status).toBe(401);
  });

  test('is that of the moment when a token is handed out: those that are out stay good', async () => {
    const partner = await fixture.link('resident');
    expect(partner.accessToken.split('.')).toHaveLength(1);
    await fixture.control('house/configure-authorization', { accessTokenForm: 'jwt' });
    expect((await partner.call('/devices')).status).toBe(200);
    expect(tokensOf(await fixture.refresh(partner.refreshToken)).access_token.split('.')).toHaveLength(3);
  });
});

describe('PKCE (RFC 7636), which the specification leaves open', () => {
  const verifier = 'a-verifier-that-is-long-enough-to-be-allowed-0123';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const asked = { code_challenge: challenge, code_challenge_method: 'S256' };

  const setMode = async (pkce: string) => fixture.control('house/configure-authorization', { pkce });

  test('accept: a challenge is verified, none is fine, a verifier without one is not, and only S256 is known', async () => {
    const [code, plain] = [await fixture.code(asked), await fixture.code()];
    for (const wrong of [
      { code, code_verifier: `${verifier}x` },
      { code },
      { code: plain, code_verifier: verifier },
    ]) {
      expect((await fixture.exchange(wrong)).json).toEqual({ error: 'invalid_grant' });
    }
    expect((await fixture.exchange({ code, code_verifier: verifier })).status).toBe(200);
    expect((await fixture.exchange({ code: plain })).status).toBe(200);
    for (const changes of [{ ...asked, code_challenge_method: 'plain' }, { code_challenge: challenge }]) {
      expect(locationOf(await fixture.authorize(changes)).searchParams.get('error')).toBe('invalid_request');
    }
  });

  test('ignore: neither challenge nor verifier is looked at', async () => {
    await setMode('ignore');
    const code = await fixture.code(asked);
    expect((await fixture.exchange({ code, code_verifier: 'wrong' })).status).toBe(200);
  });

  test('refuse: a challenge or a verifier is an invalid_request', async () => {
    await setMode('refuse');
    expect(locationOf(await fixture.authorize(asked)).searchParams.get('error')).toBe('invalid_request');
    const code = await fixture.code();
    expect((await fixture.exchange({ code, code_verifier: verifier })).json).toEqual({
      error: 'invalid_request',
    });
    expect((await fixture.exchange({ code })).status).toBe(200);
  });

  test('require: no challenge is an invalid_request', async () => {
    await setMode('require');
    expect(locationOf(await fixture.authorize()).searchParams.get('error')).toBe('invalid_request');
    const code = await fixture.code(asked);
    expect((await fixture.exchange({ code, code_verifier: verifier })).status).toBe(200);
  });
});
