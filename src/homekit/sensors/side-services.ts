// Finds, names and removes the services beside the lock, following the options.
import type { API, PlatformAccessory, Service } from 'homebridge';
import { closeCachedAccessCodes } from '../codes/access-code-service.ts';
import type { AccessoryParts } from '../hap/accessory-parts.ts';
import { HAP_STATUS } from '../hap/characteristic-values.ts';
import { linkOnce } from '../hap/hap-service.ts';
import { hapNameEnding } from '../hap/hap-text.ts';

const KINDS = { occupancy: 'OccupancySensor', contact: 'ContactSensor', switch: 'Switch' } as const;

export interface SideTitle {
  /** Identifies the service in Homebridge's cache. */
  readonly subtype: string;
  /** Follows the lock's name. */
  readonly label: string;
  /** Home shows a contact sensor as a door, an occupancy sensor not. */
  readonly kind: keyof typeof KINDS;
}

/** Removes the sensors and switches that are not asked for, so that their names are free. */
export function removeOtherSides({ api, accessory }: AccessoryParts, wanted: readonly SideTitle[]): void {
  const kinds = new Set(Object.values(KINDS).map((kind) => api.hap.Service[kind].UUID));
  const kept = new Set(
    wanted.map(({ kind, subtype }) => accessory.getServiceById(api.hap.Service[KINDS[kind]], subtype)),
  );
  const sides = accessory.services.filter(({ UUID }) => kinds.has(UUID));
  for (const service of sides.filter((side) => !kept.has(side))) {
    accessory.removeService(service);
  }
}

/** The cached service, or a new one named after the accessory and its label. A name that a person gives it is saved. */
export function sideService(
  { api, accessory }: AccessoryParts,
  primary: Service,
  { kind, subtype, label }: SideTitle,
): { readonly service: Service; readonly isNew: boolean } {
  const Kind = api.hap.Service[KINDS[kind]];
  const { ConfiguredName } = api.hap.Characteristic;
  const cached = accessory.getServiceById(Kind, subtype);
  const service = cached ?? accessory.addService(new Kind(freeName(api, accessory, label), subtype));
  if (cached === undefined) {
    // HAP does not list it for sensors and switches, but without it Home calls every tile of an accessory the same.
    service.addOptionalCharacteristic(ConfiguredName);
    service.getCharacteristic(ConfiguredName).updateValue(service.displayName);
  }
  service.getCharacteristic(ConfiguredName).on('change', () => api.updatePlatformAccessories([accessory]));
  linkOnce(primary, service);
  return { service, isNew: cached === undefined };
}

/** Numbers equal names: Home may have to leave out the part of a label that distinguishes two services. */
function freeName({ hap }: API, { displayName, services }: PlatformAccessory, label: string): string {
  const { ConfiguredName } = hap.Characteristic;
  const named = services.filter((service) => service.testCharacteristic(ConfiguredName));
  const taken = new Set(named.map((service) => service.getCharacteristic(ConfiguredName).value));
  let name = hapNameEnding(displayName, label);
  for (let number = 2; taken.has(name); number += 1) {
    name = hapNameEnding(displayName, hapNameEnding(label, String(number)));
  }
  return name;
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
      service.getCharacteristic(StatusActive).updateValue(false);
    }
    if (service.UUID === hap.Service.Switch.UUID) {
      service.getCharacteristic(On).onSet(() => {
        throw new hap.HapStatusError(HAP_STATUS.SERVICE_COMMUNICATION_FAILURE);
      });
    }
  }
}
