// Maps (lock, link, option) to Home's current and target state, never beyond the evidence.
import type { RuntimeLinkState } from '../domain/account.ts';
import type { BoltPosition, BoltState } from '../domain/bolt.ts';
import { believedBolt, lastPosition } from '../domain/evidence-policy.ts';
import { boltOf, type Lock } from '../domain/lock.ts';
import { CURRENT_STATE, type CurrentState, TARGET_STATE, type TargetState } from './characteristic-values.ts';
import type { LockOptions } from './lock-options.ts';

type OfflineDisplay = LockOptions['offline'];

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
  if (needsLinking(link) || lock.presence === 'missing') {
    return 'noResponse';
  }
  const silent = link === 'other-process' || isSilent(lock);
  return silent ? silentCurrent(lock, offline) : CURRENT_OF[boltOf(lock)];
}

/** Only a person can end this. `other-process` ends by itself: every start begins with it. */
export function needsLinking(link: RuntimeLinkState): boolean {
  return link !== 'linked' && link !== 'other-process';
}

/** There is no fresh evidence: the lock is offline, or was not reported for too long, or never. */
function isSilent({ presence, belief }: Lock): boolean {
  return presence !== 'reachable' || belief.latest === null || belief.stale;
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
