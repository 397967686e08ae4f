// Our accessories at Homebridge: created, registered, saved, counted and removed.
import type { API, PlatformAccessory } from 'homebridge';
import type { LockId } from '../domain/locks/lock.ts';
import { contextOf, isCurrentContext } from './hap/accessory-context.ts';
import { CATEGORY } from './hap/characteristic-values.ts';
import { bridgeOf } from './hap/hap-service.ts';
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

/** Gives one from the cache the context of this version; false when it has it. */
export function adopt(cached: PlatformAccessory, id: LockId): boolean {
  if (isCurrentContext(cached.context)) {
    return false;
  }
  cached.context = { ...contextOf(id) };
  return true;
}

/** Registers them in one call, since each call makes Home read everything again. Returns those that the bridge did not take, and why. */
export function register(
  api: API,
  accessories: readonly PlatformAccessory[],
): { readonly refused: readonly PlatformAccessory[]; readonly why: unknown } {
  if (accessories.length === 0) {
    return { refused: [], why: null };
  }
  try {
    api.registerPlatformAccessories(PLUGIN_NAME, PLATFORM_NAME, [...accessories]);
    return { refused: [], why: null };
  } catch (why) {
    const taken = accessories.filter((accessory) => bridgeOf(accessory) !== undefined);
    // Homebridge did not come to storing the others.
    api.updatePlatformAccessories(taken);
    return { refused: accessories.filter((accessory) => !taken.includes(accessory)), why };
  }
}

export function unregister(api: API, accessory: PlatformAccessory): void {
  api.unregisterPlatformAccessories(PLUGIN_NAME, PLATFORM_NAME, [accessory]);
}

/** Whether the bridge of these accessories takes another one. Without any, those of other plugins cannot be counted. */
export function hasRoomBeside(own: readonly PlatformAccessory[]): boolean {
  const bridge = own.map(bridgeOf).find(Boolean);
  const others = bridge?.bridgedAccessories.length ?? 0;
  return others + own.filter((accessory) => bridgeOf(accessory) === undefined).length < BRIDGE_CAPACITY;
}
