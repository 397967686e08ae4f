// How the bolt was moved last, as far as HomeKit has a word that means exactly that.
import type { Characteristic, HAP, PlatformAccessory, Service } from 'homebridge';
import type { AccessMethod } from '../domain/access.ts';
import { type BoltPosition, type Instant, isBoltPosition } from '../domain/bolt.ts';
import { boltOf, type Lock } from '../domain/lock.ts';
import { isRecent } from '../sync/state/recent-moves.ts';
import { movedAtIn } from './accessory-context.ts';
import { HAP_STATUS, LAST_ACTION, type LastAction } from './characteristic-values.ts';
import { put, putInactive, serviceOf } from './hap-service.ts';

/** The version of the LockManagement service that HAP defines. */
const SERVICE_VERSION = '1.0';

/** A move so far ahead of the service's time was dated by a clock that was wrong, in milliseconds; less is the uncertainty of any. */
const AHEAD_MS = 60_000;

interface ActionPair {
  readonly secured: LastAction | null;
  readonly unsecured: LastAction | null;
}

const NO_WORD: ActionPair = { secured: null, unsecured: null };
const BY_HAND: ActionPair = {
  secured: LAST_ACTION.SECURED_PHYSICALLY,
  unsecured: LAST_ACTION.UNSECURED_PHYSICALLY,
};
const REMOTELY: ActionPair = {
  secured: LAST_ACTION.SECURED_REMOTELY,
  unsecured: LAST_ACTION.UNSECURED_REMOTELY,
};

/**
 * Specification, Accessor types. "Thumbturn" says manually and does not say from which side. A virtual key, a home key
 * and a button may be used at the door or from afar, a schedule is no timeout after unlocking: HomeKit has no word
 * that means these and nothing else.
 */
const ACTIONS: Readonly<Record<AccessMethod, ActionPair>> = {
  'one-touch': { secured: LAST_ACTION.SECURED_PHYSICALLY_EXTERIOR, unsecured: null },
  'access-code': { secured: LAST_ACTION.SECURED_BY_KEYPAD, unsecured: LAST_ACTION.UNSECURED_BY_KEYPAD },
  'auto-relock': { secured: LAST_ACTION.SECURED_BY_AUTO_SECURE_TIMEOUT, unsecured: null },
  thumbturn: BY_HAND,
  platform: REMOTELY,
  'own-command': REMOTELY,
  'virtual-key': NO_WORD,
  'unlock-button': NO_WORD,
  'lock-button': NO_WORD,
  schedule: NO_WORD,
  'platform-key': NO_WORD,
  unavailable: NO_WORD,
  other: NO_WORD,
};

/** HomeKit's word for the way in which the bolt was moved, or null. */
export function lastActionOf(method: AccessMethod, to: BoltPosition): LastAction | null {
  return ACTIONS[method][to];
}

/** A move of which it is known how it was made, and HomeKit's word for that, or null. */
export interface KnownMove {
  readonly to: BoltPosition;
  readonly at: Instant;
  readonly action: LastAction | null;
}

/** The latest move that we know the way of: one with an accessor, or the end of a command of ours. */
export function knownMoveIn({ lastMove, belief: { latest } }: Lock): KnownMove | null {
  if (
    latest?.source === 'command' &&
    isBoltPosition(latest.bolt) &&
    (lastMove === null || lastMove.at < latest.at)
  ) {
    return { to: latest.bolt, at: latest.at, action: lastActionOf('own-command', latest.bolt) };
  }
  if (lastMove === null) {
    return null;
  }
  const { to, at, by } = lastMove;
  return { to, at, action: lastActionOf(by.method, to) };
}

/**
 * Owns the LockManagement service. The last action appears once one is known, and only ever goes forward in the time of the
 * moves themselves, across restarts as well. Controllers are told of what has just happened; what is told late is
 * there for whoever reads. The control point takes nothing.
 */
export class LockManagementService {
  readonly service: Service;
  readonly #hap: HAP;
  readonly #accessory: PlatformAccessory;
  #lastAction: Characteristic | null = null;

  constructor(hap: HAP, accessory: PlatformAccessory) {
    this.#hap = hap;
    this.#accessory = accessory;
    this.service = serviceOf(accessory, hap.Service.LockManagement);
    put(this.service.getCharacteristic(hap.Characteristic.Version), SERVICE_VERSION);
    this.service.getCharacteristic(hap.Characteristic.LockControlPoint).onSet(() => {
      throw new hap.HapStatusError(HAP_STATUS.NOT_ALLOWED_IN_CURRENT_STATE);
    });
  }

  /** True when controllers were told of another last action. `now`: the service's time, or null while it is not known. */
  show(lock: Lock, now: Instant | null): boolean {
    const move = knownMoveIn(lock);
    if (move === null || move.at <= this.#knownUntil(now)) {
      return false;
    }
    this.#accessory.context['movedAt'] = move.at;
    if (move.action === null) {
      return false;
    }
    this.#lastAction ??= this.service.getCharacteristic(this.#hap.Characteristic.LockLastKnownAction);
    if (isRecent(move.at, now) && move.to === boltOf(lock)) {
      return put(this.#lastAction, move.action);
    }
    putInactive(this.#lastAction, move.action);
    return false;
  }

  /** What is told of until then is older than what is shown. A clock that was wrong must not outlast everything that comes after. */
  #knownUntil(now: Instant | null): Instant {
    const at = movedAtIn(this.#accessory.context) ?? Number.NEGATIVE_INFINITY;
    return now !== null && at > now + AHEAD_MS ? Number.NEGATIVE_INFINITY : at;
  }
}
