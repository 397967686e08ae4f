// Our accessories at Homebridge: created, registered, saved, counted and removed.
import type { API, PlatformAccessory } from 'homebridge';
import type { LockId } from '../domain/locks/lock.ts';
import { contextOf, isCurrentContext } from './hap/accessory-context.ts';
import { CATEGORY } from './hap/characteristic-values.ts';
import { hapName } from './hap/hap-text.ts';

/** The names under which Homebridge caches our accessories. Changing them would lose every room and automation. */
export const PLUGIN_NAME = 'homebridge-latchkey';
export const PLATFORM_NAME = 'Latchkey';

/** HAP's own limit: 150 accessories with the bridge itself, those of other plugins included. */
export const BRIDGE_CAPACITY = 149;

/** The identity of a lock's accessory: by its ID alone, so that it survives every other change. */
export function uuidOf({ hap }: Pick<API, 'hap'>, id: LockId): string {
  return hap.uuid.generate(`${PLATFORM_NAME}:${id}`);
}

export function createAccessory(api: API, id: LockId, name: string): PlatformAccessory {
  const { platformAccessory: Accessory } = api;
  const accessory = new Accessory(hapName(name), uuidOf(api, id), CATEGORY.DOOR_LOCK);
  accessory.context = { ...contextOf(id) };
  return accessory;
}

/** One from the cache, with the context of this version. */
export function adopted(
  api: API,
  cached: PlatformAccessory | undefined,
  id: LockId,
): PlatformAccessory | undefined {
  if (cached !== undefined && !isCurrentContext(cached.context)) {
    cached.context = { ...contextOf(id) };
    api.updatePlatformAccessories([cached]);
  }
  return cached;
}

/** Throws as Homebridge does, after the end of what shows it. */
export function register(api: API, accessory: PlatformAccessory, shown: { dispose(): void }): void {
  try {
    api.registerPlatformAccessories(PLUGIN_NAME, PLATFORM_NAME, [accessory]);
  } catch (error) {
    shown.dispose();
    throw error;
  }
}

export function unregister(api: API, accessory: PlatformAccessory): void {
  api.unregisterPlatformAccessories(PLUGIN_NAME, PLATFORM_NAME, [accessory]);
}

/** Whether the bridge of these accessories takes another one. Without any, those of other plugins cannot be counted. */
export function hasRoomBeside(own: readonly PlatformAccessory[]): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- Homebridge shows a bridge's accessories nowhere else
  const bridge = own.map((accessory) => accessory._associatedHAPAccessory.bridge).find(Boolean);
  return (bridge?.bridgedAccessories ?? own).length < BRIDGE_CAPACITY;
}
