// Finds the homes that a request is for: by the address of one home, or by the lock in a shared delivery.
import { timingSafeEqual } from 'node:crypto';
import { jsonIn, memberOf } from '../../src/support/text/foreign-json.ts';
import { readToken } from './home-token.ts';
import type { RelayConfig } from './relay-config.ts';
import type { DeliveryTarget } from './relay-delivery.ts';

/** `shared`: one webhook for many homes, whose deliveries name the lock. */
export type RelayAddress =
  | { readonly kind: 'home'; readonly target: DeliveryTarget }
  | { readonly kind: 'shared' }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'unknown' };

const HOME_PATH = /^\/h\/(?<home>[a-z0-9][a-z0-9-]{0,63})\/(?<token>[\w-]{1,200})$/;
const SHARED_PATH = /^\/all\/(?<token>[\w-]{1,200})$/;

export function addressOf(path: string, { secrets, revoked, shared }: RelayConfig): RelayAddress {
  const { home = '', token = '' } = HOME_PATH.exec(path)?.groups ?? {};
  const claim = readToken(home, token, secrets);
  if (claim !== null) {
    return claim.generation <= (revoked[home] ?? 0) ? { kind: 'revoked' } : { kind: 'home', target: claim };
  }
  const { token: sharedToken = '' } = SHARED_PATH.exec(path)?.groups ?? {};
  return shared !== null && isSame(sharedToken, shared.token) ? { kind: 'shared' } : { kind: 'unknown' };
}

/**
 * The homes that have the lock of a delivery. The delivery is not verified here: its lock only chooses receivers, and each home
 * verifies the signature.
 */
export function targetsOf(bytes: Buffer, { shared, revoked }: RelayConfig): readonly DeliveryTarget[] {
  const device = deviceIn(jsonIn(bytes.toString('utf8')));
  const homes = device === null ? [] : (shared?.devices[device] ?? []);
  return homes.flatMap((home) => {
    const known = shared?.homes[home];
    const isRefused = known === undefined || known.generation <= (revoked[home] ?? 0);
    return isRefused ? [] : [{ home, ...known }];
  });
}

/** In either envelope, also alone in an array (wire contract 7 and 11). Several would show a home the events of another. */
function deviceIn(body: unknown): string | null {
  const [event, ...others] = Array.isArray(body) ? (body as unknown[]) : [body];
  const id = memberOf(event, 'deviceId') ?? memberOf(memberOf(event, 'data'), 'deviceId');
  return others.length === 0 && typeof id === 'string' ? id : null;
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
