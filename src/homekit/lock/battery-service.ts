// The Battery service: low by the service's grade or by the percentage, with a gap between low and good.
import type { Service } from 'homebridge';
import { isLow } from '../../domain/locks/battery-policy.ts';
import type { Battery } from '../../domain/locks/lock.ts';
import type { AccessoryParts } from '../hap/accessory-parts.ts';
import { CHARGING, LOW_BATTERY } from '../hap/characteristic-values.ts';
import { linkOnce, serviceOf } from '../hap/hap-service.ts';
import type { LockOptions } from '../hap/lock-options.ts';

export type BatteryChange = 'low' | 'good-again';

/** The service appears once anything is known of the battery. */
export class BatteryService {
  readonly #parts: AccessoryParts;
  readonly #primary: Service;
  #lowPercent: number;
  #low: boolean;
  #shown: Battery | null = null;
  /** False after the bound has changed: a verdict by the former one does not count. */
  #judged = true;

  constructor(parts: AccessoryParts, primary: Service) {
    const { Battery: kind } = parts.api.hap.Service;
    const { StatusLowBattery } = parts.api.hap.Characteristic;
    const cached = parts.accessory.getService(kind)?.getCharacteristic(StatusLowBattery).value;
    this.#parts = parts;
    this.#primary = primary;
    this.#lowPercent = parts.options.lowBattery;
    this.#low = cached === LOW_BATTERY.BATTERY_LEVEL_LOW;
  }

  get low(): boolean {
    return this.#low;
  }

  configure({ lowBattery }: Pick<LockOptions, 'lowBattery'>): void {
    this.#lowPercent = lowBattery;
    this.#judged = false;
  }

  /** Returns the change between low and good, or null. */
  show(battery: Battery): BatteryChange | null {
    const isKnown = battery.grade !== 'unknown' || battery.percent !== null;
    if (!isKnown || (battery === this.#shown && this.#judged)) {
      return null;
    }
    const wasLow = this.#low;
    this.#low = isLow(battery, this.#lowPercent, this.#judged && wasLow);
    this.#judged = true;
    this.#shown = battery;
    const { api, accessory, values } = this.#parts;
    const { StatusLowBattery, ChargingState, BatteryLevel } = api.hap.Characteristic;
    const service = serviceOf(accessory, api.hap.Service.Battery);
    linkOnce(this.#primary, service);
    values.put(
      service.getCharacteristic(StatusLowBattery),
      this.#low ? LOW_BATTERY.BATTERY_LEVEL_LOW : LOW_BATTERY.BATTERY_LEVEL_NORMAL,
    );
    values.put(service.getCharacteristic(ChargingState), CHARGING.NOT_CHARGEABLE);
    if (battery.percent !== null) {
      values.put(service.getCharacteristic(BatteryLevel), battery.percent);
    }
    return this.#low === wasLow ? null : wasLow ? 'good-again' : 'low';
  }
}
