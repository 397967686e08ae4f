// A sensor that follows the bolt, for automations that may not use locks: detected exactly while Home may say "Locked".
import type { API, Characteristic, HAP, PlatformAccessory, Service } from 'homebridge';
import { CONTACT, CURRENT_STATE, OCCUPANCY } from './characteristic-values.ts';
import { put } from './hap-service.ts';
import type { LockFacts, LockWatcher } from './lock-facts.ts';
import type { BoltSensorKind } from './lock-options.ts';
import type { SideServices } from './side-services.ts';

const SUBTYPE = 'bolt';

/** Each kind's two values, and what people call it after the lock's name. */
const KINDS = {
  occupancy: {
    label: 'locked',
    secured: OCCUPANCY.OCCUPANCY_DETECTED,
    otherwise: OCCUPANCY.OCCUPANCY_NOT_DETECTED,
  },
  contact: { label: 'bolt', secured: CONTACT.CONTACT_DETECTED, otherwise: CONTACT.CONTACT_NOT_DETECTED },
} as const;

/** Two values cannot say "unknown": then it does not say "locked", and StatusActive says that it knows nothing. */
export class BoltSensor implements LockWatcher {
  readonly #kind: BoltSensorKind;
  readonly #state: Characteristic;
  readonly #active: Characteristic;

  constructor(hap: HAP, sides: SideServices, kind: BoltSensorKind) {
    const { OccupancySensor, ContactSensor } = hap.Service;
    const { service } = sides.want(
      kind === 'occupancy' ? OccupancySensor : ContactSensor,
      SUBTYPE,
      KINDS[kind].label,
    );
    this.#kind = kind;
    this.#state = stateOf(hap, service, kind);
    this.#active = service.getCharacteristic(hap.Characteristic.StatusActive);
  }

  show({ view: { current } }: LockFacts): void {
    const { secured, otherwise } = KINDS[this.#kind];
    put(this.#state, current === CURRENT_STATE.SECURED ? secured : otherwise);
    put(this.#active, current !== 'noResponse' && current !== CURRENT_STATE.UNKNOWN);
  }
}

/** Before a lock takes the accessory over, a cached sensor must not say "locked". */
export function resetBoltSensor({ hap }: Pick<API, 'hap'>, accessory: PlatformAccessory): void {
  const { OccupancySensor, ContactSensor } = hap.Service;
  for (const kind of ['occupancy', 'contact'] as const) {
    const service = accessory.getServiceById(kind === 'occupancy' ? OccupancySensor : ContactSensor, SUBTYPE);
    if (service !== undefined) {
      put(stateOf(hap, service, kind), KINDS[kind].otherwise);
      put(service.getCharacteristic(hap.Characteristic.StatusActive), false);
    }
  }
}

function stateOf(hap: HAP, service: Service, kind: BoltSensorKind): Characteristic {
  const { OccupancyDetected, ContactSensorState } = hap.Characteristic;
  return service.getCharacteristic(kind === 'occupancy' ? OccupancyDetected : ContactSensorState);
}
