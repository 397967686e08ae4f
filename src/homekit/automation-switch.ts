// A switch that moves the bolt without Home asking first: on is locked. It wishes like everything else and shows the truth.
import type { API, Characteristic, HAP, PlatformAccessory } from 'homebridge';
import type { BoltPosition } from '../domain/bolt.ts';
import { ACCESS, CURRENT_STATE, HAP_STATUS, type HapStatus } from './characteristic-values.ts';
import { put } from './hap-service.ts';
import type { LockFacts, LockWatcher } from './lock-facts.ts';
import type { LockOptions } from './lock-options.ts';
import type { SideServices } from './side-services.ts';

const SUBTYPE = 'automation';

export interface SwitchParts {
  readonly hap: HAP;
  readonly sides: SideServices;
  readonly options: LockOptions;
  /** Carries a wish on. Never rejects; resolves with the status for the HAP write. */
  readonly request: (rest: BoltPosition) => Promise<HapStatus>;
}

export class AutomationSwitch implements LockWatcher {
  readonly #parts: SwitchParts;
  readonly #on: Characteristic;
  /** On only by evidence: while a bolt travels, the switch says what is, not what was wished. */
  #secured = false;
  /** False: off is refused. */
  #mayUnlock = false;

  constructor(parts: SwitchParts) {
    const { hap, sides, options } = parts;
    const { service } = sides.want(hap.Service.Switch, SUBTYPE, 'lock switch');
    this.#parts = parts;
    this.#on = service.getCharacteristic(hap.Characteristic.On);
    this.configure(options);
    this.#on.onGet(() => this.#secured);
    this.#on.onSet(async (value) => {
      await this.#write(value === true ? 'secured' : 'unsecured');
    });
    // HAP stores a written value after our answer.
    this.#on.on('change', () => {
      put(this.#on, this.#secured);
    });
  }

  /** Only the home's administrators may use it where that holds for the lock itself. */
  configure({ adminOnly, alerts }: LockOptions): void {
    this.#mayUnlock = alerts.automationSwitch === 'bothWays';
    this.#on.setProps({ adminOnlyAccess: adminOnly ? [ACCESS.WRITE] : [] });
  }

  show({ view }: LockFacts): void {
    this.#secured = view.current === CURRENT_STATE.SECURED;
    put(this.#on, this.#secured);
  }

  async #write(rest: BoltPosition): Promise<void> {
    const { hap, request } = this.#parts;
    const allowed = rest === 'secured' || this.#mayUnlock;
    const status = allowed ? await request(rest) : HAP_STATUS.INSUFFICIENT_PRIVILEGES;
    if (status !== HAP_STATUS.SUCCESS) {
      // The writer shows its own wish already: say at once, even if nothing changed here, how it is.
      this.#on.sendEventNotification(this.#secured);
      throw new hap.HapStatusError(status);
    }
  }
}

/** Before a lock takes the accessory over, a cached switch must not say "locked", and takes no wish. */
export function resetAutomationSwitch({ hap }: Pick<API, 'hap'>, accessory: PlatformAccessory): void {
  const on = accessory.getServiceById(hap.Service.Switch, SUBTYPE)?.getCharacteristic(hap.Characteristic.On);
  if (on !== undefined) {
    put(on, false);
    on.onSet(() => {
      throw new hap.HapStatusError(HAP_STATUS.SERVICE_COMMUNICATION_FAILURE);
    });
  }
}
