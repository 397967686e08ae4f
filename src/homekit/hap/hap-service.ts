// Helpers for every service of an accessory: find or add it, link it, set values that changed, and take writes.
import type {
  Characteristic,
  CharacteristicValue,
  HAP,
  PlatformAccessory,
  Service,
  WithUUID,
} from 'homebridge';
import { HAP_STATUS, type HapStatus } from './characteristic-values.ts';

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

/** Sets a value if it differs, and returns whether it did. */
export function put(characteristic: Characteristic, value: CharacteristicValue): boolean {
  if (characteristic.value === value) {
    return false;
  }
  characteristic.updateValue(value);
  return true;
}

/** Sets a value for later reads without an event. */
export function putInactive(characteristic: Characteristic, value: CharacteristicValue): void {
  characteristic.value = value;
}

/** Lets Home write a characteristic, which goes on showing `shown`, never what was written. `write` resolves with the status. */
export function takeWrites(
  hap: HAP,
  characteristic: Characteristic,
  shown: () => CharacteristicValue,
  write: (value: CharacteristicValue) => Promise<HapStatus>,
): void {
  characteristic.onSet(async (value) => {
    const status = await write(value);
    if (status !== HAP_STATUS.SUCCESS) {
      // The writer already shows its own request: correct it, even though nothing changed here.
      characteristic.sendEventNotification(shown());
      throw new hap.HapStatusError(status);
    }
  });
  // HAP stores a written value after our answer, when the request may have failed or been superseded.
  characteristic.on('change', () => put(characteristic, shown()));
}
