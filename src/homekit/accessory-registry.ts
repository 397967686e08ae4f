// Keeps one accessory in Home for every lock that is not hidden; the lock's id identifies it across restarts.
import type { API, PlatformAccessory } from 'homebridge';
import type { Lock, LockId } from '../domain/lock.ts';
import type { Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import { type Log, oneLine } from '../support/log.ts';
import type { RuntimeEvent, RuntimeView } from '../sync/account-runtime.ts';
import { contextOf, isCurrentContext, lockIdIn } from './accessory-context.ts';
import { BRIDGE_CAPACITY, hasRoom } from './bridge-capacity.ts';
import { CATEGORY } from './characteristic-values.ts';
import { hapName } from './hap-text.ts';
import { LockAccessory } from './lock-accessory.ts';
import type { LockOptions } from './lock-options.ts';

/** The names under which Homebridge caches our accessories. Changing them would lose every room and automation. */
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
  /** The cached accessories from `configureAccessory`, each reset there. */
  readonly restored: readonly PlatformAccessory[];
}

export interface Homekit {
  /** Ends subscriptions and timers. The accessories stay as they are. */
  dispose(): void;
}

/** Shows the account's locks in Home until it is disposed. Call it before Homebridge publishes its bridge. */
export function startHomekit(parts: HomekitParts): Homekit {
  return new AccessoryRegistry(parts);
}

class AccessoryRegistry implements Homekit {
  readonly #parts: HomekitParts;
  readonly #shown = new Map<LockId, LockAccessory>();
  /** Cached accessories whose context names no lock, by UUID; the lock claims its own when it appears. */
  readonly #unclaimed = new Map<string, PlatformAccessory>();
  readonly #unsubscribe: readonly (() => void)[];
  /** A lock is waiting for room on the bridge, and the log says so. */
  #full = false;

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
      // Home comes before pages and other processes.
      parts.runtime.subscribe((event) => {
        this.#receive(event);
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

  #receive(event: RuntimeEvent): void {
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
        this.#fill();
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
        // The lock's own events show the outcome.
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

  /** The runtime learns of the cached lock, which may not be listed yet. */
  #restore(accessory: PlatformAccessory): void {
    const { api, runtime, optionsFor, log } = this.#parts;
    const id = lockIdIn(accessory.context);
    if (id === null) {
      this.#unclaimed.set(accessory.UUID, accessory);
      log.warn(
        oneLine(
          `${accessory.displayName}: the cached accessory names no lock. Waiting until its lock is listed.`,
        ),
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
    if (!this.#hasRoom()) {
      this.#waitForRoom(lock);
      return;
    }
    this.#show(this.#create(lock, uuid), lock, true);
    log.info(`${oneLine(lock.description.name)}: added to Home`);
  }

  #hasRoom(): boolean {
    const own = [...this.#shown.values()].map(({ accessory }) => accessory);
    return hasRoom([...own, ...this.#unclaimed.values()]);
  }

  /** One line for all locks that wait. */
  #waitForRoom({ description: { name } }: Lock): void {
    if (!this.#full) {
      this.#full = true;
      this.#parts.log.warn(
        `${oneLine(name)} is not in Home: this bridge already has ${BRIDGE_CAPACITY} accessories, the most that Home accepts. Hide locks that you do not need, or move other accessories to another bridge. Further locks wait for room, too.`,
      );
    }
  }

  /** Shows locks that wait, as far as there is room now. */
  #fill(): void {
    if (!this.#full || !this.#hasRoom()) {
      return;
    }
    for (const lock of this.#parts.runtime.locks()) {
      if (!this.#shown.has(lock.id)) {
        this.#guarded(lock.description.name, () => {
          this.#appear(lock);
        });
      }
    }
    this.#full = !this.#hasRoom();
  }

  #create(lock: Lock, uuid: string): PlatformAccessory {
    const { api, optionsFor } = this.#parts;
    const { platformAccessory: Accessory } = api;
    const name = optionsFor(lock.id).name ?? lock.description.name;
    const accessory = new Accessory(hapName(name), uuid, CATEGORY.DOOR_LOCK);
    accessory.context = { ...contextOf(lock.id) };
    return accessory;
  }

  /** The accessory shows its lock before Homebridge, and with it any controller, sees it. */
  #show(accessory: PlatformAccessory, lock: Lock, isNew: boolean): void {
    const { api, runtime, optionsFor } = this.#parts;
    const options = optionsFor(lock.id);
    const shown = new LockAccessory({ ...this.#parts, accessory, isNew, options }, lock, runtime.linkState());
    this.#shown.set(lock.id, shown);
    if (isNew) {
      try {
        api.registerPlatformAccessories(PLUGIN_NAME, PLATFORM_NAME, [accessory]);
      } catch (error) {
        this.#shown.delete(lock.id);
        shown.dispose();
        throw error;
      }
    }
  }

  #remove(id: LockId, name: string): void {
    const shown = this.#shown.get(id);
    if (shown !== undefined) {
      this.#shown.delete(id);
      shown.dispose();
      this.#unregister(shown.accessory);
      this.#parts.log.info(`${oneLine(name)}: removed from Home`);
      this.#fill();
    }
  }

  /** Hides or shows a lock at once; one that stays keeps its accessory, and with it rooms and automations. */
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
        // Asked for by a person, so say again why it cannot be shown.
        this.#full = false;
        this.#appear(lock);
      } else {
        shown.configure(options);
      }
    });
  }

  #unregister(accessory: PlatformAccessory): void {
    this.#parts.api.unregisterPlatformAccessories(PLUGIN_NAME, PLATFORM_NAME, [accessory]);
  }

  /** One accessory that fails affects no other, and nothing thrown reaches Homebridge. */
  #guarded(name: string, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#parts.log.error(`${oneLine(name)}: could not be shown in Home: ${oneLine(messageOf(error))}`);
    }
  }
}
