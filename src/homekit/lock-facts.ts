// The input of the sensors and the switch beside a lock: its state, and recent events.
import type { RuntimeLinkState } from '../domain/account.ts';
import type { Instant } from '../domain/bolt.ts';
import type { LastMove, Lock } from '../domain/lock.ts';
import type { AlertReport } from '../domain/service-event.ts';
import { type LockView, needsLinking } from './lock-mapping.ts';
import type { LockOptions } from './lock-options.ts';

export interface Connectivity {
  readonly connected: boolean;
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
  /** True for a while after the start while nothing is known: silence proves no loss of the connection yet. */
  readonly starting: boolean;
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

/** `offline` is a fresh report of the service about the lock; silence for too long is none. */
export function connectivityOf({ presence, belief }: Lock, link: RuntimeLinkState): Connectivity {
  const fault = needsLinking(link) || presence === 'missing';
  const active = !fault && link === 'linked' && belief.latest !== null && !belief.stale;
  return { connected: active && presence === 'reachable', active, fault };
}

/** Nothing has been reported of the lock since the start. */
export function isUnconfirmed({ belief, presence }: Lock): boolean {
  return belief.latest === null && presence === 'reachable';
}
