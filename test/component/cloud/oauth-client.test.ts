// The authorization server and its moods: a link is given up only on a clear answer of the service.
import { describe, expect, it } from 'vitest';
import type { OAuthClient } from '../../../src/cloud/account/oauth-client.ts';
import {
  type Answerer,
  json,
  type LoopbackService,
  startLoopbackService,
} from '../../stand-ins/service/loopback.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { oauthClientAt } from '../../support/service-clients.ts';
import { everythingOf, failureOf } from './failure-of.ts';

interface Fixture {
  readonly service: LoopbackService;
  readonly clock: ManualClock;
  readonly oauth: OAuthClient;
}

async function fixture(answer: Answerer): Promise<Fixture> {
  const service = await startLoopbackService(answer);
  const clock = new ManualClock();
  return { service, clock, oauth: oauthClientAt(`${service.url}/auth/`, { clock }) };
}

/** An object as JSON; a text as it is, with the type of a page. */
function answering(status: number, body: object | string, headers: Record<string, string> = {}): Answerer {
  return (_, response) => {
    if (typeof body === 'string') {
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
    } else {
      json(response, status, body, headers);
    }
  };
}

it('the address for a browser is below the authorization server', async () => {
  const { oauth, service } = await fixture(() => {});
  const url = new URL(oauth.authorizeUrl({ state: 'xyz', challenge: null }));
  expect(url.origin + url.pathname).toBe(`${service.url}/auth/OAuth2/authorize`);
  expect(url.searchParams.get('redirect_uri')).toBe('https://home.example/callback');
  expect(url.search).not.toMatch(/canary/);
});

describe('an exchange', () => {
  it.each([
    ['Tue, 14 Apr 2026 09:30:00 GMT', Date.UTC(2026, 3, 14, 9, 30)],
    ['Tue, 14 Apr 2026 17:00:00 GMT', Date.UTC(2026, 3, 14, 17)],
    ['yesterday', null],
  ])(
    'dates its tokens as its own answer is dated, whatever an earlier one was: %s',
    async (date, issuedAt) => {
      const dates = ['Tue, 14 Apr 2026 12:00:00 GMT', date];
      const { oauth, clock } = await fixture((_, response) => {
        const tokens = { access_token: 'a', expires_in: 3_600, refresh_token: 'r' };
        json(response, 200, tokens, { date: dates.shift() });
      });
      await oauth.exchange('code-1', null);
      expect(await oauth.refresh('r')).toMatchObject({ issuedAt, receivedAt: clock.now() });
    },
  );

  it('has a connection of its own, and the verifier of its code', async () => {
    const { oauth, service } = await fixture(answering(200, { access_token: 'a', refresh_token: 'r' }));
    await oauth.exchange('code-1', 'verifier-1');
    expect(service.seen).toMatchObject([{ headers: { connection: 'close' } }]);
    expect(new URLSearchParams(service.seen[0]?.body).get('code_verifier')).toBe('verifier-1');
  });

  it.each([
    ['a code that is used or too old', 400, { error: 'invalid_grant' }, 'final', 'refused', /[Ss]tart again/],
    ['a wrong client', 400, { error: 'invalid_client' }, 'final', 'bad-configuration', /client secret/],
    ['a client that may not', 400, { error: 'unauthorized_client' }, 'final', 'bad-configuration', /client/],
    ['a wrong redirect address', 400, { error: 'invalid_request' }, 'final', 'bad-configuration', /redirect/],
    ['another server', 404, '<html>', 'final', 'bad-configuration', /address/],
    ['no refresh token', 200, { access_token: 'a' }, 'final', 'refused', /no refresh token/],
    [
      'a token that is not Bearer',
      200,
      { access_token: 'a', refresh_token: 'r', token_type: 'mac' },
      'final',
      'refused',
      /another type than Bearer/,
    ],
    ['a fault', 500, '<html>', 'retry', 'server-fault', /500/],
  ])('that meets %s says what to do', async (_, status, body, disposition, code, words) => {
    const { oauth, service } = await fixture(answering(status, body));
    const error = await failureOf(oauth.exchange('code-1', null));
    expect(error).toMatchObject({ disposition, code });
    expect(error.message).toMatch(words);
    expect(everythingOf(error)).not.toMatch(/canary/);
    // Where there is no such route, the other spelling of the path is tried.
    expect(service.seen).toHaveLength(status === 404 ? 2 : 1);
  });

  it('whose answer is lost is uncertain: the code may be spent, at either spelling of the path', async () => {
    const lost: Answerer = (_, response) => response.socket?.resetAndDestroy();
    for (const [answers, calls] of [
      [[lost], 1],
      [[answering(404, ''), lost], 2],
    ] as const) {
      const { oauth, service } = await fixture((...asked) => {
        answers[service.seen.length - 1]?.(...asked);
      });
      expect((await failureOf(oauth.exchange('code-1', null))).disposition).toBe('uncertain');
      expect(service.seen).toHaveLength(calls);
    }
  });
});

