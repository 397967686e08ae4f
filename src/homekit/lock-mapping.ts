// What Home shows of a lock: (lock, link, option) -> current and target. Nothing is shown that no evidence carries.
import type { RuntimeLinkState } from '../domain/account.ts';
import type { BoltPosition, BoltState } from '../domain/bolt.ts';
import { believedBolt, lastPosition } from '../domain/evidence-policy.ts';
import { boltOf, type Lock } from '../domain/lock.ts';
import { CURRENT_STATE, type CurrentState, TARGET_STATE, type TargetState } from './characteristic-values.ts';
import type { OfflineDisplay } from './lock-options.ts';

/** What the two characteristics of a lock say. `noResponse`: reads fail, so that Home says "No Response". */
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

/** The wish behind a value that a HAP client wrote; undefined for anything that is not exactly one of the two. */
export function positionOfTarget(value: unknown): BoltPosition | undefined {
  switch (value) {
    case TARGET_STATE.SECURED:
      return 'secured';
    case TARGET_STATE.UNSECURED:
      return 'unsecured';
    default:
      return undefined;
  }
}

/** `shownTarget` is what the target shows already; it stays where neither a wish nor any rest is known. */
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

/**
 * Only a person can end this. "Elsewhere" ends by itself: every start begins with it, and until the account is ours
 * nobody tells us anything.
 */
export function needsLinking(link: RuntimeLinkState): boolean {
  return link !== 'linked' && link !== 'other-process';
}

/** Nothing fresh is known of the lock: nobody can reach it, or nobody has spoken of it for too long, or ever. */
function isSilent({ presence, belief }: Lock): boolean {
  return presence !== 'reachable' || belief.latest === null || belief.stale;
}

function silentCurrent(lock: Lock, offline: OfflineDisplay): LockView['current'] {
  switch (offline) {
    case 'noResponse':
      return 'noResponse';
    case 'lastKnown':
      // The person chose to see old news. Only its age is overlooked: if the last word was "unknown", it stays so.
      return CURRENT_OF[believedBolt({ ...lock.belief, stale: false })];
    case 'unknown':
      // A jam is a warning and needs a hand at the door, whether or not the lock can be reached.
      return boltOf(lock) === 'jammed' ? CURRENT_STATE.JAMMED : CURRENT_STATE.UNKNOWN;
  }
}
