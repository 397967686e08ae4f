// Helpers for every service of an accessory: find or add it, and link it.
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

/** Links a service once: every new link makes controllers read the whole accessory again. */
export function linkOnce(primary: Service, linked: Service): void {
  if (!primary.linkedServices.includes(linked)) {
    primary.addLinkedService(linked);
  }
}

/** Sets a value for later reads without an event. */
export function putInactive(characteristic: Characteristic, value: CharacteristicValue): void {
  characteristic.value = value;
}

/** Undefined before Homebridge has put it on its bridge. */
export function bridgeOf(
  accessory: PlatformAccessory,
): PlatformAccessory['_associatedHAPAccessory']['bridge'] {
  // oxlint-disable-next-line no-underscore-dangle -- Homebridge shows a bridge's accessories nowhere else
  return accessory._associatedHAPAccessory.bridge;
}
