// Small things that every service of an accessory needs: find or add it, link it, and speak only of news.
import type { Characteristic, CharacteristicValue, PlatformAccessory, Service, WithUUID } from 'homebridge';

/** A service that HAP defines: its constructor fills in everything but the name. */
export type ServiceKind = WithUUID<typeof Service> &
  (new (
    displayName?: string,
    subtype?: string,
  ) => Service);

/** The accessory's service of this kind: the cached one, or a new one. */
export function serviceOf(accessory: PlatformAccessory, kind: ServiceKind, name?: string): Service {
  return accessory.getService(kind) ?? accessory.addService(new kind(name));
}

/** Links a service to the one it belongs to, once: every link that is made tells controllers to read all again. */
export function linkOnce(primary: Service, linked: Service): void {
  if (!primary.linkedServices.includes(linked)) {
    primary.addLinkedService(linked);
  }
}

/** Sets a value when it is news, and says whether it was. The same value again would change nothing in Home. */
export function put(characteristic: Characteristic, value: CharacteristicValue): boolean {
  if (characteristic.value === value) {
    return false;
  }
  characteristic.updateValue(value);
  return true;
}

/** Sets a value that whoever reads it finds from now on, and of which nobody is told: it is true, and no news. */
export function putInactive(characteristic: Characteristic, value: CharacteristicValue): void {
  characteristic.value = value;
}
