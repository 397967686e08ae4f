// Our accessories at Homebridge: created, registered, saved and removed.
import type { API, PlatformAccessory } from 'homebridge';
import type { LockId } from '../domain/lock.ts';
import { contextOf } from './accessory-context.ts';
import { CATEGORY } from './characteristic-values.ts';
import { hapName } from './hap-text.ts';

/** The names under which Homebridge caches our accessories. Changing them would lose every room and automation. */
export const PLUGIN_NAME = 'homebridge-latchkey';
export const PLATFORM_NAME = 'Latchkey';

export class PlatformAccessories {
  readonly #api: API;

  constructor(api: API) {
    this.#api = api;
  }

  /** The identity of a lock's accessory: by its ID alone, so that it survives every other change. */
  uuidOf(id: LockId): string {
    return this.#api.hap.uuid.generate(`${PLATFORM_NAME}:${id}`);
  }

  create(id: LockId, name: string): PlatformAccessory {
    const { platformAccessory: Accessory } = this.#api;
    const accessory = new Accessory(hapName(name), this.uuidOf(id), CATEGORY.DOOR_LOCK);
    accessory.context = { ...contextOf(id) };
    return accessory;
  }

  claim(accessory: PlatformAccessory, id: LockId): void {
    accessory.context = { ...contextOf(id) };
    this.#api.updatePlatformAccessories([accessory]);
  }

  register(accessory: PlatformAccessory): void {
    this.#api.registerPlatformAccessories(PLUGIN_NAME, PLATFORM_NAME, [accessory]);
  }

  unregister(accessory: PlatformAccessory): void {
    this.#api.unregisterPlatformAccessories(PLUGIN_NAME, PLATFORM_NAME, [accessory]);
  }
}
