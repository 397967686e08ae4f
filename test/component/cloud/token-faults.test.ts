// The link of an account over real sockets, while the token endpoint is slow and gateways answer in the service's place.
import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OAuthClient } from '../../../src/cloud/account/oauth-client.ts';
import { TokenSession } from '../../../src/cloud/account/token-session.ts';
import { DeviceInterface } from '../../../src/cloud/device-interface.ts';
import { ServiceTime } from '../../../src/cloud/http/service-time.ts';
import { silentLog } from '../../../src/support/log.ts';
import { MemoryVault } from '../../stand-ins/database/vault.ts';
import { json, type LoopbackService, startLoopbackService } from '../../stand-ins/service/loopback.ts';
import { HOUR_MS, pair } from '../../stand-ins/service/tokens.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { failureOf } from './failure-of.ts';
import { random } from './token-fixture.ts';

/** A rotating authorization server and device interface; `answerToken` and `answerDevice` may answer in its place. */
interface Service {
  readonly loopback: LoopbackService;
  readonly clock: ManualClock;
  readonly session: TokenSession;
  readonly device: DeviceInterface;
  readonly vault: MemoryVault;
  readonly posts: () => readonly string[];
}

/** Answers in the server's place and returns true, or leaves the answer to it and returns false. */
type Intervention = (response: ServerResponse, count: number, answer: () => void) => boolean;

interface Faults {
  readonly token?: Intervention;
  readonly device?: (response: ServerResponse) => void;
  /** How long a spent refresh token is accepted again. */
  readonly graceMs?: number;
  readonly ageMs?: number;
}

async function open({ token, device: list, graceMs = 0, ageMs = HOUR_MS }: Faults): Promise<Service> {
  const clock = new ManualClock();
  const posts: string[] = [];
  let current = 1;
  let rotatedAt = Number.NEGATIVE_INFINITY;
  const rotate = (spent: string): [number, object] => {
    const inGrace = spent === `r${String(current - 1)}` && clock.monotonic() - rotatedAt < graceMs;
    if (spent !== `r${String(current)}` && !inGrace) {
      return [400, { error: 'invalid_grant' }];
    }
    current += 1;
    rotatedAt = clock.monotonic();
    const id = String(current);
    return [200, { access_token: `a${id}`, refresh_token: `r${id}`, expires_in: 3_600 }];
  };
  const loopback = await startLoopbackService(({ path, body }, response) => {
    if (path !== '/OAuth2/token') {
      (list ?? ((accepting) => json(accepting, 200, [])))(response);
      return;
    }
    const spent = new URLSearchParams(body).get('refresh_token') ?? '';
    posts.push(spent);
    // The server has done its work when the request arrives; only the answer may be late.
    let answered: [number, object] | null = null;
    const answer = (): void => {
      answered ??= rotate(spent);
      json(response, ...answered);
    };
    if (token?.(response, posts.length, answer) !== true) {
      answer();
    }
  });
  const vault = new MemoryVault('linked', pair(1, clock.now() - ageMs));
  const server = new OAuthClient({
    authUrl: loopback.url,
    allowInsecureLoopback: true,
    client: () => ({ clientId: 'client-1', clientSecret: 'canary-secret' }),
    redirectUri: 'https://home.example/callback',
    clock,
  });
  const session = new TokenSession({ vault, server, clock, log: silentLog, random });
  const device = new DeviceInterface({
    baseUrl: loopback.url,
    allowInsecureLoopback: true,
    subscriptionKeys: () => ['key-1'],
    tokens: session,
    clock,
    serviceTime: new ServiceTime(clock),
  });
  onTestFinished(async () => {
    await session.dispose();
    await Promise.all([server.close(), device.close()]);
    await loopback.close();
  });
  return { loopback, clock, session, device, vault, posts: () => posts };
}

