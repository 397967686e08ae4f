// Shows one row of the sensor table in Home, as an occupancy or a contact sensor.
import type { Characteristic, Service } from 'homebridge';
import { atFirstUse } from '../../support/first-use.ts';
import type { AccessoryParts } from '../hap/accessory-parts.ts';
import { CONTACT, FAULT, OCCUPANCY } from '../hap/characteristic-values.ts';
import { Pulse } from '../hap/pulse.ts';
import type { ShownValues } from '../hap/shown-values.ts';
import type { LockFacts, SensorEvent, SideService } from './lock-facts.ts';
import type { SensorRow } from './sensor-rows.ts';
import { sideService } from './side-services.ts';

/** Long enough for a home hub to notice, short enough that the next event triggers again, in milliseconds (our choice). */
const PULSE_MS = 5_000;

export class SideSensor implements SideService {
  readonly #row: SensorRow;
  readonly #values: ShownValues;
  readonly #state: Characteristic;
  readonly #active: Characteristic;
  /** Added with the first reading that reports faults. */
  readonly #fault: () => Characteristic;
  readonly #pulse: Pulse | null;

  constructor(parts: AccessoryParts, primary: Service, row: SensorRow) {
    const { Characteristic: Kinds } = parts.api.hap;
    const { service, isNew } = sideService(parts, primary, row);
    this.#row = row;
    this.#values = parts.values;
    this.#state = service.getCharacteristic(
      row.kind === 'contact' ? Kinds.ContactSensorState : Kinds.OccupancyDetected,
    );
    this.#active = service.getCharacteristic(Kinds.StatusActive);
    this.#fault = atFirstUse(() => service.getCharacteristic(Kinds.StatusFault));
    this.#pulse = 'isTriggeredBy' in row ? new Pulse(parts.clock, PULSE_MS, (on) => this.#detect(on)) : null;
    // HAP starts a contact sensor as detected, and a pulse from the cache has ended.
    if (isNew || this.#pulse !== null) {
      this.#detect(false);
    }
  }

  show(facts: LockFacts): void {
    if ('isTriggeredBy' in this.#row) {
      this.#values.put(this.#active, facts.connectivity.active);
      return;
    }
    const { detected, active, fault } = this.#row.read(facts);
    if (detected !== null) {
      this.#detect(detected);
    }
    this.#values.put(this.#active, active);
    if (fault !== undefined) {
      this.#values.put(this.#fault(), fault ? FAULT.GENERAL_FAULT : FAULT.NO_FAULT);
    }
  }

  receive(event: SensorEvent): void {
    if ('isTriggeredBy' in this.#row && this.#row.isTriggeredBy(event)) {
      this.#pulse?.start();
    }
  }

  dispose(): void {
    this.#pulse?.end();
  }

  #detect(detected: boolean): void {
    const [yes, no] =
      this.#row.kind === 'contact'
        ? [CONTACT.CONTACT_DETECTED, CONTACT.CONTACT_NOT_DETECTED]
        : [OCCUPANCY.OCCUPANCY_DETECTED, OCCUPANCY.OCCUPANCY_NOT_DETECTED];
    this.#values.put(this.#state, detected ? yes : no);
  }
}
