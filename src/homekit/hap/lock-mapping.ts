// Maps (lock, link, option) to Home's current and target state, never beyond the evidence.
import type { RuntimeLinkState } from '../../domain/account/account.ts';
import type { BoltPosition, BoltState } from '../../domain/locks/bolt.ts';
import { believedBolt, lastPosition } from '../../domain/locks/evidence-policy.ts';
import { boltOf, type Lock } from '../../domain/locks/lock.ts';
import { CURRENT_STATE, type CurrentState, TARGET_STATE, type TargetState } from './characteristic-values.ts';
import type { LockOptions } from './lock-options.ts';

type OfflineDisplay = LockOptions['offline'];

export interface Connectivity {
  /** Null: not known yet. */
  readonly connected: boolean | null;
  /** The service reports on the lock, so that "not connected" is its report and not our ignorance. */
  readonly active: boolean;
  /** A person must act: connect the account again, or find out why it no longer lists the lock. */
  readonly fault: boolean;
}

/** `noResponse`: reads fail, so that Home shows "No Response". */
export interface LockView {
  readonly current: CurrentState | 'noResponse';
  readonly target: TargetState;
}

const CURRENT_OF: Readonly<Record<BoltState, CurrentState>> = {
  secured: CURRENT_STATE.SECURED,
  unsecured: CURRENT_STATE.UNSECURED,
  jammed: CURRENT_STATE.JAMMED,
  unknown: CURRENT_STATE.UNKNOWN,
};

const TARGET_OF: Readonly<Record<BoltPosition, TargetState>> = {
  secured: TARGET_STATE.SECURED,
  unsecured: TARGET_STATE.UNSECURED,
};

/** The position that a HAP client asks for; undefined unless the value is exactly one of the two. */
export function positionOfTarget(value: unknown): BoltPosition | undefined {
  return (['secured', 'unsecured'] as const).find((position) => TARGET_OF[position] === value);
}

/** `shownTarget`: the target as Home shows it; it stays where neither a request nor a position is known. */
export function viewOf(
  lock: Lock,
  link: RuntimeLinkState,
  offline: OfflineDisplay,
  shownTarget: TargetState,
): LockView {
  const target = lock.target ?? lastPosition(lock.belief);
  return {
    current: currentOf(lock, link, offline),
    target: target === null ? shownTarget : TARGET_OF[target],
  };
}

function currentOf(lock: Lock, link: RuntimeLinkState, offline: OfflineDisplay): LockView['current'] {
  const { connected, fault } = connectivityOf(lock, link, false);
  if (fault) {
    return 'noResponse';
  }
  return connected === true ? CURRENT_OF[boltOf(lock)] : silentCurrent(lock, offline);
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
  // Only a person can end these states. `other-process` ends by itself: every start begins with it.
  const fault = (link !== 'linked' && link !== 'other-process') || presence === 'missing';
  const isReachable = presence === 'reachable';
  const active = !fault && link === 'linked' && belief.latest !== null && !belief.stale;
  const isTooEarly = starting && !fault && isReachable && belief.latest === null;
  return { connected: isTooEarly ? null : active && isReachable, active, fault };
}

function silentCurrent(lock: Lock, offline: OfflineDisplay): LockView['current'] {
  switch (offline) {
    case 'noResponse':
      return 'noResponse';
    case 'lastKnown':
      // Only the age of the evidence is ignored: a position last reported as unknown stays unknown.
      return CURRENT_OF[believedBolt({ ...lock.belief, stale: false })];
    case 'unknown':
      // A jam needs someone at the lock, whether or not it is online.
      return boltOf(lock) === 'jammed' ? CURRENT_STATE.JAMMED : CURRENT_STATE.UNKNOWN;
  }
}
