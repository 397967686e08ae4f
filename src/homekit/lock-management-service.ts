// How the bolt was moved last, as far as HomeKit has a word that means exactly that.
import type { Characteristic, HAP, PlatformAccessory, Service } from 'homebridge';
import type { AccessMethod } from '../domain/access.ts';
import { isRest, type Rest } from '../domain/bolt.ts';
import type { Lock } from '../domain/lock.ts';
import { HAP_STATUS, LAST_ACTION, type LastAction } from './characteristic-values.ts';
import { put, serviceOf } from './hap-service.ts';

/** The version of the LockManagement service that HAP defines. */
const SERVICE_VERSION = '1.0';

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
export function lastActionOf(method: AccessMethod, to: Rest): LastAction | null {
  return ACTIONS[method][to];
}

/** The latest move that we know the way of: one with an accessor, or the end of a command of ours. */
export function lastActionIn({ lastMove, belief: { latest } }: Lock): LastAction | null {
  const byCommand = latest?.source === 'command' && isRest(latest.bolt) ? latest : null;
  if (byCommand !== null && isRest(byCommand.bolt) && (lastMove === null || lastMove.at < byCommand.at)) {
    return lastActionOf('own-command', byCommand.bolt);
  }
  return lastMove === null ? null : lastActionOf(lastMove.by.method, lastMove.to);
}

/** Owns the LockManagement service. The last action appears once one is known; its control point takes nothing. */
export class LockManagementService {
  readonly service: Service;
  readonly #hap: HAP;
  #lastAction: Characteristic | null = null;

  constructor(hap: HAP, accessory: PlatformAccessory) {
    this.#hap = hap;
    this.service = serviceOf(accessory, hap.Service.LockManagement);
    put(this.service.getCharacteristic(hap.Characteristic.Version), SERVICE_VERSION);
    this.service.getCharacteristic(hap.Characteristic.LockControlPoint).onSet(() => {
      throw new hap.HapStatusError(HAP_STATUS.NOT_ALLOWED_IN_CURRENT_STATE);
    });
  }

  /** True when the last action was news. */
  show(lock: Lock): boolean {
    const action = lastActionIn(lock);
    if (action === null) {
      return false;
    }
    this.#lastAction ??= this.service.getCharacteristic(this.#hap.Characteristic.LockLastKnownAction);
    return put(this.#lastAction, action);
  }
}
