// Maps (lock, link, bound) to the attributes read by Matter controllers. Nothing is claimed without evidence.
import type { RuntimeLinkState } from '../../../domain/account/account.ts';
import { isLow } from '../../../domain/locks/battery-policy.ts';
import { boltOf, type Lock } from '../../../domain/locks/lock.ts';
import { matterVersion } from './matter-text.ts';
import {
  CHARGE_LEVEL,
  HALF_PERCENTS,
  LOCK_STATE,
  LOCK_TYPE,
  type LockState,
  type LockType,
  POWER_STATUS,
} from './matter-values.ts';

/** Attributes by cluster, as `Endpoint.set` takes them. */
export interface LockAttributes {
  readonly doorLock: { readonly lockState: LockState | null; readonly lockType: LockType };
  readonly powerSource: {
    readonly status: number;
    readonly batPercentRemaining: number | null;
    readonly batChargeLevel: number;
    readonly batReplacementNeeded: boolean;
  };
  readonly bridgedDeviceBasicInformation: {
    readonly reachable: boolean;
    readonly softwareVersionString: string;
  };
}

/** The last reported battery level; close above the bound it stays unchanged. */
export function saysLow(attributes: LockAttributes | null): boolean {
  return attributes?.powerSource.batReplacementNeeded ?? false;
}

export function attributesOf(
  lock: Lock,
  link: RuntimeLinkState,
  lowPercent: number,
  wasLow: boolean,
): LockAttributes {
  return {
    doorLock: { lockState: lockStateOf(lock, link), lockType: lockTypeOf(lock) },
    powerSource: batteryOf(lock, lowPercent, wasLow),
    bridgedDeviceBasicInformation: {
      reachable: isReachable(lock, link),
      softwareVersionString: matterVersion(lock.description.firmware),
    },
  };
}

/** Locked or unlocked on fresh evidence only; no answer, stale evidence or a lost link is unknown. */
function lockStateOf(lock: Lock, link: RuntimeLinkState): LockState | null {
  if (link !== 'linked' || lock.presence !== 'reachable') {
    return null;
  }
  switch (boltOf(lock)) {
    case 'secured':
      return LOCK_STATE.LOCKED;
    case 'unsecured':
      return LOCK_STATE.UNLOCKED;
    case 'jammed':
      return LOCK_STATE.NOT_FULLY_LOCKED;
    case 'unknown':
      return null;
  }
}

/** The service names the kind of a lock with each reading; until the first one it counts as what most of its locks are. */
function lockTypeOf({ device }: Lock): LockType {
  return device !== null && /lever/i.test(device.type) ? LOCK_TYPE.LATCH_BOLT : LOCK_TYPE.DEAD_BOLT;
}

/**
 * Until this process owns the account, the lock's reachability is unknown. Stale evidence is an outage: an app that keeps its
 * last tile at an unknown position has to see that.
 */
function isReachable({ presence, belief }: Lock, link: RuntimeLinkState): boolean {
  return presence === 'reachable' && !belief.stale && (link === 'linked' || link === 'other-process');
}

function batteryOf({ battery }: Lock, lowPercent: number, wasLow: boolean): LockAttributes['powerSource'] {
  const low = isLow(battery, lowPercent, wasLow);
  const isUnreported = battery.grade === 'unknown' && battery.percent === null;
  return {
    status: isUnreported ? POWER_STATUS.UNSPECIFIED : POWER_STATUS.ACTIVE,
    batPercentRemaining: battery.percent === null ? null : battery.percent * HALF_PERCENTS,
    batChargeLevel:
      battery.grade === 'critical' ? CHARGE_LEVEL.CRITICAL : low ? CHARGE_LEVEL.WARNING : CHARGE_LEVEL.OK,
    batReplacementNeeded: low,
  };
}
