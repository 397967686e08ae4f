// A switch that operates the lock without Home asking first: on is locked.
import type { Characteristic, HAP } from 'homebridge';
import type { BoltPosition } from '../domain/bolt.ts';
import type { AccessoryParts } from './accessory-parts.ts';
import { ACCESS, CURRENT_STATE, HAP_STATUS } from './characteristic-values.ts';
import { put } from './hap-service.ts';
import type { LockFacts, SideService } from './lock-facts.ts';
import type { SendRequest } from './lock-mechanism-service.ts';
import type { LockOptions } from './lock-options.ts';
import type { SideServices } from './side-services.ts';

export class AutomationSwitch implements SideService {
  readonly #hap: HAP;
  readonly #request: SendRequest;
  readonly #on: Characteristic;
  readonly #active: Characteristic;
  /** Follows the evidence, not the request: while the bolt moves, the switch shows where it was. */
  #secured: boolean;
  /** False: off is refused. */
  #mayUnlock = false;

  constructor({ api, options }: AccessoryParts, sides: SideServices, request: SendRequest) {
    const { hap } = api;
    const { On, StatusActive } = hap.Characteristic;
    const { service } = sides.want(hap.Service.Switch, 'automation', 'lock switch');
    this.#hap = hap;
    this.#request = request;
    this.#on = service.getCharacteristic(On);
    if (!service.testCharacteristic(StatusActive)) {
      service.addOptionalCharacteristic(StatusActive);
    }
    this.#active = service.getCharacteristic(StatusActive);
    this.#secured = this.#on.value === true;
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

  configure({ adminOnly, alerts }: LockOptions): void {
    this.#mayUnlock = alerts.automationSwitch === 'bothWays';
    this.#on.setProps({ adminOnlyAccess: adminOnly ? [ACCESS.WRITE] : [] });
  }

  /** Before any report the cached value stays, marked inactive: a restart operates no lock. */
  show({ lock, view: { current } }: LockFacts): void {
    if (lock.belief.latest !== null) {
      this.#secured = current === CURRENT_STATE.SECURED;
    }
    put(this.#on, this.#secured);
    put(this.#active, current !== 'noResponse' && current !== CURRENT_STATE.UNKNOWN);
  }

  async #write(target: BoltPosition): Promise<void> {
    const allowed = target === 'secured' || this.#mayUnlock;
    const status = allowed ? await this.#request(target) : HAP_STATUS.INSUFFICIENT_PRIVILEGES;
    if (status !== HAP_STATUS.SUCCESS) {
      // The writer already shows its own request: correct it, even though nothing changed here.
      this.#on.sendEventNotification(this.#secured);
      throw new this.#hap.HapStatusError(status);
    }
  }
}
