// The clients of the partner's service for one account, built from the configuration and closed together.
import { DeviceInterface } from '../cloud/device-interface.ts';
import { LockClient } from '../cloud/lock-client.ts';
import { OAuthClient } from '../cloud/oauth-client.ts';
import { ServiceTime } from '../cloud/service-time.ts';
import { TokenSession } from '../cloud/token-session.ts';
import type { PartnerConfig } from '../config/config.ts';
import type { Credentials } from '../config/credentials.ts';
import type { LockGateway, TokenVault } from '../domain/ports.ts';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';

export interface CloudClientParts {
  readonly partner: PartnerConfig;
  readonly credentials: Credentials;
  readonly vault: TokenVault;
  readonly clock: Clock;
  readonly log: Log;
  /** Throws unless this process owns the account: asked before every use of a token. */
  readonly assertOwned: () => void;
}

export interface CloudClients {
  readonly session: TokenSession;
  readonly server: OAuthClient;
  readonly gateway: LockGateway;
  readonly serviceTime: ServiceTime;
  /** Lets a renewal of the token end and be stored, then ends every call. */
  close(): Promise<void>;
}

export function buildCloudClients(parts: CloudClientParts): CloudClients {
  const { partner, credentials, clock, log } = parts;
  const { allowInsecureLoopback } = partner;
  const server = new OAuthClient({ ...partner, ...credentials, clock });
  const session = new TokenSession({ vault: parts.vault, server, clock, log });
  const serviceTime = new ServiceTime(clock);
  const device = new DeviceInterface({
    baseUrl: partner.baseUrl,
    allowInsecureLoopback,
    subscriptionKeys: credentials.subscriptionKeys,
    tokens: {
      accessToken: async () => {
        parts.assertOwned();
        return session.accessToken();
      },
      invalidate: (token) => {
        session.invalidate(token);
      },
    },
    clock,
    serviceTime,
  });
  const gateway = new LockClient(device, { ...partner, log });
  return {
    session,
    server,
    gateway,
    serviceTime,
    close: async () => {
      await session.dispose();
      await Promise.all([server.close(), device.close()]);
    },
  };
}