describe('a token address that ends in a slash', () => {
  const BARE = '/auth/OAuth2/token';
  const SLASH = `${BARE}/`;
  const TOKENS = { access_token: 'a2', expires_in: 3_600, refresh_token: 'r2' };

  /** A server that knows one spelling, and turns the other away. */
  function knowing(known: string, turnAway: Answerer, answer: Answerer = answering(200, TOKENS)): Answerer {
    return (request, response, socket) => {
      (request.path === known ? answer : turnAway)(request, response, socket);
    };
  }

  it.each([
    ['404', answering(404, { statusCode: 404, message: 'Resource not found' })],
    ['a page and 404', answering(404, '<html>')],
    ['301', answering(301, '', { location: SLASH })],
    ['308 to an address over http', answering(308, '', { location: `http://somebody.example${SLASH}` })],
  ])('is found when the server answers %s without it, and used from then on', async (_, turnAway) => {
    const { oauth, service } = await fixture(knowing(SLASH, turnAway));
    expect(await oauth.exchange('code-1', null)).toMatchObject({ refreshToken: 'r2' });
    expect(await oauth.refresh('r2')).toMatchObject({ accessToken: 'a2' });
    expect(service.seen.map(({ path }) => path)).toEqual([BARE, SLASH, SLASH]);
    expect(service.seen[1]?.body).toBe(service.seen[0]?.body);
  });

  it('is given up again when the server does not know it any more', async () => {
    let known = SLASH;
    const { oauth, service } = await fixture((...asked) => {
      knowing(known, answering(404, ''))(...asked);
    });
    await oauth.refresh('r1');
    known = BARE;
    await oauth.refresh('r2');
    expect(service.seen.map(({ path }) => path)).toEqual([BARE, SLASH, SLASH, BARE]);
  });

  it('is not tried after any answer that may have spent the token', async () => {
    const answers: readonly Answerer[] = [
      answering(404, { error: 'invalid_grant' }),
      answering(302, '', { location: SLASH }),
      answering(303, '', { location: SLASH }),
      answering(308, '', { location: '/elsewhere/' }),
      answering(308, ''),
      answering(405, ''),
      answering(500, ''),
      (_, response) => response.socket?.resetAndDestroy(),
    ];
    for (const answer of answers) {
      const { oauth, service } = await fixture(answer);
      await failureOf(oauth.refresh('r1'));
      expect(service.seen.map(({ path }) => path)).toEqual([BARE]);
    }
  });

  it('has no effect when no such server is behind it either: the first answer counts', async () => {
    const { oauth } = await fixture(
      knowing(SLASH, answering(404, ''), answering(200, '<html>Welcome to the hotel</html>')),
    );
    const error = await failureOf(oauth.exchange('code-1', null));
    expect(error).toMatchObject({ code: 'bad-configuration' });
    expect(error.message).toContain('HTTP 404');
  });
});

