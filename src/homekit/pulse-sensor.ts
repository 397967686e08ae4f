// An occupancy sensor that lights up for a moment when a certain thing happens at the door.
import type { HAP } from 'homebridge';
import type { Clock } from '../support/clock.ts';
import type { LockNotice, LockWatcher } from './lock-facts.ts';
import { OccupancySensor, type SensorTitle } from './occupancy-sensor.ts';
import { Pulse } from './pulse.ts';
import type { SideServices } from './side-services.ts';

/** Long enough for a home hub to notice, short enough that the next person is news again, in milliseconds (our choice). */
const SENSOR_PULSE_MS = 5_000;

export interface PulseSensorParts {
  readonly hap: HAP;
  readonly sides: SideServices;
  readonly clock: Clock;
}

export class PulseSensor implements LockWatcher {
  readonly #pulse: Pulse;
  readonly #isFor: (news: LockNotice) => boolean;

  constructor(
    { hap, sides, clock }: PulseSensorParts,
    title: SensorTitle,
    isFor: (news: LockNotice) => boolean,
  ) {
    const sensor = new OccupancySensor(hap, sides, title);
    // A pulse that was cached has ended long since.
    sensor.show(false);
    this.#isFor = isFor;
    this.#pulse = new Pulse(clock, SENSOR_PULSE_MS, (on) => {
      sensor.show(on);
    });
  }

  hear(news: LockNotice): void {
    if (this.#isFor(news)) {
      this.#pulse.start();
    }
  }

  dispose(): void {
    this.#pulse.end();
  }
}
