// The clients of the partner's service for one account, built from the configuration and closed together.
import { accessCodeClient } from '../../cloud/access-code-client.ts';
import { OAuthClient } from '../../cloud/account/oauth-client.ts';
import type { AccessTokens } from '../../cloud/account/token-session.ts';
import { TokenSession } from '../../cloud/account/token-session.ts';
import { DeviceInterface } from '../../cloud/device-interface.ts';
import { historyClient } from '../../cloud/history-client.ts';
import { keptPauses } from '../../cloud/http/kept-pauses.ts';
import { CallGate } from '../../cloud/http/limits.ts';
import { ServiceTime } from '../../cloud/http/service-time.ts';
import { lockClient } from '../../cloud/lock-client.ts';
import { checkService } from '../../cloud/service-checkup.ts';
import { FetchedSigningKeys } from '../../cloud/signing-keys.ts';
import { subscriptionClient } from '../../cloud/subscription-client.ts';
import type { PartnerConfig } from '../../config/config.ts';
import type { Credentials } from '../../config/credentials.ts';
import type { ServiceCheckup } from '../../domain/account/service-check.ts';
import type { AccessCodeGateway } from '../../domain/codes/ports.ts';
import type { AuthorizationServer, LockGateway, LockHistory } from '../../domain/ports.ts';
import type { SigningKeys, SubscriptionGateway } from '../../domain/webhooks/ports.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../../support/clock.ts';
import { WaitError, wordsOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';

export interface CloudClientParts {
  readonly partner: PartnerConfig;
  /** The credentials in force; throws final (`bad-configuration`) while one is missing. */
  readonly credentials: () => Credentials;
  readonly storage: Pick<Storage, 'vault' | 'settings'>;
  readonly clock: Clock;
  readonly log: Log;
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number;
  /** Throws unless this process owns the account: checked before every use of a token and as a request is sent. */
  readonly assertOwned: () => void;
}

export interface CloudClients {
  readonly session: TokenSession;
  readonly server: OAuthClient;
  readonly gateway: LockGateway;
  readonly codes: AccessCodeGateway;
  readonly history: LockHistory;
  readonly checkup: ServiceCheckup;
  readonly serviceTime: ServiceTime;
  readonly subscriptions: SubscriptionGateway;
  readonly signingKeys: SigningKeys;
  /** The subscriptions visible to this access token, whose link may be replaced already. The caller closes it. */
  subscriptionsWith(accessToken: string): {
    readonly gateway: SubscriptionGateway;
    close(): Promise<void>;
  };
  /** The rest of a pause of more than an hour that the service asked for; null without one. */
  longPauseMs(): number | null;
  /** The service has refused the connection, and is asked once more. */
  isDoubted(): boolean;
  /** A person has everything tried now: each call in a pause that has lasted for a minute, and a link that has ended. */
  tryNow(): void;
  /** Lets a token renewal finish and be stored, then ends every call. */
  close(): Promise<void>;
}

export function buildCloudClients(parts: CloudClientParts): CloudClients {
  const { partner, credentials, storage, clock, log } = parts;
  const server = new OAuthClient({ ...partner, client: credentials, clock });
  const gate = new CallGate(clock, keptPauses(storage.settings, log));
  const session = new TokenSession({
    vault: storage.vault,
    server: pausing(server, gate),
    clock,
    log,
    random: parts.random,
  });
  const serviceTime = new ServiceTime(clock);
  const settings = {
    baseUrl: partner.baseUrl,
    allowInsecureLoopback: partner.allowInsecureLoopback,
    subscriptionKeys: () => credentials().subscriptionKeys,
  };
  const deviceFor = (holder: AccessTokens, ownGate = new CallGate(clock)): DeviceInterface =>
    new DeviceInterface({
      ...settings,
      tokens: holder,
      clock,
      serviceTime,
      gate: ownGate,
      assertOwned: parts.assertOwned,
    });
  const tokens = ownTokens(session, parts.assertOwned);
  const device = deviceFor(tokens, gate);
  const { productSegment } = partner;
  return {
    session,
    server,
    gateway: lockClient(device, { ...partner, log }),
    codes: accessCodeClient(device, partner),
    history: historyClient(device, { productSegment, log }),
    checkup: {
      check: async () => checkService({ ...settings, server, tokens, productSegment, clock, serviceTime }),
    },
    serviceTime,
    subscriptions: subscriptionClient(device, productSegment),
    signingKeys: new FetchedSigningKeys({ service: device, productSegment, clock, log }),
    subscriptionsWith: (accessToken) => {
      const former = deviceFor(fixedToken(accessToken));
      return {
        gateway: subscriptionClient(former, productSegment),
        close: async () => former.close(),
      };
    },
    longPauseMs: () => gate.longPauseMs,
    isDoubted: () => session.isDoubted,
    tryNow: () => {
      gate.tapped();
      session.revive();
    },
    close: async () => {
      await session.dispose();
      await Promise.all([server.close(), device.close()]);
    },
  };
}

/** The tokens of the account, for as long as this process owns it. */
function ownTokens(session: TokenSession, assertOwned: () => void): AccessTokens {
  return {
    accessToken: async (isTapped) => {
      assertOwned();
      return session.accessToken(isTapped);
    },
    invalidate: (token) => session.invalidate(token),
    accepted: (token) => session.accepted(token),
  };
}

/** Renewals obey a pause that the service asked an earlier process for. */
function pausing(
  server: Pick<AuthorizationServer, 'refresh'>,
  gate: CallGate,
): Pick<AuthorizationServer, 'refresh'> {
  return {
    async refresh(refreshToken) {
      gate.pass('token');
      try {
        const tokens = await server.refresh(refreshToken);
        gate.taken('token');
        return tokens;
      } catch (error) {
        if (error instanceof WaitError && error.waitMs !== null) {
          throw new WaitError(error.code, wordsOf(error), gate.begin('token', error.waitMs), {
            cause: error,
          });
        }
        throw error;
      }
    },
  };
}

function fixedToken(accessToken: string): AccessTokens {
  return {
    accessToken: async () => Promise.resolve(accessToken),
    invalidate() {},
    accepted() {},
  };
}
