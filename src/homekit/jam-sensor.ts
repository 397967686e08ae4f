// Detected while the bolt is jammed.
import type { HAP } from 'homebridge';
import { boltOf } from '../domain/lock.ts';
import type { LockFacts, LockWatcher } from './lock-facts.ts';
import { OccupancySensor } from './occupancy-sensor.ts';
import type { SideServices } from './side-services.ts';

export class JamSensor implements LockWatcher {
  readonly #sensor: OccupancySensor;

  constructor(hap: HAP, sides: SideServices) {
    this.#sensor = new OccupancySensor(hap, sides, { subtype: 'jam', label: 'jammed' });
  }

  /** Before the service has said where the bolt is, the sensor stays as cached: a restart ends no jam and begins none. */
  show({ lock }: LockFacts): void {
    if (lock.belief.latest !== null) {
      this.#sensor.show(boltOf(lock) === 'jammed');
    }
  }
}
