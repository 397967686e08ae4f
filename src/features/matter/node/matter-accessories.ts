// Manages the locks on the Matter bridge: one accessory per shown lock, with the same UUID across restarts.
import type { RuntimeLinkState } from '../../../domain/account/account.ts';
import type { BoltPosition } from '../../../domain/locks/bolt.ts';
import type { Lock, LockId } from '../../../domain/locks/lock.ts';
import type { RuntimeView } from '../../../engine/account-runtime.ts';
import { isOfStay, type LockRuntimeEvent } from '../../../engine/locks/event-bus.ts';
import type { Clock } from '../../../support/clock.ts';
import { messageOf } from '../../../support/errors.ts';
import { type Log, oneLine } from '../../../support/log.ts';
import { RemotePin } from '../../../support/remote-pin.ts';
import { t } from '../../../words/translate.ts';
import { accessoryOf, lockIdOf } from './accessory.ts';
import type { StatusName } from './command-status.ts';
import { type LockDevice, type LockHost, lockDevice, type SentCommand } from './evidence-lock.ts';
import type { MatterLockOptions } from './lock-options.ts';
import type { LockEndpoint, MatterAccessory, MatterApi, RegisteredAccessory } from './matter-api.ts';
import { MatterLock } from './matter-lock.ts';
import { followLabel, type LabelStore } from './node-label.ts';
import type { NodePresence } from './node-presence.ts';
import { Registration } from './registration.ts';

