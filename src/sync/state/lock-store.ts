// The one copy of what is known of every lock. Changes go through the lock machine; listeners hear each one once.
import { isOnlyFresher, type Lock, type LockId } from '../../domain/lock.ts';
import type { LockEvent } from '../../domain/lock-event.ts';
import { advanceLock } from '../../domain/lock-machine.ts';
import { Emitter } from '../../support/emitter.ts';
import type { Log } from '../../support/log.ts';

export type LockChange =
  | { readonly type: 'lock-appeared'; readonly lock: Lock }
  | { readonly type: 'lock-changed'; readonly lock: Lock; readonly previous: Lock }
  /** They look as before; what is known of them is only fresher. Every listing brings this of all quiet locks. */
  | { readonly type: 'locks-refreshed'; readonly locks: readonly Lock[] }
  | { readonly type: 'lock-removed'; readonly id: LockId; readonly name: string };

export class LockStore {
  readonly #locks = new Map<LockId, Lock>();
  readonly #events: Emitter<LockChange>;

  constructor(log: Log) {
    this.#events = new Emitter(log);
  }

  all(): readonly Lock[] {
    return [...this.#locks.values()];
  }

  get(id: LockId): Lock | undefined {
    return this.#locks.get(id);
  }

  /** Adds a lock that was not known; a known one stays as it is. */
  add(lock: Lock): void {
    if (!this.#locks.has(lock.id)) {
      this.#locks.set(lock.id, lock);
      this.#events.emit({ type: 'lock-appeared', lock });
    }
  }

  /** Folds an event into a lock. Events for unknown locks have no effect. */
  apply(id: LockId, event: LockEvent): void {
    const previous = this.#locks.get(id);
    if (previous === undefined) {
      return;
    }
    const lock = advanceLock(previous, event);
    if (lock !== previous) {
      this.#locks.set(id, lock);
      this.#events.emit(
        isOnlyFresher(previous, lock)
          ? { type: 'locks-refreshed', locks: [lock] }
          : { type: 'lock-changed', lock, previous },
      );
    }
  }

  /** Takes locks over that look as before. They must be known. */
  refresh(locks: readonly Lock[]): void {
    for (const lock of locks) {
      this.#locks.set(lock.id, lock);
    }
    if (locks.length > 0) {
      this.#events.emit({ type: 'locks-refreshed', locks });
    }
  }

  /** Folds an event into every lock. */
  applyToAll(event: LockEvent): void {
    for (const id of this.#locks.keys()) {
      this.apply(id, event);
    }
  }

  remove(id: LockId): void {
    const lock = this.#locks.get(id);
    if (lock !== undefined) {
      this.#locks.delete(id);
      this.#events.emit({ type: 'lock-removed', id, name: lock.description.name });
    }
  }

  subscribe(listener: (event: LockChange) => void): () => void {
    return this.#events.subscribe(listener);
  }
}
