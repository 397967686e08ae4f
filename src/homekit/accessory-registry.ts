// Keeps one accessory in Home for every lock that is not hidden; the lock's id identifies it across restarts.
import type { API, PlatformAccessory } from 'homebridge';
import type { Lock, LockId } from '../domain/lock.ts';
import type { Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import { type Log, oneLine } from '../support/log.ts';
import type { RuntimeEvent, RuntimeView } from '../sync/account-runtime.ts';
import { isCurrentContext, lockIdIn } from './accessory-context.ts';
import { BridgeCapacity } from './bridge-capacity.ts';
import { LockAccessory } from './lock-accessory.ts';
import type { LockOptions } from './lock-options.ts';
import { PlatformAccessories } from './platform-accessories.ts';

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

/** Shows the account's locks in Home until it is disposed. Create it before Homebridge publishes its bridge. */
export class Homekit {
  readonly #parts: HomekitParts;
  readonly #shown = new Map<LockId, LockAccessory>();
  /** Cached accessories whose context names no lock, by UUID; the lock claims its own when it appears. */
  readonly #unclaimed = new Map<string, PlatformAccessory>();
  readonly #unsubscribe: readonly (() => void)[];
  readonly #accessories: PlatformAccessories;
  readonly #capacity: BridgeCapacity;

  constructor(parts: HomekitParts) {
    this.#parts = parts;
    this.#accessories = new PlatformAccessories(parts.api);
    this.#capacity = new BridgeCapacity(
      () => [...[...this.#shown.values()].map(({ accessory }) => accessory), ...this.#unclaimed.values()],
      parts.log,
    );
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

  /** Ends subscriptions and timers. The accessories stay as they are. */
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
        this.#withShown(event.lock.id, (shown) => {
          shown.update(event.lock);
        });
        return;
      case 'alert':
        this.#withShown(event.id, (shown) => {
          shown.alert(event.alert, event.at);
        });
        return;
      case 'codes-changed':
      case 'code-operation':
        this.#withShown(event.type === 'codes-changed' ? event.id : event.operation.lockId, (shown) => {
          shown.accessCodes?.receive(event);
        });
        return;
      case 'locks-refreshed':
        return this.#refresh(event.locks);
      case 'lock-removed':
        this.#guarded(event.name, () => {
          this.#remove(event.id, event.name);
        });
        return;
      case 'link-changed':
        for (const id of this.#shown.keys()) {
          this.#withShown(id, (shown) => {
            shown.relink(event.state);
          });
        }
        return;
      case 'command-ended':
    }
  }

  #refresh(locks: readonly Lock[]): void {
    for (const lock of locks) {
      this.#shown.get(lock.id)?.refresh(lock);
    }
    this.#fill();
  }

  #withShown(id: LockId, action: (shown: LockAccessory) => void): void {
    const shown = this.#shown.get(id);
    if (shown !== undefined) {
      this.#guarded(shown.accessory.displayName, () => {
        action(shown);
      });
    }
  }

  /** The runtime learns of the cached lock, which may not be listed yet. */
  #restore(accessory: PlatformAccessory): void {
    const { runtime, optionsFor, log } = this.#parts;
    const id = lockIdIn(accessory.context);
    if (id === null) {
      this.#unclaimed.set(accessory.UUID, accessory);
      log.warn(
        `${oneLine(accessory.displayName)}: the cached accessory names no lock. Waiting for its lock.`,
      );
      return;
    }
    if (this.#shown.has(id) || optionsFor(id).hidden) {
      this.#accessories.unregister(accessory);
      return;
    }
    if (!isCurrentContext(accessory.context)) {
      this.#accessories.claim(accessory, id);
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
    const { optionsFor, log } = this.#parts;
    const options = optionsFor(lock.id);
    const uuid = this.#accessories.uuidOf(lock.id);
    const cached = this.#unclaimed.get(uuid);
    this.#unclaimed.delete(uuid);
    if (options.hidden) {
      if (cached !== undefined) {
        this.#accessories.unregister(cached);
      }
      return;
    }
    if (cached !== undefined) {
      this.#accessories.claim(cached, lock.id);
      this.#show(cached, lock, false);
      return;
    }
    const { name } = lock.description;
    if (this.#capacity.admits(name)) {
      this.#show(this.#accessories.create(lock.id, options.name ?? name), lock, true);
      log.info(`${oneLine(name)}: added to Home`);
    }
  }

  #fill(): void {
    if (!this.#capacity.hasReopened) {
      return;
    }
    for (const lock of this.#parts.runtime.locks()) {
      if (!this.#shown.has(lock.id)) {
        this.#guarded(lock.description.name, () => {
          this.#appear(lock);
        });
      }
    }
    if (this.#capacity.hasRoom) {
      this.#capacity.reset();
    }
  }

  /** The accessory shows its lock before Homebridge, and with it any controller, sees it. */
  #show(accessory: PlatformAccessory, lock: Lock, isNew: boolean): void {
    const { runtime, optionsFor } = this.#parts;
    const options = optionsFor(lock.id);
    const shown = new LockAccessory({ ...this.#parts, accessory, isNew, options }, lock, runtime.linkState());
    this.#shown.set(lock.id, shown);
    if (isNew) {
      try {
        this.#accessories.register(accessory);
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
      this.#accessories.unregister(shown.accessory);
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
        // A person asks for it, so the log must say again why it cannot be shown.
        this.#capacity.reset();
        this.#appear(lock);
      } else {
        shown.configure(options);
      }
    });
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