export interface MatterParts {
  /** The interface, which `faultOfMatter` has checked. */
  readonly api: MatterApi;
  /** Plugin and platform names under which Homebridge keeps the accessories. */
  readonly plugin: string;
  readonly platform: string;
  readonly uuidOf: (text: string) => string;
  readonly runtime: RuntimeView;
  readonly optionsFor: (id: LockId) => MatterLockOptions;
  /** Calls `listener` when a lock's options may have changed; the returned function unsubscribes. */
  readonly subscribeOptions: (listener: (id: LockId) => void) => () => void;
  /** The PIN that controllers must send to unlock; null for none. */
  readonly pin: string | null;
  readonly presence: Pick<NodePresence, 'watch'>;
  readonly labels: LabelStore;
  /** The accessories restored from Homebridge's cache. */
  readonly restored: readonly RegisteredAccessory[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Shows the locks over Matter until disposed. Create it before Homebridge's Matter node is online. */
export class Matter implements LockHost {
  readonly #parts: MatterParts;
  readonly #device: LockDevice | null;
  readonly #shown = new Map<string, { readonly lock: MatterLock; readonly accessory: MatterAccessory }>();
  readonly #endpoints = new Map<string, LockEndpoint>();
  readonly #end = new AbortController();
  readonly #registration: Registration;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(parts: MatterParts) {
    this.#parts = parts;
    const isWanted = (accessory: MatterAccessory): boolean =>
      this.#shown.get(accessory.UUID)?.accessory === accessory;
    this.#registration = new Registration({ ...parts, isWanted }, this.#end.signal);
    this.#device = lockDevice(parts.api, this, parts.pin !== null);
    for (const accessory of parts.restored) {
      this.#restore(accessory);
    }
    void this.#registration.register(parts.runtime.locks().flatMap((lock) => this.#appear(lock)));
    this.#unsubscribe = [
      parts.runtime.subscribe((event) => {
        this.#guarded(() => {
          if (!isOfStay(event)) {
            this.#hear(event);
          }
        });
      }),
      parts.subscribeOptions((id) => {
        this.#guarded(() => this.#configure(id));
      }),
    ];
  }

  /** Ends subscriptions and timers. The accessories stay registered. */
  dispose(): void {
    this.#end.abort(new Error('Matter was ended'));
    for (const unsubscribe of this.#unsubscribe) {
      unsubscribe();
    }
    for (const { lock } of this.#shown.values()) {
      lock.close();
    }
  }

  opened(endpoint: LockEndpoint): void {
    this.#endpoints.set(endpoint.id, endpoint);
    this.#parts.presence.watch(endpoint);
    void followLabel(endpoint, (label) => this.#named(endpoint.id, label));
    this.#shown.get(endpoint.id)?.lock.open(endpoint);
  }

  productOf(uuid: string): string | null {
    return this.#shown.get(uuid)?.accessory.model ?? null;
  }

  async request(uuid: string, target: BoltPosition, sent: SentCommand): Promise<StatusName | null> {
    return this.#shown.get(uuid)?.lock.request(target, sent) ?? 'NotFound';
  }

  #hear(event: LockRuntimeEvent): void {
    switch (event.type) {
      case 'lock-appeared':
        void this.#registration.register(this.#appear(event.lock));
        return;
      case 'lock-changed':
        this.#lock(event.lock.id)?.update(event.lock);
        return;
      case 'locks-refreshed':
        this.#refresh(event.locks);
        return;
      case 'lock-removed':
        this.#remove(event.id);
        this.#parts.labels.erase(event.id);
        return;
      case 'command-ended':
        this.#lock(event.id)?.commandEnded(event.target, event.outcome);
        return;
      case 'link-changed':
        this.#relink(event.state);
        return;
      // The Door Lock cluster has no event for these without an extra feature.
      case 'alert':
      case 'codes-changed':
      case 'code-operation':
      case 'service-away':
    }
  }

  #refresh(locks: readonly Lock[]): void {
    for (const lock of locks) {
      this.#lock(lock.id)?.refresh(lock);
    }
  }

  #relink(state: RuntimeLinkState): void {
    for (const { lock } of this.#shown.values()) {
      lock.relink(state);
    }
  }

  #lock(id: LockId): MatterLock | undefined {
    return this.#shown.get(this.#uuidOf(id))?.lock;
  }

  #uuidOf(id: LockId): string {
    return this.#parts.uuidOf(`${this.#parts.platform}:Matter:${id}`);
  }

  /** A cached accessory restores its lock, which may not have been listed yet; other accessories are removed. */
  #restore(accessory: RegisteredAccessory): void {
    const { runtime, optionsFor } = this.#parts;
    const id = lockIdOf(accessory.context);
    if (id === null || optionsFor(id).hidden || this.#uuidOf(id) !== accessory.UUID) {
      this.#registration.unregister(accessory);
    } else {
      runtime.remember(id, accessory.displayName);
    }
  }

  /** The accessory to register, if any. */
  #appear(lock: Lock): readonly MatterAccessory[] {
    const { runtime, optionsFor, clock } = this.#parts;
    const uuid = this.#uuidOf(lock.id);
    const options = optionsFor(lock.id);
    if (this.#device === null || options.hidden || this.#shown.has(uuid)) {
      return [];
    }
    const { deviceType, behavior } = this.#device;
    const { description } = lock;
    const name = options.name ?? description.name;
    const label = this.#parts.labels.read(lock.id);
    const accessory = accessoryOf({ uuid, id: lock.id, name, label, description, deviceType });
    const pin = this.#parts.pin === null ? null : new RemotePin(this.#parts.pin, clock);
    const matterLock = new MatterLock({ ...this.#parts, pin, behavior, options }, lock, runtime.linkState());
    this.#shown.set(uuid, { lock: matterLock, accessory });
    return [accessory];
  }

  /** A person named the lock in an app, which shows that name from now on. */
  #named(uuid: string, label: string): void {
    const shown = this.#shown.get(uuid);
    const id = shown === undefined ? null : lockIdOf(shown.accessory.context);
    if (id !== null) {
      this.#parts.labels.save(id, label);
    }
  }

  #remove(id: LockId): void {
    const uuid = this.#uuidOf(id);
    const shown = this.#shown.get(uuid);
    if (shown !== undefined) {
      this.#shown.delete(uuid);
      shown.lock.close();
      void this.#registration.unregisterOpened(shown.accessory, this.#endpoints.get(uuid));
      this.#endpoints.delete(uuid);
    }
  }

  #configure(id: LockId): void {
    const lock = this.#parts.runtime.lock(id);
    const options = this.#parts.optionsFor(id);
    const shown = this.#lock(id);
    if (options.hidden) {
      this.#remove(id);
    } else if (shown === undefined && lock !== undefined) {
      void this.#registration.register(this.#appear(lock));
    } else {
      shown?.configure(options);
    }
  }

  /** Keeps exceptions away from the account. */
  #guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#parts.log.error(
        oneLine(t('A change could not be shown over Matter: {why}', { why: messageOf(error) })),
      );
    }
  }
}
