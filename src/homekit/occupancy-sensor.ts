// An occupancy sensor that says one thing: detected while it is so. Home can notify of it, and automations can start from it.
import type { Characteristic, HAP } from 'homebridge';
import { OCCUPANCY } from './characteristic-values.ts';
import { put } from './hap-service.ts';
import type { SideServices } from './side-services.ts';

/** What tells one sensor from another: `subtype` for the cache, `label` for people, after the lock's name. */
export interface SensorTitle {
  readonly subtype: string;
  readonly label: string;
}

export class OccupancySensor {
  readonly #detected: Characteristic;

  constructor(hap: HAP, sides: SideServices, { subtype, label }: SensorTitle) {
    const { service } = sides.want(hap.Service.OccupancySensor, subtype, label);
    this.#detected = service.getCharacteristic(hap.Characteristic.OccupancyDetected);
  }

  show(detected: boolean): void {
    put(this.#detected, detected ? OCCUPANCY.OCCUPANCY_DETECTED : OCCUPANCY.OCCUPANCY_NOT_DETECTED);
  }
}
