// Finds, names and removes the services beside the lock, as the options ask for them.
import type { API, PlatformAccessory, Service } from 'homebridge';
import { closeCachedAccessCodes } from './access-code-service.ts';
import type { AccessoryParts } from './accessory-parts.ts';
import { HAP_STATUS } from './characteristic-values.ts';
import { linkOnce, put, type ServiceKind } from './hap-service.ts';
import { hapNameEnding } from './hap-text.ts';

/** A service that needs a name; the label follows the lock's name. */
interface Unnamed {
  readonly service: Service;
  readonly label: string;
}

/** The side services of one accessory: call `want` for each that the options ask for, then `settle` once. */
export class SideServices {
  readonly #api: API;
  readonly #accessory: PlatformAccessory;
  readonly #primary: Service;
  readonly #wanted = new Set<Service>();
  readonly #unnamed: Unnamed[] = [];

  constructor({ api, accessory }: AccessoryParts, primary: Service) {
    this.#api = api;
    this.#accessory = accessory;
    this.#primary = primary;
  }

  /** The cached service, or a new one named after the accessory and `label`. */
  want(
    kind: ServiceKind,
    subtype: string,
    label: string,
  ): { readonly service: Service; readonly isNew: boolean } {
    const { ConfiguredName } = this.#api.hap.Characteristic;
    const cached = this.#accessory.getServiceById(kind, subtype);
    const service = cached ?? this.#accessory.addService(new kind(undefined, subtype));
    if (cached === undefined) {
      // HAP does not list it for sensors and switches, but without it Home calls every tile of an accessory the same.
      service.addOptionalCharacteristic(ConfiguredName);
      this.#unnamed.push({ service, label });
    }
    linkOnce(this.#primary, service);
    this.#wanted.add(service);
    return { service, isNew: cached === undefined };
  }

  /** Removes the sensors and switches that were not asked for, and names the others. */
  settle(): void {
    this.#sweep();
    this.#nameAll();
    for (const service of this.#wanted) {
      service.getCharacteristic(this.#api.hap.Characteristic.ConfiguredName).on('change', () => {
        this.#api.updatePlatformAccessories([this.#accessory]);
      });
    }
  }

  /** Numbers equal names: Home may have to leave out the part of a label that distinguishes two services. */
  #nameAll(): void {
    const { displayName } = this.#accessory;
    const { ConfiguredName, Name } = this.#api.hap.Characteristic;
    const unnamed = new Set(this.#unnamed.map(({ service }) => service));
    const taken = new Set(
      [...this.#wanted]
        .filter((service) => !unnamed.has(service))
        .map((service) => service.getCharacteristic(ConfiguredName).value),
    );
    for (const { service, label } of this.#unnamed) {
      let name = hapNameEnding(displayName, label);
      for (let number = 2; taken.has(name); number += 1) {
        name = hapNameEnding(displayName, hapNameEnding(label, String(number)));
      }
      taken.add(name);
      service.displayName = name;
      put(service.getCharacteristic(Name), name);
      put(service.getCharacteristic(ConfiguredName), name);
    }
  }

  #sweep(): void {
    const { ContactSensor, OccupancySensor, Switch } = this.#api.hap.Service;
    const kinds: ReadonlySet<string> = new Set([ContactSensor.UUID, OccupancySensor.UUID, Switch.UUID]);
    const unwanted = this.#accessory.services.filter(
      (service) => kinds.has(service.UUID) && !this.#wanted.has(service),
    );
    for (const service of unwanted) {
      this.#accessory.removeService(service);
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
