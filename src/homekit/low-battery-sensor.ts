// Detected while Home shows a low battery, for automations: they cannot start from a battery.
import type { HAP } from 'homebridge';
import type { LockFacts, LockWatcher } from './lock-facts.ts';
import { OccupancySensor } from './occupancy-sensor.ts';
import type { SideServices } from './side-services.ts';

export class LowBatterySensor implements LockWatcher {
  readonly #sensor: OccupancySensor;

  constructor(hap: HAP, sides: SideServices) {
    this.#sensor = new OccupancySensor(hap, sides, { subtype: 'low-battery', label: 'battery low' });
  }

  show({ batteryLow }: LockFacts): void {
    this.#sensor.show(batteryLow);
  }
}
