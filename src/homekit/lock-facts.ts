// The input of the sensors and the switch beside a lock: its state, and recent events.
import type { RuntimeLinkState } from '../domain/account.ts';
import type { Instant } from '../domain/bolt.ts';
import type { LastMove, Lock } from '../domain/lock.ts';
import type { AlertReport } from '../domain/service-event.ts';
import { type LockView, needsLinking } from './lock-mapping.ts';
import type { LockOptions } from './lock-options.ts';

export interface Connectivity {
  /** Null: not known yet. */
  readonly connected: boolean | null;
  /** The service reports on the lock, so that "not connected" is its report and not our ignorance. */
  readonly active: boolean;
  /** A person must act: link the account again, or find out why it no longer lists the lock. */
  readonly fault: boolean;
}

export interface LockFacts {
  readonly lock: Lock;
  readonly view: LockView;
  readonly batteryLow: boolean;
  readonly connectivity: Connectivity;
}

/** A recent event; never an old one. */
export type SensorEvent =
  | { readonly type: 'alert'; readonly alert: AlertReport['type']; readonly at: Instant }
  | { readonly type: 'moved'; readonly move: LastMove };

/** A sensor or switch beside the lock. Each implements the part that it needs. */
export interface SideService {
  readonly show: (facts: LockFacts) => void;
  readonly receive?: (event: SensorEvent) => void;
  /** Other options are in force. Which services there are does not depend on those that can change. */
  readonly configure?: (options: LockOptions) => void;
  readonly dispose?: () => void;
}

/**
 * `offline` is a fresh report of the service about the lock; silence for too long is none. `starting`: the start was so short
 * a while ago that silence proves no loss of the connection.
 */
export function connectivityOf(
  { presence, belief }: Lock,
  link: RuntimeLinkState,
  starting: boolean,
): Connectivity {
  const fault = needsLinking(link) || presence === 'missing';
  const isReachable = presence === 'reachable';
  const active = !fault && link === 'linked' && belief.latest !== null && !belief.stale;
  const isOpen = starting && !fault && isReachable && belief.latest === null;
  return { connected: isOpen ? null : active && isReachable, active, fault };
}
