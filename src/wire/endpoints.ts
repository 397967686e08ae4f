// Every path and header name of the service, as data: a deviating partner is changed here alone.
import type { AccessCodeId } from '../domain/codes/access-code.ts';
import type { CommandId } from '../domain/commands/command.ts';
import type { LockId } from '../domain/locks/lock.ts';
import { pathSegment } from './path-segment.ts';

/** How a command is sent: by the commands endpoint, or by the aliases of an older form (wire contract 4, 10.2). */
export type CommandStyle = 'commands' | 'rest';

/** Header names in lower case, as Node hands them out (specification, Authentication; Rate-limit response headers). */
export const HEADERS = {
  authorization: 'authorization',
  challenge: 'www-authenticate',
  subscriptionKey: 'vendor-subscription-key',
  location: 'location',
  date: 'date',
  retryAfter: 'retry-after',
  rateRetryAfter: 'x-retry-after',
  rateLimit: 'x-rate-limit',
  rateLimitRemaining: 'x-rate-limit-remaining',
  rateLimitReset: 'x-rate-limit-reset',
} as const;

/** Header names of webhooks and of the handshake before them, in lower case (wire contract 6). */
export const WEBHOOK_HEADERS = {
  requestOrigin: 'webhook-request-origin',
  requestRate: 'webhook-request-rate',
  allowedOrigin: 'webhook-allowed-origin',
  allowedRate: 'webhook-allowed-rate',
} as const;

/** Headers of one answer, names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** Paths after `{auth_url}` (specification, Authorization and token endpoints). */
export const OAUTH_PATHS = { authorize: '/OAuth2/authorize', token: '/OAuth2/token' } as const;

/** The webhook paths of one product, after `{base_url}` (wire contract 6). */
export function eventEndpoints(productSegment: string) {
  const events = `/${pathSegment(productSegment)}/events`;
  const subscriptions = `${events}/subscriptions`;
  return {
    subscriptions,
    subscription: (id: string) => `${subscriptions}/${pathSegment(id)}`,
    publicKey: `${events}/publickey`,
  };
}

/** The paths of one product, the `locks` by default, after `{base_url}` (wire contract 2 to 5), without a query. */
export function deviceEndpoints(productSegment: string) {
  const devices = `/${pathSegment(productSegment)}/devices`;
  const device = (lockId: LockId): string => `${devices}/${pathSegment(lockId)}`;
  return {
    devices,
    commands: (lockId: LockId) => `${device(lockId)}/commands`,
    command: (lockId: LockId, commandId: CommandId) => `${device(lockId)}/commands/${pathSegment(commandId)}`,
    lock: (lockId: LockId) => `${device(lockId)}/lock`,
    unlock: (lockId: LockId) => `${device(lockId)}/unlock`,
    history: (lockId: LockId) => `${device(lockId)}/history`,
    accessCodes: (lockId: LockId) => `${device(lockId)}/accesscodes`,
    accessCode: (lockId: LockId, codeId: AccessCodeId) =>
      `${device(lockId)}/accesscodes/${pathSegment(codeId)}`,
  };
}

export type DeviceEndpoints = ReturnType<typeof deviceEndpoints>;
