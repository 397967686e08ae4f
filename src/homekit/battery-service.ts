// The lock's battery in Home: low by its word or its number, with a gap between low and good, and never a guess.
import type { HAP, PlatformAccessory, Service } from 'homebridge';
import { isLow, type LowBatteryLimits } from '../domain/battery-policy.ts';
import type { Battery } from '../domain/lock.ts';
import { CHARGING, LOW_BATTERY } from './characteristic-values.ts';
import { linkOnce, put, serviceOf } from './hap-service.ts';
import type { LockOptions } from './lock-options.ts';

export type BatteryChange = 'low' | 'good-again';

/** Owns the Battery service, which appears once anything is known of the battery. */
export class BatteryService {
  readonly #hap: HAP;
  readonly #accessory: PlatformAccessory;
  readonly #primary: Service;
  #limits: LowBatteryLimits;
  /** Every listing shows every lock again, and hardly ever with another battery. */
  #shown: Battery | null = null;
  /** False once the limits are new: what was low by the former ones is judged by these alone. */
  #judged = true;

  constructor(hap: HAP, accessory: PlatformAccessory, primary: Service, limits: LowBatteryLimits) {
    this.#hap = hap;
    this.#accessory = accessory;
    this.#primary = primary;
    this.#limits = limits;
  }

  /** True while Home shows a low battery. */
  get low(): boolean {
    const { Battery: kind } = this.#hap.Service;
    const shown = this.#accessory
      .getService(kind)
      ?.getCharacteristic(this.#hap.Characteristic.StatusLowBattery);
    return shown?.value === LOW_BATTERY.BATTERY_LEVEL_LOW;
  }

  configure({ lowBattery }: Pick<LockOptions, 'lowBattery'>): void {
    this.#limits = lowBattery;
    this.#shown = null;
    this.#judged = false;
  }

  /** Tells when it has become low, and when it is good again; null when it is as it was. */
  show(battery: Battery): BatteryChange | null {
    if (battery === this.#shown) {
      return null;
    }
    this.#shown = battery;
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
