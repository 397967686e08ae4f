// Which accessories Home has: one for every lock that is not hidden, kept across restarts by the lock's id alone.
import type { API, PlatformAccessory } from 'homebridge';
import type { Lock, LockId } from '../domain/lock.ts';
import type { Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import { type Log, oneLine } from '../support/log.ts';
import type { RuntimeEvent, RuntimeView } from '../sync/account-runtime.ts';
import { contextOf, isCurrentContext, lockIdIn } from './accessory-context.ts';
import { CATEGORY } from './characteristic-values.ts';
import { hapName } from './hap-text.ts';
import { LockAccessory } from './lock-accessory.ts';
import type { LockOptions } from './lock-options.ts';

/** The names under which Homebridge keeps our accessories. Changing them would lose everyone's rooms and automations. */
export const PLUGIN_NAME = 'homebridge-latchkey';
export const PLATFORM_NAME = 'Latchkey';

export interface HomekitParts {
  readonly api: API;
  readonly log: Log;
  readonly runtime: RuntimeView;
  readonly clock: Clock;
  readonly optionsFor: (id: LockId) => LockOptions;
  /** Calls `listener` when other options may be in force for a lock; the returned function ends it. */
  readonly subscribeOptions: (listener: (id: LockId) => void) => () => void;
  /** What Homebridge handed to `configureAccessory`, each hushed there. */
  readonly restored: readonly PlatformAccessory[];
}

export interface Homekit {
  /** Ends listening and timers. The accessories stay as they are shown. */
  dispose(): void;
}

/** Shows the house in Home, from now on until it is disposed. Call it before Homebridge publishes its bridge. */
export function startHomekit(parts: HomekitParts): Homekit {
  return new AccessoryRegistry(parts);
}

class AccessoryRegistry implements Homekit {
  readonly #parts: HomekitParts;
  readonly #shown = new Map<LockId, LockAccessory>();
  /** Cached accessories whose context names no lock, by UUID: the lock, when it appears, still leads to them. */
  readonly #unclaimed = new Map<string, PlatformAccessory>();
  readonly #unsubscribe: readonly (() => void)[];

  constructor(parts: HomekitParts) {
    this.#parts = parts;
    for (const accessory of parts.restored) {
      this.#guarded(accessory.displayName, () => {
        this.#restore(accessory);
      });
    }
    for (const lock of parts.runtime.locks()) {
      this.#guarded(lock.description.name, () => {
        this.#appear(lock);
      });
    }
    this.#unsubscribe = [
      // Whoever waits at the door comes before pages and other processes.
      parts.runtime.subscribe((event) => {
        this.#hear(event);
      }, 'first'),
      parts.subscribeOptions((id) => {
        this.#configure(id);
      }),
    ];
  }

  dispose(): void {
    for (const unsubscribe of this.#unsubscribe) {
      unsubscribe();
    }
    for (const shown of this.#shown.values()) {
      shown.dispose();
    }
  }

  #hear(event: RuntimeEvent): void {
    switch (event.type) {
      case 'lock-appeared':
        this.#guarded(event.lock.description.name, () => {
          this.#appear(event.lock);
        });
        return;
      case 'lock-changed':
        this.#guarded(event.lock.description.name, () => {
          this.#shown.get(event.lock.id)?.update(event.lock);
        });
        return;
      case 'locks-refreshed':
        for (const lock of event.locks) {
          this.#shown.get(lock.id)?.refresh(lock);
        }
        return;
      case 'lock-removed':
        this.#guarded(event.name, () => {
          this.#remove(event.id, event.name);
        });
        return;
      case 'alert':
        this.#alert(event);
        return;
      case 'command-ended':
        // The lock itself shows what came of a command.
        return;
      case 'link-changed':
        for (const shown of this.#shown.values()) {
          this.#guarded(shown.accessory.displayName, () => {
            shown.relink(event.state);
          });
        }
    }
  }

  #alert({ id, alert, at }: Extract<RuntimeEvent, { readonly type: 'alert' }>): void {
    const shown = this.#shown.get(id);
    if (shown !== undefined) {
      this.#guarded(shown.accessory.displayName, () => {
        shown.alert(alert, at);
      });
    }
  }

  /** A cached accessory tells the house of its lock, which may not have been listed yet. */
  #restore(accessory: PlatformAccessory): void {
    const { api, runtime, optionsFor, log } = this.#parts;
    const id = lockIdIn(accessory.context);
    if (id === null) {
      this.#unclaimed.set(accessory.UUID, accessory);
      log.warn(
        oneLine(`${accessory.displayName}: its cache entry names no lock; it waits until the lock is listed`),
      );
      return;
    }
    if (this.#shown.has(id) || optionsFor(id).hidden) {
      this.#unregister(accessory);
      return;
    }
    if (!isCurrentContext(accessory.context)) {
      accessory.context = { ...contextOf(id) };
      api.updatePlatformAccessories([accessory]);
    }
    runtime.remember(id, accessory.displayName);
    const lock = runtime.lock(id);
    if (lock !== undefined) {
      this.#show(accessory, lock, false);
    }
  }

  #appear(lock: Lock): void {
    const shown = this.#shown.get(lock.id);
    if (shown !== undefined) {
      shown.update(lock);
      return;
    }
    const { api, optionsFor, log } = this.#parts;
    const uuid = api.hap.uuid.generate(`${PLATFORM_NAME}:${lock.id}`);
    const cached = this.#unclaimed.get(uuid);
    this.#unclaimed.delete(uuid);
    if (optionsFor(lock.id).hidden) {
      if (cached !== undefined) {
        this.#unregister(cached);
      }
      return;
    }
    if (cached !== undefined) {
      cached.context = { ...contextOf(lock.id) };
      this.#show(cached, lock, false);
      api.updatePlatformAccessories([cached]);
      return;
    }
    this.#show(this.#create(lock, uuid), lock, true);
    log.info(oneLine(`${lock.description.name}: new in Home`));
  }

  #create(lock: Lock, uuid: string): PlatformAccessory {
    const { api, optionsFor } = this.#parts;
    const { platformAccessory: Accessory } = api;
    const name = optionsFor(lock.id).name ?? lock.description.name;
    const accessory = new Accessory(hapName(name), uuid, CATEGORY.DOOR_LOCK);
    accessory.context = { ...contextOf(lock.id) };
    return accessory;
  }

  /** The accessory shows its lock before Homebridge, and with it any controller, gets to know it. */
  #show(accessory: PlatformAccessory, lock: Lock, isNew: boolean): void {
    const { api, runtime, optionsFor } = this.#parts;
    const options = optionsFor(lock.id);
    const shown = new LockAccessory({ ...this.#parts, accessory, isNew, options }, lock, runtime.linkState());
    this.#shown.set(lock.id, shown);
    if (isNew) {
      api.registerPlatformAccessories(PLUGIN_NAME, PLATFORM_NAME, [accessory]);
    }
  }

  #remove(id: LockId, name: string): void {
    const shown = this.#shown.get(id);
    if (shown !== undefined) {
      this.#shown.delete(id);
      shown.dispose();
      this.#unregister(shown.accessory);
      this.#parts.log.info(oneLine(`${name}: removed from Home`));
    }
  }

  /** A lock is hidden or comes back at once; one that stays keeps its accessory, and with it rooms and automations. */
  #configure(id: LockId): void {
    const lock = this.#parts.runtime.lock(id);
    if (lock === undefined) {
      return;
    }
    this.#guarded(lock.description.name, () => {
      const options = this.#parts.optionsFor(id);
      const shown = this.#shown.get(id);
      if (options.hidden) {
        this.#remove(id, lock.description.name);
      } else if (shown === undefined) {
        this.#appear(lock);
      } else {
        shown.configure(options);
      }
    });
  }

  #unregister(accessory: PlatformAccessory): void {
    this.#parts.api.unregisterPlatformAccessories(PLUGIN_NAME, PLATFORM_NAME, [accessory]);
  }

  /** One accessory that cannot be shown harms no other, and nothing thrown reaches Homebridge. */
  #guarded(name: string, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#parts.log.error(oneLine(`${name}: could not be shown in Home: ${messageOf(error)}`));
    }
  }
}