describe('a token endpoint that is slow', () => {
  it.each([
    [12_000, 0],
    [30_000, 0],
    [55_000, 0],
    [12_000, 10_000],
    [55_000, 10_000],
  ])(
    'by %i ms is called once, with %i ms of grace, and the link stays (faults#81)',
    async (lateMs, graceMs) => {
      const held: (() => void)[] = [];
      const service = await open({
        graceMs,
        token: (_, __, answer) => {
          held.push(answer);
          return true;
        },
      });
      const token = service.session.accessToken().catch((error: unknown) => error);
      await service.loopback.arrived(1);
      for (let elapsedMs = 0; elapsedMs < lateMs; elapsedMs += 1_000) {
        await service.clock.advance(1_000);
      }
      expect(service.posts()).toEqual(['r1']);
      for (const answer of held) {
        answer();
      }
      await expect.poll(() => service.session.heldToken).toBe('a2');
      await service.clock.advance(60_000);
      expect(service.posts()).toEqual(['r1']);
      expect(service.vault.link).toMatchObject({ state: 'linked', tokens: { refreshToken: 'r2' } });
      await token;
    },
  );

  it('lets callers go after 30 s, and serves those that come later (faults#81)', async () => {
    let answerLate = (): void => {};
    const service = await open({
      token: (_, __, answer) => {
        answerLate = answer;
        return true;
      },
    });
    const first = failureOf(service.session.accessToken());
    await service.loopback.arrived(1);
    await service.clock.advance(30_000);
    expect(await first).toMatchObject({ code: 'timed-out' });
    const second = service.session.accessToken();
    answerLate();
    expect(await second).toBe('a2');
    expect(service.posts()).toEqual(['r1']);
  });
});

describe('a service that answers 401 to good tokens', () => {
  it('for an hour costs at most ten renewals, and the link stays (faults#89)', async () => {
    const service = await open({ device: (response) => json(response, 401, {}), ageMs: 0 });
    for (let elapsedS = 0; elapsedS < 3_600; elapsedS += 10) {
      expect(await failureOf(service.device.read('/locks/devices', 'list'))).toMatchObject({
        disposition: 'retry',
      });
      await service.clock.advance(10_000);
    }
    expect(service.posts().length).toBeLessThanOrEqual(10);
    expect(service.posts().length).toBeGreaterThanOrEqual(4);
    expect(service.session.link.state()).toBe('linked');
  });

  it('to every second token costs at most one renewal a minute (faults#89)', async () => {
    let calls = 0;
    const service = await open({
      ageMs: 0,
      device: (response) => {
        calls += 1;
        json(response, calls % 2 === 0 ? 401 : 200, []);
      },
    });
    for (let elapsedS = 0; elapsedS < 600; elapsedS += 10) {
      await service.device.read('/locks/devices', 'list').catch(() => null);
      await service.clock.advance(10_000);
    }
    expect(service.posts().length).toBeLessThanOrEqual(10);
    expect(service.posts().length).toBeGreaterThanOrEqual(5);
  });

  it('and then recovers is used with the same token at once', async () => {
    let broken = true;
    const service = await open({
      device: (response) => json(response, broken ? 401 : 200, []),
      ageMs: 0,
    });
    await failureOf(service.device.read('/locks/devices', 'list'));
    broken = false;
    expect((await service.device.read('/locks/devices', 'list')).body).toEqual([]);
    expect(service.posts()).toEqual(['r1']);
  });
});

describe('a gateway that answers in the place of the token endpoint', () => {
  const page = '<html><body>Unauthorized</body></html>';

  it.each([
    ['a bare 401', 401, ''],
    ['401 with a page', 401, page],
    ['invalid_grant by mistake', 400, '{"error":"invalid_grant"}'],
    ['404', 404, page],
    ['a redirect', 302, ''],
    ['400 without a body', 400, ''],
  ])(
    'once, with %s, costs no link and no pause of minutes (faults#90, faults#91)',
    async (_, status, body) => {
      const service = await open({
        token: (response, count) => {
          if (count === 1) {
            response.writeHead(status, { location: 'https://elsewhere.example' }).end(body);
          }
          return count === 1;
        },
      });
      const token = service.session.accessToken();
      await service.loopback.arrived(1);
      await service.clock.advance(10_000);
      expect(await token).toBe('a2');
      expect(service.posts()).toEqual(['r1', 'r1']);
      expect(service.session.link.state()).toBe('linked');
    },
  );
});
