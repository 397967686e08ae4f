// A tile that tells whether reports and commands get through to the lock.
import type { HAP, Service } from 'homebridge';
import type { RuntimeLinkState } from '../domain/account.ts';
import type { Lock } from '../domain/lock.ts';
import { CONTACT, FAULT, OCCUPANCY } from './characteristic-values.ts';
import { put } from './hap-service.ts';
import { needsLinking } from './lock-mapping.ts';
import type { ConnectivitySensor } from './lock-options.ts';
import type { SideServices } from './side-services.ts';

export interface Connectivity {
  /** Reports and commands get through. */
  readonly connected: boolean;
  /** The service speaks of the lock, so that "not connected" is its word and not our ignorance. */
  readonly active: boolean;
  /** A person must act: link the account again, or see why it no longer lists the lock. */
  readonly fault: boolean;
}

/** `offline` is a fresh word of the service about the lock; silence for too long is none. */
export function connectivityOf(lock: Lock, link: RuntimeLinkState): Connectivity {
  const { presence, belief } = lock;
  const fault = needsLinking(link) || presence === 'missing';
  const active = !fault && link === 'linked' && belief.latest !== null && !belief.stale;
  return { connected: active && presence === 'reachable', active, fault };
}

/** True before anything at all was said of the lock. */
export function isUnconfirmed({ belief, presence }: Lock): boolean {
  return belief.latest === null && presence === 'reachable';
}

/** Owns the connectivity sensor of one accessory, of the kind that was chosen. */
export class ConnectivityService {
  readonly #hap: HAP;
  readonly #kind: ConnectivitySensor;
  readonly #service: Service | null;

  constructor(hap: HAP, sides: SideServices, kind: ConnectivitySensor) {
    this.#hap = hap;
    this.#kind = kind;
    if (kind === 'none') {
      this.#service = null;
      return;
    }
    const { OccupancySensor, ContactSensor } = hap.Service;
    const chosen = kind === 'occupancy' ? OccupancySensor : ContactSensor;
    const { service, isNew } = sides.want(chosen, 'connection', 'connection');
    this.#service = service;
    if (isNew) {
      this.show({ connected: false, active: false, fault: false });
    }
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