describe('a renewal', () => {
  const codes = { retry: 'server-fault', wait: 'rate-limited', final: 'bad-configuration' } as const;

  it('spends the refresh token and takes both new ones, or keeps the old one where none comes', async () => {
    const answers = [{ access_token: 'a2', expires_in: 3600, refresh_token: 'r2' }, { access_token: 'a3' }];
    const { oauth, service } = await fixture((_, response) => {
      json(response, 200, answers.shift());
    });
    expect(await oauth.refresh('r1')).toMatchObject({ accessToken: 'a2', refreshToken: 'r2' });
    expect(await oauth.refresh('r2')).toMatchObject({ accessToken: 'a3', refreshToken: 'r2' });
    expect(new URLSearchParams(service.seen[0]?.body).get('refresh_token')).toBe('r1');
  });

  it('whose answer begins with a byte order mark is read: the token before it is spent', async () => {
    const { oauth } = await fixture(answering(200, '\uFEFF{"access_token":"a2","refresh_token":"r2"}'));
    expect(await oauth.refresh('r1')).toMatchObject({ accessToken: 'a2', refreshToken: 'r2' });
  });

  it.each([
    ['revoked', 400, { error: 'invalid_grant' }, 'revoked'],
    ['expired', 401, { error: 'invalid_grant' }, 'expired'],
  ])(
    'of a link that is %s (%i) must be linked again (faults#15, faults#16)',
    async (_, status, body, code) => {
      const { oauth } = await fixture(answering(status, body));
      expect(await failureOf(oauth.refresh('r1'))).toMatchObject({ disposition: 'relink', code });
    },
  );

  it.each<[number, object | string, Record<string, string>, keyof typeof codes]>([
    [500, { error: 'server_error' }, {}, 'retry'],
    [500, { error: 'invalid_token' }, {}, 'retry'],
    [502, '<html>', {}, 'retry'],
    [503, '', {}, 'retry'],
    [503, '', { 'retry-after': '9' }, 'wait'],
    [504, '', {}, 'retry'],
    [429, { error: 'Rate limit reached. Try again in 37 seconds.' }, {}, 'wait'],
    [429, '', {}, 'wait'],
    [400, '<html>Bad Request</html>', {}, 'retry'],
    [400, '', {}, 'retry'],
    [400, '{"error":', {}, 'retry'],
    [400, 'null', {}, 'retry'],
    [400, {}, {}, 'retry'],
    [400, { error: 'something_new' }, {}, 'retry'],
    [401, '<html>Unauthorized</html>', {}, 'retry'],
    [401, '', {}, 'retry'],
    [401, { statusCode: 401, message: 'Unauthorized' }, {}, 'retry'],
    [403, '<html>', {}, 'retry'],
    [200, '<html>Welcome to the hotel</html>', {}, 'retry'],
    [200, { token: 'a' }, {}, 'retry'],
    [204, '', {}, 'retry'],
    [302, '', { location: 'https://elsewhere.example' }, 'retry'],
    [302, '<html>', { location: '/login' }, 'retry'],
    [404, '<html>Not Found</html>', {}, 'retry'],
    [404, { error: 'invalid_request' }, {}, 'retry'],
    [404, { error: 'invalid_grant' }, {}, 'retry'],
    [302, { error: 'invalid_client' }, { location: 'https://elsewhere.example' }, 'retry'],
    [503, { error: 'invalid_grant' }, {}, 'retry'],
    [400, { error: 'invalid_client' }, {}, 'final'],
    [401, { error: 'invalid_client' }, {}, 'final'],
    [400, { error: 'unauthorized_client' }, {}, 'final'],
    [400, { error: 'invalid_request' }, {}, 'final'],
    [400, { error: 'unsupported_grant_type' }, {}, 'final'],
  ])(
    'that meets %i with %j and %j is no reason to link again: %s (faults#13, faults#91)',
    async (status, body, headers, disposition) => {
      const { oauth } = await fixture(answering(status, body, headers));
      // A service that is away and asks for a pause has set no limit.
      const code = status === 503 && disposition === 'wait' ? 'overloaded' : codes[disposition];
      expect(await failureOf(oauth.refresh('r1'))).toMatchObject({ disposition, code });
    },
  );

  it('without an answer, or with half of one, is no reason to link again (faults#13)', async () => {
    const silent = await fixture(() => {});
    const asked = failureOf(silent.oauth.refresh('r1'));
    await silent.service.arrived(1);
    await silent.clock.advance(119_999);
    expect(silent.clock.pendingTimers).toBe(1);
    await silent.clock.advance(1);
    expect(await asked).toMatchObject({ disposition: 'retry', code: 'timed-out' });
    const cutShort = await fixture((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"access_token":"a"', () => response.socket?.destroy());
    });
    expect(await failureOf(cutShort.oauth.refresh('r1'))).toMatchObject({ code: 'timed-out' });
    await silent.service.close();
    expect(await failureOf(silent.oauth.refresh('r1'))).toMatchObject({ code: 'unreachable' });
  });

  it('whose answer has both tokens, and then breaks off before its last chunk, is taken (faults#180)', async () => {
    const tokens = JSON.stringify({ access_token: 'a2', refresh_token: 'r2' });
    const { oauth } = await fixture((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(tokens, () => response.socket?.destroy());
    });
    expect(await oauth.refresh('r1')).toMatchObject({ accessToken: 'a2', refreshToken: 'r2' });
  });

  it('reads a wait by the clock of the server that names it (faults#38)', async () => {
    const { oauth } = await fixture(
      answering(429, '', {
        date: 'Fri, 01 Jan 2027 00:00:00 GMT',
        'x-rate-limit-reset': String(Date.UTC(2027, 0, 1, 0, 0, 30) / 1_000),
      }),
    );
    const error = await failureOf(oauth.refresh('r1'));
    expect(error).toHaveProperty('waitMs');
    const waitMs = 'waitMs' in error ? Number(error.waitMs) : 0;
    expect(waitMs).toBeGreaterThanOrEqual(30_000);
    expect(waitMs).toBeLessThanOrEqual(31_500);
  });
});
