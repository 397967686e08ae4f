// The LockManagement service: the last known action, where HomeKit has a value of exactly that meaning.
import type { Characteristic, HAP, PlatformAccessory, Service } from 'homebridge';
import type { AccessMethod } from '../../domain/locks/access.ts';
import type { BoltPosition } from '../../domain/locks/bolt.ts';
import { boltOf, type Lock } from '../../domain/locks/lock.ts';
import { type Instant } from '../../domain/time/instant.ts';
import { isCredible, isRecent } from '../../domain/time/time.ts';
import { atFirstUse } from '../../support/first-use.ts';
import { movedAtIn } from '../hap/accessory-context.ts';
import type { AccessoryParts } from '../hap/accessory-parts.ts';
import { HAP_STATUS, LAST_ACTION, type LastAction } from '../hap/characteristic-values.ts';
import { bridgeOf, putInactive, serviceOf } from '../hap/hap-service.ts';
import type { ShownValues } from '../hap/shown-values.ts';

/** The version of the LockManagement service that HAP defines. */
const SERVICE_VERSION = '1.0';

type ActionPair = Readonly<Record<BoltPosition, LastAction | null>>;

const NO_ACTION: ActionPair = { secured: null, unsecured: null };
const BY_HAND: ActionPair = {
  secured: LAST_ACTION.SECURED_PHYSICALLY,
  unsecured: LAST_ACTION.UNSECURED_PHYSICALLY,
};
const REMOTELY: ActionPair = {
  secured: LAST_ACTION.SECURED_REMOTELY,
  unsecured: LAST_ACTION.UNSECURED_REMOTELY,
};

/**
 * Specification, Accessor types. A thumbturn has no side there; keys and buttons may be used locally or remotely, and a
 * schedule is no timeout after unlocking: HomeKit has no value that means exactly these.
 */
const ACTIONS: Readonly<Record<AccessMethod, ActionPair>> = {
  'one-touch': { secured: LAST_ACTION.SECURED_PHYSICALLY_EXTERIOR, unsecured: null },
  'access-code': { secured: LAST_ACTION.SECURED_BY_KEYPAD, unsecured: LAST_ACTION.UNSECURED_BY_KEYPAD },
  'auto-relock': { secured: LAST_ACTION.SECURED_BY_AUTO_SECURE_TIMEOUT, unsecured: null },
  thumbturn: BY_HAND,
  platform: REMOTELY,
  'own-command': REMOTELY,
  'virtual-key': NO_ACTION,
  'unlock-button': NO_ACTION,
  'lock-button': NO_ACTION,
  schedule: NO_ACTION,
  'platform-key': NO_ACTION,
  unavailable: NO_ACTION,
  other: NO_ACTION,
};

/** HomeKit's value for how the bolt was moved, or null. */
export function lastActionOf(method: AccessMethod, to: BoltPosition): LastAction | null {
  return ACTIONS[method][to];
}

/** `action`: HomeKit's value for how the bolt was moved, or null. */
export interface KnownMove {
  readonly to: BoltPosition;
  readonly at: Instant;
  readonly action: LastAction | null;
  /** Its author was another at first. */
  readonly isCorrected: boolean;
}

/** The latest move, by a command of ours or with an accessor. */
export function knownMoveIn({ lastMove }: Pick<Lock, 'lastMove'>): KnownMove | null {
  if (lastMove === null) {
    return null;
  }
  const { to, at, by, isCorrected = false } = lastMove;
  return { to, at, action: lastActionOf(by.method, to), isCorrected };
}

/**
 * The last action appears some minutes after one is known, for many locks at once. It never goes back in time, across
 * restarts as well. Recent actions are sent as events; late ones are only there to be read. The control point refuses
 * every write.
 */
export class LockManagementService {
  readonly service: Service;
  readonly #hap: HAP;
  readonly #accessory: PlatformAccessory;
  readonly #values: ShownValues;
  readonly #shapes: AccessoryParts['shapes'];
  /** Adds it where it is not there yet. */
  readonly #lastAction: () => Characteristic;
  #isShown = false;

  constructor({ api: { hap }, accessory, values, shapes }: AccessoryParts) {
    this.#shapes = shapes;
    this.#hap = hap;
    this.#values = values;
    this.#accessory = accessory;
    this.service = serviceOf(accessory, hap.Service.LockManagement);
    this.#lastAction = atFirstUse(() =>
      this.service.getCharacteristic(hap.Characteristic.LockLastKnownAction),
    );
    values.put(this.service.getCharacteristic(hap.Characteristic.Version), SERVICE_VERSION);
    this.service.getCharacteristic(hap.Characteristic.LockControlPoint).onSet(() => {
      throw new hap.HapStatusError(HAP_STATUS.NOT_ALLOWED_IN_CURRENT_STATE);
    });
  }

  /** True when an event was sent. `now`: the service's time, or null while it is unknown. */
  show(lock: Lock, now: Instant | null): boolean {
    const move = knownMoveIn(lock);
    const knownUntil = this.#knownUntil(now);
    if (move === null || move.at < knownUntil || (move.at === knownUntil && !move.isCorrected)) {
      return false;
    }
    this.#accessory.context['movedAt'] = move.at;
    if (move.action === null) {
      return false;
    }
    const { action } = move;
    this.#isShown ||= this.service.testCharacteristic(this.#hap.Characteristic.LockLastKnownAction);
    if (!this.#isShown && bridgeOf(this.#accessory) !== undefined) {
      // Nobody can have subscribed to it, so that no event is lost. HAP knows no value for "no action yet".
      this.#shapes.later(this, () => putInactive(this.#lastAction(), action));
      return false;
    }
    if (isRecent(move.at, now) && move.to === boltOf(lock)) {
      return this.#values.put(this.#lastAction(), action);
    }
    putInactive(this.#lastAction(), action);
    return false;
  }

  /** Moves up to then are older than the one shown. A date of a wrong clock does not count. */
  #knownUntil(now: Instant | null): Instant {
    const at = movedAtIn(this.#accessory.context) ?? Number.NEGATIVE_INFINITY;
    return now !== null && !isCredible(at, now) ? Number.NEGATIVE_INFINITY : at;
  }
}
