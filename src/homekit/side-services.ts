// Finds, names and removes the services beside the lock, as the options ask for them.
import type { API, HAP, PlatformAccessory, Service } from 'homebridge';
import { closeCachedAccessCodes } from './access-code-service.ts';
import { HAP_STATUS } from './characteristic-values.ts';
import { linkOnce, put, type ServiceKind } from './hap-service.ts';
import { hapNameEnding } from './hap-text.ts';

export interface SideServiceParts {
  readonly hap: HAP;
  readonly accessory: PlatformAccessory;
  readonly primary: Service;
  /** Called when one of the services is renamed in Home. */
  readonly saveName: () => void;
}

/** A service that needs a name; the label follows the lock's name. */
interface Unnamed {
  readonly service: Service;
  readonly label: string;
}

/** The side services of one accessory: call `want` for each that the options ask for, then `settle` once. */
export class SideServices {
  readonly #parts: SideServiceParts;
  readonly #wanted = new Set<Service>();
  readonly #unnamed: Unnamed[] = [];

  constructor(parts: SideServiceParts) {
    this.#parts = parts;
  }

  /** The cached service, or a new one named after the accessory and `label`. */
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
      this.#unnamed.push({ service, label });
    }
    linkOnce(primary, service);
    this.#wanted.add(service);
    return { service, isNew: cached === undefined };
  }

  /** Removes the sensors and switches that were not asked for, and names the others. */
  settle(): void {
    this.#sweep();
    this.#nameAll();
    const { hap, saveName } = this.#parts;
    for (const service of this.#wanted) {
      service.getCharacteristic(hap.Characteristic.ConfiguredName).on('change', saveName);
    }
  }

  /** Numbers equal names: Home may have to leave out the part of a label that distinguishes two services. */
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

/**
 * Call it in `configureAccessory`, before Homebridge publishes: cached sensors and switches keep their value, marked
 * inactive, and switches refuse writes until a lock takes the accessory over.
 */
export function deactivateCached({ hap }: Pick<API, 'hap'>, accessory: PlatformAccessory): void {
  const { On, StatusActive } = hap.Characteristic;
  closeCachedAccessCodes(hap, accessory);
  for (const service of accessory.services) {
    if (service.testCharacteristic(StatusActive)) {
      put(service.getCharacteristic(StatusActive), false);
    }
    if (service.UUID === hap.Service.Switch.UUID) {
      service.getCharacteristic(On).onSet(() => {
        throw new hap.HapStatusError(HAP_STATUS.SERVICE_COMMUNICATION_FAILURE);
      });
    }
  }
}
