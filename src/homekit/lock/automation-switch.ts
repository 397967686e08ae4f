// A switch that operates the lock without Home asking first: on is locked.
import type { Characteristic, Service } from 'homebridge';
import { ALERT_ROWS } from '../../domain/locks/alert-options.ts';
import type { AccessoryParts } from '../hap/accessory-parts.ts';
import { ACCESS, HAP_STATUS } from '../hap/characteristic-values.ts';
import type { LockOptions } from '../hap/lock-options.ts';
import type { ShownValues } from '../hap/shown-values.ts';
import type { LockFacts, SideService } from '../sensors/lock-facts.ts';
import { readBolt } from '../sensors/sensor-rows.ts';
import { type SideTitle, sideService } from '../sensors/side-services.ts';
import type { SendRequest } from './lock-mechanism-service.ts';

export const AUTOMATION_SWITCH: SideTitle = {
  subtype: 'automation',
  label: ALERT_ROWS.automationSwitch.sensors.bothWays,
  kind: 'switch',
};

export class AutomationSwitch implements SideService {
  readonly #values: ShownValues;
  readonly #on: Characteristic;
  readonly #active: Characteristic;
  /** Follows the evidence, not the request: while the bolt moves, the switch shows where it was. */
  #secured: boolean;
  /** False: off is refused. */
  #mayUnlock = false;

  constructor(parts: AccessoryParts, primary: Service, request: SendRequest) {
    const { hap } = parts.api;
    const { On, StatusActive } = hap.Characteristic;
    this.#values = parts.values;
    const { service } = sideService(parts, primary, AUTOMATION_SWITCH);
    this.#on = service.getCharacteristic(On);
    if (!service.testCharacteristic(StatusActive)) {
      service.addOptionalCharacteristic(StatusActive);
    }
    this.#active = service.getCharacteristic(StatusActive);
    this.#secured = this.#on.value === true;
    this.configure(parts.options);
    this.#on.onGet(() => this.#secured);
    parts.values.takeWrites(
      hap,
      this.#on,
      () => this.#secured,
      async (value) => {
        const target = value === true ? 'secured' : 'unsecured';
        const allowed = target === 'secured' || this.#mayUnlock;
        return allowed ? request(target) : HAP_STATUS.INSUFFICIENT_PRIVILEGES;
      },
    );
  }

  configure({ adminOnly, alerts }: LockOptions): void {
    this.#mayUnlock = alerts.automationSwitch === 'bothWays';
    this.#on.setProps({ adminOnlyAccess: adminOnly ? [ACCESS.WRITE] : [] });
  }

  /** Before any report the cached value stays, marked inactive: a restart operates no lock. */
  show(facts: LockFacts): void {
    const { detected, active } = readBolt(facts);
    this.#secured = detected ?? this.#secured;
    this.#values.put(this.#on, this.#secured);
    this.#values.put(this.#active, active);
  }
}
