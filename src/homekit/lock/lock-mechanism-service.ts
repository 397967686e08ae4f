// The LockMechanism service: current state, target state, and requests written to the target.
import type { API, Characteristic, PlatformAccessory, Service } from 'homebridge';
import type { BoltPosition } from '../../domain/locks/bolt.ts';
import { shownIn } from '../hap/accessory-context.ts';
import type { AccessoryParts } from '../hap/accessory-parts.ts';
import {
  ACCESS,
  CURRENT_STATE,
  type CurrentState,
  HAP_STATUS,
  type HapStatus,
  TARGET_STATE,
  type TargetState,
} from '../hap/characteristic-values.ts';
import { serviceOf } from '../hap/hap-service.ts';
import { type LockView, positionOfTarget } from '../hap/lock-mapping.ts';
import type { LockOptions } from '../hap/lock-options.ts';
import type { ShownValues } from '../hap/shown-values.ts';
import { deactivateCached } from '../sensors/side-services.ts';

/** HAP answers the first valid value where a read fails: UNKNOWN, and the target that opens nothing. */
const CURRENT_DEFAULT_FIRST: CurrentState[] = [
  CURRENT_STATE.UNKNOWN,
  CURRENT_STATE.UNSECURED,
  CURRENT_STATE.SECURED,
  CURRENT_STATE.JAMMED,
];
const TARGET_DEFAULT_FIRST: TargetState[] = [TARGET_STATE.SECURED, TARGET_STATE.UNSECURED];

/** Sends a request to the lock. Never rejects; resolves with the status for the HAP write. */
export type SendRequest = (target: BoltPosition) => Promise<HapStatus>;

/** Until the first `show` the current state is unknown, even when it is cached; the target keeps its cached value. */
export class LockMechanismService {
  readonly service: Service;
  readonly #current: Characteristic;
  readonly #target: Characteristic;
  readonly #accessory: PlatformAccessory;
  readonly #values: ShownValues;
  /** The position that Home showed before this start, until there is one again; null: not known. */
  #before: number | null;
  #view: LockView;

  constructor({ api, accessory, options, runtime, values }: AccessoryParts, request: SendRequest) {
    const { hap } = api;
    const isNew = accessory.getService(hap.Service.LockMechanism) === undefined;
    this.service = serviceOf(accessory, hap.Service.LockMechanism, accessory.displayName);
    this.#current = this.service.getCharacteristic(hap.Characteristic.LockCurrentState);
    this.#target = this.service.getCharacteristic(hap.Characteristic.LockTargetState);
    this.#view = {
      current: CURRENT_STATE.UNKNOWN,
      target: isNew ? TARGET_STATE.SECURED : cachedTarget(this.#target),
    };
    if (!this.service.isPrimaryService) {
      this.service.setPrimaryService();
    }
    this.#accessory = accessory;
    this.#values = values;
    forgetPosition(this.#current, this.#target);
    values.put(this.#target, this.#view.target);
    this.#before = shownIn(accessory.context);
    delete accessory.context['shown'];
    if (!isNew) {
      values.assumeUnheard(this.#current);
    }
    this.configure(options);
    const viewNow = (): LockView => {
      if (this.#view.current === 'noResponse') {
        throw new hap.HapStatusError(HAP_STATUS.SERVICE_COMMUNICATION_FAILURE);
      }
      return this.#view;
    };
    const afterEvents = <T>(read: () => T): T | Promise<T> => {
      // Evidence may have gone stale while the machine slept, and events of that time may wait beside this read.
      const caughtUp = runtime.caughtUp();
      return caughtUp === null ? read() : caughtUp.then(read);
    };
    this.#current.onGet(() => afterEvents(() => storedCurrent(viewNow().current)));
    this.#target.onGet(() => afterEvents(() => viewNow().target));
    values.takeWrites(
      hap,
      this.#target,
      () => this.#view.target,
      async (value) => {
        const target = positionOfTarget(value);
        return target === undefined ? HAP_STATUS.INVALID_VALUE_IN_REQUEST : request(target);
      },
    );
  }

  /** The target as Home shows it: by a request, by evidence or from the cache. */
  get target(): TargetState {
    return this.#view.target;
  }

  /** Target first, then current, so that Home never shows "Locking ..." for a bolt already there. True when either changed. */
  show(view: LockView): boolean {
    const returns = this.#view.current === 'noResponse' && view.current !== 'noResponse';
    this.#view = view;
    const aimed = this.#values.put(this.#target, view.target);
    const current = storedCurrent(view.current);
    if (returns) {
      // A failed read made Home mark the lock as unresponsive; only an event clears that, and some controllers want one of each.
      this.#values.send(this.#target, view.target);
      this.#values.send(this.#current, current);
    }
    const moved = this.#values.put(this.#current, current);
    this.#compare(current);
    return returns || moved || aimed;
  }

  /** The first position is no news for controllers that show it already. */
  #compare(current: CurrentState): void {
    if (current !== CURRENT_STATE.UNKNOWN && this.#before !== null) {
      if (current === this.#before) {
        this.#values.assumeHeard(this.#current);
      }
      this.#before = null;
    }
  }

  /** Tells the next start what Home shows. A process that is killed does not, so that nothing older is taken for it. */
  dispose(): void {
    this.#accessory.context['shown'] = storedCurrent(this.#view.current);
  }

  configure({ adminOnly }: Pick<LockOptions, 'adminOnly'>): void {
    this.#target.setProps({ adminOnlyAccess: adminOnly ? [ACCESS.WRITE] : [] });
  }
}

/** Makes UNKNOWN both the stored value and HAP's own default; the target stays. */
function forgetPosition(current: Characteristic, target: Characteristic): void {
  current.setProps({ validValues: CURRENT_DEFAULT_FIRST });
  target.setProps({ validValues: TARGET_DEFAULT_FIRST });
  current.updateValue(CURRENT_STATE.UNKNOWN);
}

/**
 * Call it in `configureAccessory`, before Homebridge publishes: the cached position is dropped, reads answer "No
 * Response" and writes fail until a lock takes the accessory over, and for good if the platform never starts.
 */
export function resetCachedState(api: Pick<API, 'hap'>, accessory: PlatformAccessory): void {
  const { hap } = api;
  deactivateCached(api, accessory);
  const service = accessory.getService(hap.Service.LockMechanism);
  if (service === undefined) {
    return;
  }
  const refuse = (): never => {
    throw new hap.HapStatusError(HAP_STATUS.SERVICE_COMMUNICATION_FAILURE);
  };
  const current = service.getCharacteristic(hap.Characteristic.LockCurrentState);
  const target = service.getCharacteristic(hap.Characteristic.LockTargetState);
  forgetPosition(current, target);
  current.onGet(refuse);
  target.onGet(refuse).onSet(refuse);
}

function storedCurrent(current: LockView['current']): CurrentState {
  return current === 'noResponse' ? CURRENT_STATE.UNKNOWN : current;
}

function cachedTarget(target: Characteristic): TargetState {
  return target.value === TARGET_STATE.UNSECURED ? TARGET_STATE.UNSECURED : TARGET_STATE.SECURED;
}
