// The services beside the lock itself: each found by its subtype and named by a person, and gone when no option asks for it.
import type { HAP, PlatformAccessory, Service } from 'homebridge';
import { linkOnce, put, type ServiceKind } from './hap-service.ts';
import { hapName } from './hap-text.ts';

export interface SideServiceParts {
  readonly hap: HAP;
  readonly accessory: PlatformAccessory;
  readonly primary: Service;
  /** Called when a person renamed one of the services in Home. */
  readonly saveName: () => void;
}

/** Keeps the side services of one accessory: ask for those that the options want, then `sweep` once. */
export class SideServices {
  readonly #parts: SideServiceParts;
  readonly #wanted = new Set<Service>();

  constructor(parts: SideServiceParts) {
    this.#parts = parts;
  }

  /** The cached service, or a new one that is called after the accessory, then `label`. */
  want(
    kind: ServiceKind,
    subtype: string,
    label: string,
  ): { readonly service: Service; readonly isNew: boolean } {
    const { accessory, hap, primary, saveName } = this.#parts;
    const cached = accessory.getServiceById(kind, subtype);
    const name = hapName(`${accessory.displayName} ${label}`);
    const service = cached ?? accessory.addService(new kind(name, subtype));
    const { ConfiguredName } = hap.Characteristic;
    if (cached === undefined) {
      // HAP does not list it for sensors and switches, but without it Home calls every tile of an accessory the same.
      service.addOptionalCharacteristic(ConfiguredName);
      put(service.getCharacteristic(ConfiguredName), name);
    }
    service.getCharacteristic(ConfiguredName).on('change', saveName);
    linkOnce(primary, service);
    this.#wanted.add(service);
    return { service, isNew: cached === undefined };
  }

  /** Removes every sensor and switch that nobody wanted. */
  sweep(): void {
    const { accessory, hap } = this.#parts;
    const { ContactSensor, OccupancySensor, Switch } = hap.Service;
    const kinds: ReadonlySet<string> = new Set([ContactSensor.UUID, OccupancySensor.UUID, Switch.UUID]);
    const unwanted = accessory.services.filter(
      (service) => kinds.has(service.UUID) && !this.#wanted.has(service),
    );
    for (const service of unwanted) {
      accessory.removeService(service);
    }
  }
}
