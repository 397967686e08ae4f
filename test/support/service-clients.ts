// Our clients of the service at an address on loopback, with credentials that a test may read; closed when the test ends.
import { onTestFinished } from 'vitest';
import { OAuthClient } from '../../src/cloud/account/oauth-client.ts';
import type { AccessTokens } from '../../src/cloud/account/token-session.ts';
import { DeviceInterface } from '../../src/cloud/device-interface.ts';
import { ServiceTime } from '../../src/cloud/http/service-time.ts';
import type { SendGuard } from '../../src/domain/ports.ts';
import { ManualClock } from './manual-clock.ts';

/** Of a command that may leave at once. */
export const WANTED: SendGuard = {
  written: Promise.resolve(),
  withinMs: 10_000,
  stillWanted: () => true,
  left() {},
};

export const CLIENT = { clientId: 'client-1', clientSecret: 'canary-secret' } as const;
export const REDIRECT_URI = 'https://home.example/callback';

/** Whatever becomes of a token, the next one is asked for in the same way. */
export function tokensFrom(accessToken: () => Promise<string>): AccessTokens {
  return { accessToken, invalidate() {}, accepted() {} };
}

export function deviceInterfaceAt(
  baseUrl: string,
  parts: Partial<ConstructorParameters<typeof DeviceInterface>[0]> = {},
): DeviceInterface {
  const { clock = new ManualClock() } = parts;
  const device = new DeviceInterface({
    baseUrl,
    allowInsecureLoopback: true,
    subscriptionKeys: () => ['key-1'],
    tokens: tokensFrom(async () => Promise.resolve('token-1')),
    clock,
    serviceTime: new ServiceTime(clock),
    ...parts,
  });
  onTestFinished(async () => device.close());
  return device;
}

export function oauthClientAt(
  authUrl: string,
  parts: Partial<ConstructorParameters<typeof OAuthClient>[0]> = {},
): OAuthClient {
  const oauth = new OAuthClient({
    authUrl,
    allowInsecureLoopback: true,
    client: () => CLIENT,
    redirectUri: REDIRECT_URI,
    clock: new ManualClock(),
    ...parts,
  });
  onTestFinished(async () => oauth.close());
  return oauth;
}
