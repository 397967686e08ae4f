// The Battery service: low by the service's grade or by the percentage, with a gap between low and good.
import type { HAP, PlatformAccessory, Service } from 'homebridge';
import { isLow, type LowBatteryLimits } from '../domain/battery-policy.ts';
import type { Battery } from '../domain/lock.ts';
import type { AccessoryParts } from './accessory-parts.ts';
import { CHARGING, LOW_BATTERY } from './characteristic-values.ts';
import { linkOnce, put, serviceOf } from './hap-service.ts';
import type { LockOptions } from './lock-options.ts';

export type BatteryChange = 'low' | 'good-again';

/** The service appears once anything is known of the battery. */
export class BatteryService {
  readonly #hap: HAP;
  readonly #accessory: PlatformAccessory;
  readonly #primary: Service;
  #limits: LowBatteryLimits;
  /** False after the limits have changed: a verdict by the former limits does not count. */
  #judged = true;

  constructor({ api, accessory, options }: AccessoryParts, primary: Service) {
    this.#hap = api.hap;
    this.#accessory = accessory;
    this.#primary = primary;
    this.#limits = options.lowBattery;
  }

  get low(): boolean {
    const { Battery: kind } = this.#hap.Service;
    const shown = this.#accessory
      .getService(kind)
      ?.getCharacteristic(this.#hap.Characteristic.StatusLowBattery);
    return shown?.value === LOW_BATTERY.BATTERY_LEVEL_LOW;
  }

  configure({ lowBattery }: Pick<LockOptions, 'lowBattery'>): void {
    this.#limits = lowBattery;
    this.#judged = false;
  }

  /** Returns the change between low and good, or null. */
  show(battery: Battery): BatteryChange | null {
    const wasLow = this.low;
    this.#put(battery);
    return this.low === wasLow ? null : wasLow ? 'good-again' : 'low';
  }

  #put(battery: Battery): void {
    if (battery.grade === 'unknown' && battery.percent === null) {
      return;
    }
    const low = isLow(battery, this.#limits, this.#judged && this.low);
    this.#judged = true;
    const { Characteristic } = this.#hap;
    const service = serviceOf(this.#accessory, this.#hap.Service.Battery);
    linkOnce(this.#primary, service);
    put(
      service.getCharacteristic(Characteristic.StatusLowBattery),
      low ? LOW_BATTERY.BATTERY_LEVEL_LOW : LOW_BATTERY.BATTERY_LEVEL_NORMAL,
    );
    put(service.getCharacteristic(Characteristic.ChargingState), CHARGING.NOT_CHARGEABLE);
    if (battery.percent !== null) {
      put(service.getCharacteristic(Characteristic.BatteryLevel), battery.percent);
    }
  }
}
