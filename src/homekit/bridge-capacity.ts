// Whether the bridge has room for one more accessory: HomeKit takes 149 on a bridge, those of other plugins included.
import type { PlatformAccessory } from 'homebridge';

/** HAP's own limit: 150 accessories with the bridge itself. */
export const BRIDGE_CAPACITY = 149;

/** `own`: our accessories on it. Without any, the other accessories cannot be counted. */
export function hasRoom(own: readonly PlatformAccessory[]): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- Homebridge shows a bridge's accessories nowhere else
  const bridge = own.map((accessory) => accessory._associatedHAPAccessory.bridge).find(Boolean);
  return (bridge?.bridgedAccessories ?? own).length < BRIDGE_CAPACITY;
}
