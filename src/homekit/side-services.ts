// The services beside the lock itself: each found by its subtype and named by a person, and gone when no option asks for it.
import type { HAP, PlatformAccessory, Service } from 'homebridge';
import { linkOnce, put, type ServiceKind } from './hap-service.ts';
import { hapName, hapNameEnding } from './hap-text.ts';

export interface SideServiceParts {
  readonly hap: HAP;
  readonly accessory: PlatformAccessory;
  readonly primary: Service;
  /** Called when a person renamed one of the services in Home. */
  readonly saveName: () => void;
}

/** A service that is to be named by us: what it is called after the lock's name. */
interface Unnamed {
  readonly service: Service;
  readonly label: string;
}

/** Keeps the side services of one accessory: ask for those that the options want, then `settle` once. */
export class SideServices {
  readonly #parts: SideServiceParts;
  readonly #wanted = new Set<Service>();
  readonly #unnamed: Unnamed[] = [];

  constructor(parts: SideServiceParts) {
    this.#parts = parts;
  }

  /** The cached service, or a new one that is called after the accessory, then `label`. */
  want(
    kind: ServiceKind,
    subtype: string,
    label: string,
  ): { readonly service: Service; readonly isNew: boolean } {
    const { accessory, hap, primary } = this.#parts;
    const { ConfiguredName } = hap.Characteristic;
    const cached = accessory.getServiceById(kind, subtype);
    const service = cached ?? accessory.addService(new kind(undefined, subtype));
    if (cached === undefined) {
      // HAP does not list it for sensors and switches, but without it Home calls every tile of an accessory the same.
      service.addOptionalCharacteristic(ConfiguredName);
    }
    const { value } = service.getCharacteristic(ConfiguredName);
    if (cached === undefined || value === cutAtTheEnd(accessory.displayName, label)) {
      this.#unnamed.push({ service, label });
    }
    linkOnce(primary, service);
    this.#wanted.add(service);
    return { service, isNew: cached === undefined };
  }

  /** Removes every sensor and switch that nobody wanted, and gives the others the names that they lack. */
  settle(): void {
    this.#sweep();
    this.#nameAll();
    const { hap, saveName } = this.#parts;
    for (const service of this.#wanted) {
      service.getCharacteristic(hap.Characteristic.ConfiguredName).on('change', saveName);
    }
  }

  /** Each has a name of its own: what Home cannot show of a label, or has no room for, may be all that tells two apart. */
  #nameAll(): void {
    const { accessory, hap } = this.#parts;
    const { ConfiguredName, Name } = hap.Characteristic;
    const unnamed = new Set(this.#unnamed.map(({ service }) => service));
    const taken = new Set(
      [...this.#wanted]
        .filter((service) => !unnamed.has(service))
        .map((service) => service.getCharacteristic(ConfiguredName).value),
    );
    for (const { service, label } of this.#unnamed) {
      let name = hapNameEnding(accessory.displayName, label);
      for (let number = 2; taken.has(name); number += 1) {
        name = hapNameEnding(accessory.displayName, hapNameEnding(label, String(number)));
      }
      taken.add(name);
      service.displayName = name;
      put(service.getCharacteristic(Name), name);
      put(service.getCharacteristic(ConfiguredName), name);
    }
  }

  #sweep(): void {
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

/** What versions before this one called a service, where a long name of the lock left no room for the label: no person's choice. */
function cutAtTheEnd(name: string, label: string): string {
  return hapName(`${name} ${label}`);
}
