// Keeps one accessory in Home for every lock that is not hidden; the lock's id identifies it across restarts.
import type { PlatformAccessory } from 'homebridge';
import type { RuntimeLinkState } from '../domain/account/account.ts';
import type { Lock, LockId } from '../domain/locks/lock.ts';
import type { RuntimeEvent, RuntimeView } from '../engine/account-runtime.ts';
import { isOfStay } from '../engine/locks/event-bus.ts';
import { messageOf } from '../support/errors.ts';
import { oneLine } from '../support/log.ts';
import { t } from '../words/translate.ts';
import { lockIdIn, shownIn } from './hap/accessory-context.ts';
import type { AccessoryParts } from './hap/accessory-parts.ts';
import type { LockOptions } from './hap/lock-options.ts';
import { ShapeChanges } from './hap/shape-changes.ts';
import { ShownValues } from './hap/shown-values.ts';
import { LockAccessory } from './lock/lock-accessory.ts';
import { logName } from './lock/log-messages.ts';
import {
  adopt,
  BRIDGE_CAPACITY,
  createAccessory,
  hasRoomBeside,
  register,
  unregister,
  uuidOf,
} from './platform-accessories.ts';

/** Shows the account's locks in Home until it is disposed. Create it before Homebridge publishes its bridge. */
export class Homekit {
  readonly #parts;
  readonly #values: ShownValues;
  readonly #shapes: ShapeChanges;
  readonly #shown = new Map<LockId, LockAccessory>();
  /** Accessories from the cache that no lock has claimed, by UUID: a lock claims its own when it appears. */
  readonly #unclaimed = new Map<string, PlatformAccessory>();
  readonly #unsubscribe: readonly (() => void)[];
  /** What Homebridge is not told yet, so that a listing of many locks is one change for Home. */
  readonly #new = new Map<LockId, PlatformAccessory>();
  readonly #changed: PlatformAccessory[] = [];
  /** Locks wait for room on the bridge, and the log has a line about it. */
  #isFull = false;

  constructor(
    parts: Pick<AccessoryParts, 'api' | 'log' | 'clock'> & {
      readonly runtime: RuntimeView;
      readonly optionsFor: (id: LockId) => LockOptions;
      /** Calls `listener` when other options may be in force for a lock; the returned function ends it. */
      readonly subscribeOptions: (listener: (id: LockId) => void) => () => void;
      /** The cached accessories from `configureAccessory`, each reset there. */
      readonly restored: readonly PlatformAccessory[];
    },
  ) {
    this.#parts = parts;
    this.#values = new ShownValues(parts.clock);
    this.#shapes = new ShapeChanges(parts.clock);
    for (const accessory of parts.restored) {
      this.#guarded(accessory.displayName, () => this.#restore(accessory));
    }
    const told = parts.restored.filter(({ context }) => shownIn(context) !== null);
    this.#placeAll();
    this.#save(told);
    this.#unsubscribe = [
      // Home comes before pages and other processes.
      parts.runtime.subscribe((event) => this.#receive(event), 'first'),
      parts.subscribeOptions((id) => this.#configured(id)),
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
    this.#values.dispose();
    this.#shapes.dispose();
    this.#save([...this.#shown.values()].map(({ accessory }) => accessory));
  }

  #receive(event: RuntimeEvent): void {
    if (isOfStay(event)) {
      return this.#withShown(event.lock, (shown) => shown.stay(event));
    }
    switch (event.type) {
      case 'lock-appeared':
        this.#place(event.lock);
        return event.more === true ? undefined : this.#tell();
      case 'lock-changed':
        return this.#withShown(event.lock.id, (shown) => shown.update(event.lock));
      case 'alert':
        return this.#withShown(event.id, (shown) => shown.alert(event.alert, event.at));
      case 'codes-changed':
        return this.#withShown(event.id, (shown) => shown.accessCodes?.receive());
      case 'locks-refreshed':
        return this.#refresh(event.locks);
      case 'lock-removed':
        return this.#guarded(event.name, () => this.#remove(event.id, event.name));
      case 'link-changed':
        return this.#relink(event.state);
      case 'code-operation':
      case 'command-ended':
      case 'service-away':
    }
  }

  #relink(state: RuntimeLinkState): void {
    for (const id of this.#shown.keys()) {
      this.#withShown(id, (shown) => shown.relink(state));
    }
  }

