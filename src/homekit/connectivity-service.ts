// A tile that tells whether reports and commands get through to the lock.
import type { HAP, PlatformAccessory, Service } from 'homebridge';
import type { HouseLink } from '../domain/account.ts';
import type { Lock } from '../domain/lock.ts';
import { CONTACT, FAULT, OCCUPANCY } from './characteristic-values.ts';
import { linkOnce, put, type ServiceKind, serviceOf } from './hap-service.ts';
import { hapName } from './hap-text.ts';
import { needsLinking } from './lock-mapping.ts';
import type { ConnectivitySensor } from './lock-options.ts';

export interface Connectivity {
  /** Reports and commands get through. */
  readonly connected: boolean;
  /** The service speaks of the lock, so that "not connected" is its word and not our ignorance. */
  readonly active: boolean;
  /** A person must act: link the account again, or see why it no longer lists the lock. */
  readonly fault: boolean;
}

/** `offline` is a fresh word of the service about the lock; silence for too long is none. */
export function connectivityOf(lock: Lock, link: HouseLink): Connectivity {
  const { presence, belief } = lock;
  const fault = needsLinking(link) || presence === 'missing';
  const active = !fault && link === 'linked' && belief.latest !== null && !belief.stale;
  return { connected: active && presence === 'reachable', active, fault };
}

/** True before anything at all was said of the lock. */
export function isUnheard({ belief, presence }: Lock): boolean {
  return belief.latest === null && presence === 'reachable';
}

/** Owns the connectivity sensor of one accessory, of the kind that was chosen, and removes the other kinds. */
export class ConnectivityService {
  readonly #hap: HAP;
  readonly #kind: ConnectivitySensor;
  readonly #service: Service | null;

  /** `saveName` is called when a person renamed the sensor in Home. */
  constructor(
    hap: HAP,
    accessory: PlatformAccessory,
    primary: Service,
    kind: ConnectivitySensor,
    saveName: () => void,
  ) {
    this.#hap = hap;
    this.#kind = kind;
    const { OccupancySensor, ContactSensor } = hap.Service;
    const chosen = kind === 'none' ? null : kind === 'occupancy' ? OccupancySensor : ContactSensor;
    removeOthers(accessory, [OccupancySensor, ContactSensor], chosen);
    if (chosen === null) {
      this.#service = null;
      return;
    }
    const isNew = accessory.getService(chosen) === undefined;
    this.#service = serviceOf(accessory, chosen, sensorName(accessory));
    linkOnce(primary, this.#service);
    const { ConfiguredName } = hap.Characteristic;
    if (isNew) {
      // HAP does not list it for sensors, but without it Home calls every tile of an accessory the same.
      this.#service.addOptionalCharacteristic(ConfiguredName);
      put(this.#service.getCharacteristic(ConfiguredName), sensorName(accessory));
      this.show({ connected: false, active: false, fault: false });
    }
    this.#service.getCharacteristic(ConfiguredName).on('change', saveName);
  }

  show({ connected, active, fault }: Connectivity): void {
    if (this.#service === null) {
      return;
    }
    const { Characteristic } = this.#hap;
    if (this.#kind === 'occupancy') {
      put(
        this.#service.getCharacteristic(Characteristic.OccupancyDetected),
        connected ? OCCUPANCY.OCCUPANCY_DETECTED : OCCUPANCY.OCCUPANCY_NOT_DETECTED,
      );
    } else {
      put(
        this.#service.getCharacteristic(Characteristic.ContactSensorState),
        connected ? CONTACT.CONTACT_DETECTED : CONTACT.CONTACT_NOT_DETECTED,
      );
    }
    put(this.#service.getCharacteristic(Characteristic.StatusActive), active);
    put(
      this.#service.getCharacteristic(Characteristic.StatusFault),
      fault ? FAULT.GENERAL_FAULT : FAULT.NO_FAULT,
    );
  }
}

function sensorName(accessory: PlatformAccessory): string {
  return hapName(`${accessory.displayName} connection`);
}

function removeOthers(
  accessory: PlatformAccessory,
  kinds: readonly ServiceKind[],
  chosen: ServiceKind | null,
): void {
  for (const kind of kinds) {
    const service = kind === chosen ? undefined : accessory.getService(kind);
    if (service !== undefined) {
      accessory.removeService(service);
    }
  }
}