  #refresh(locks: readonly Lock[]): void {
    for (const lock of locks) {
      this.#shown.get(lock.id)?.refresh(lock);
    }
    this.#fill();
  }

  #withShown(id: LockId | null, action: (shown: LockAccessory) => void): void {
    const shown = id === null ? undefined : this.#shown.get(id);
    if (shown !== undefined) {
      this.#guarded(shown.accessory.displayName, () => action(shown));
    }
  }

  /** The runtime learns of the cached lock, which may not be listed yet. */
  #restore(accessory: PlatformAccessory): void {
    const { api, runtime, log } = this.#parts;
    const id = lockIdIn(accessory.context);
    const uuid = id === null ? accessory.UUID : uuidOf(api, id);
    if (this.#unclaimed.has(uuid)) {
      unregister(api, accessory);
      return;
    }
    this.#unclaimed.set(uuid, accessory);
    if (id === null) {
      log.warn(
        t('{name}: the cached accessory names no lock. Waiting for its lock.', {
          name: oneLine(accessory.displayName),
        }),
      );
    } else {
      runtime.remember(id, accessory.displayName);
    }
  }

  /** What Home shows is in the context between two processes, and must be gone from the cache while one runs. */
  #save(accessories: PlatformAccessory[]): void {
    if (accessories.length > 0) {
      this.#parts.api.updatePlatformAccessories(accessories);
    }
  }

  /** Other options are in force. If the lock cannot be shown, the log names the reason again, because a person asks for it. */
  #configured(id: LockId): void {
    const lock = this.#parts.runtime.lock(id);
    if (lock !== undefined) {
      this.#isFull &&= this.#shown.has(id) || this.#parts.optionsFor(id).hidden;
      this.#place(lock);
      this.#tell();
    }
  }

  #placeAll(): void {
    for (const lock of this.#parts.runtime.locks()) {
      if (!this.#shown.has(lock.id)) {
        this.#place(lock);
      }
    }
    this.#tell();
  }

  /** Hides or shows a lock, as its options say; one that stays keeps its accessory, and with it rooms and automations. */
  #place(lock: Lock): void {
    this.#guarded(lock.description.name, () => {
      const options = this.#parts.optionsFor(lock.id);
      const shown = this.#shown.get(lock.id);
      if (options.hidden) {
        this.#remove(lock.id, lock.description.name);
      } else if (shown === undefined) {
        this.#show(lock, options);
      } else {
        shown.configure(options);
      }
    });
  }

  /** The accessory shows its lock before Homebridge, and with it any controller, sees it. */
  #show(lock: Lock, options: LockOptions): void {
    const { api, runtime } = this.#parts;
    const { name } = lock.description;
    const cached = this.#unclaimed.get(uuidOf(api, lock.id));
    if (cached === undefined && !this.#admits(name)) {
      return;
    }
    this.#unclaimed.delete(uuidOf(api, lock.id));
    const accessory = cached ?? createAccessory(api, lock.id, options.name ?? name);
    const shown = new LockAccessory(
      {
        ...this.#parts,
        values: this.#values,
        shapes: this.#shapes,
        accessory,
        isNew: cached === undefined,
        options,
      },
      lock,
      runtime.linkState(),
    );
    this.#shown.set(lock.id, shown);
    if (cached === undefined) {
      this.#new.set(lock.id, accessory);
    } else if (adopt(cached, lock.id)) {
      this.#changed.push(cached);
    }
  }

  /** Tells Homebridge of all new accessories at once, and of all changed ones. */
  #tell(): void {
    const { api, log, runtime } = this.#parts;
    const added = new Map(this.#new);
    const changed = this.#changed.splice(0);
    this.#new.clear();
    if (changed.length > 0) {
      api.updatePlatformAccessories(changed);
    }
    const { refused, why } = register(api, [...added.values()]);
    for (const [id, accessory] of added) {
      const name = logName(runtime.lock(id)?.description.name ?? accessory.displayName);
      if (refused.includes(accessory)) {
        this.#shown.get(id)?.dispose();
        this.#shown.delete(id);
        this.#cannotShow(name, why);
      } else {
        log.info(t('{name}: added to Home', { name }));
      }
    }
  }

  #remove(id: LockId, name: string): void {
    const { api, log } = this.#parts;
    const shown = this.#shown.get(id);
    const uuid = uuidOf(api, id);
    const accessory = shown?.accessory ?? this.#unclaimed.get(uuid);
    if (accessory !== undefined) {
      this.#shown.delete(id);
      this.#unclaimed.delete(uuid);
      shown?.dispose();
      if (!this.#new.delete(id)) {
        unregister(api, accessory);
      }
      log.info(t('{name}: removed from Home', { name: logName(name) }));
      this.#fill();
    }
  }

  /** Whether the bridge has room for this lock; one log line stands for all that have to wait. */
  #admits(name: string): boolean {
    const hasRoom = this.#hasRoom();
    if (!hasRoom && !this.#isFull) {
      this.#isFull = true;
      this.#parts.log.warn(
        t(
          '{name} is not in Home: this bridge already has {most} accessories, the most that Home accepts. Hide locks that you do not need, or move other accessories to another bridge. Further locks wait for room, too.',
          { name: logName(name), most: BRIDGE_CAPACITY },
        ),
      );
    }
    return hasRoom;
  }

  #fill(): void {
    if (this.#isFull && this.#hasRoom()) {
      this.#placeAll();
      this.#isFull = !this.#hasRoom();
    }
  }

  #hasRoom(): boolean {
    const shown = [...this.#shown.values()];
    return hasRoomBeside([...shown.map(({ accessory }) => accessory), ...this.#unclaimed.values()]);
  }

  /** One accessory that fails affects no other, and nothing thrown reaches Homebridge. */
  #guarded(name: string, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#cannotShow(logName(name), error);
    }
  }

  #cannotShow(name: string, error: unknown): void {
    this.#parts.log.error(
      t('{name}: could not be shown in Home: {why}', { name, why: oneLine(messageOf(error)) }),
    );
  }
}
