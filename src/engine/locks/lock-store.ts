// The one copy of every lock's state. Changes go through the lock machine, and each is emitted once.

import { aged } from '../../domain/locks/dating.ts';
import type { LockEvent } from '../../domain/locks/event.ts';
import { isOnlyFresher, type Lock, type LockId } from '../../domain/locks/lock.ts';
import { advanceLock } from '../../domain/locks/machine.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { TimeBounds } from '../../domain/time/time.ts';

export type LockChange =
  /** `more`: further ones of the same listing follow at once. */
  | { readonly type: 'lock-appeared'; readonly lock: Lock; readonly more?: boolean }
  | { readonly type: 'lock-changed'; readonly lock: Lock; readonly previous: Lock }
  /** Locks that look as before and are only fresher. Every listing reports all unchanged locks this way. */
  | { readonly type: 'locks-refreshed'; readonly locks: readonly Lock[] }
  | { readonly type: 'lock-removed'; readonly id: LockId; readonly name: string };

/** The store's view of time, by which every state ages. */
export interface StoreTime {
  /** A belief last confirmed before this instant is stale. */
  readonly staleBefore: () => Instant;
  readonly bounds: () => Pick<TimeBounds, 'latest' | 'setBackMs'>;
}

export class LockStore {
  readonly #locks = new Map<LockId, Lock>();
  readonly #emit: (change: LockChange) => void;
  readonly #time: StoreTime;
  /** How far the service's clock had been set back when the locks were looked at last. */
  #setBackMs: number;

  constructor(emit: (change: LockChange) => void, time: StoreTime) {
    this.#emit = emit;
    this.#time = time;
    this.#setBackMs = time.bounds().setBackMs;
  }

  all(): readonly Lock[] {
    return [...this.#locks.values()];
  }

  get(id: LockId): Lock | undefined {
    return this.#locks.get(id);
  }

  /** Adds those that were not known; known ones stay as they are. */
  add(...locks: readonly Lock[]): void {
    const appeared = new Map(locks.filter(({ id }) => !this.#locks.has(id)).map((lock) => [lock.id, lock]));
    let left = appeared.size;
    for (const lock of appeared.values()) {
      left -= 1;
      this.#locks.set(lock.id, lock);
      this.#emit({ type: 'lock-appeared', lock, more: left > 0 });
    }
  }

  /** Folds an event into a lock. Events for unknown locks have no effect. */
  apply(id: LockId, event: LockEvent): void {
    this.applyAll([[id, event]]);
  }

  /** The same for many locks: those that look as before are reported together, after the others. */
  applyAll(events: Iterable<readonly [LockId, LockEvent]>): void {
    this.#followClock();
    this.#fold(events);
  }

  /** Time has passed: a belief that nothing has confirmed for too long becomes stale. */
  age(): void {
    this.applyToAll({ type: 'aged', staleBefore: this.#time.staleBefore() });
  }

  applyToAll(event: LockEvent): void {
    this.applyAll([...this.#locks.keys()].map((id) => [id, event]));
  }

  /** When a clock is set back, everything that it dated is dated earlier, too. */
  #followClock(): void {
    const { latest, setBackMs } = this.#time.bounds();
    const byMs = setBackMs - this.#setBackMs;
    this.#setBackMs = setBackMs;
    if (byMs > 0) {
      this.#fold([...this.#locks.keys()].map((id) => [id, { type: 'clock-set-back', byMs, latest }]));
    }
  }

  #fold(events: Iterable<readonly [LockId, LockEvent]>): void {
    const refreshed: Lock[] = [];
    const staleBefore = this.#time.staleBefore();
    for (const [id, event] of events) {
      const previous = this.#locks.get(id);
      // A late report that is already too old by its date is stale at once.
      const lock = previous === undefined ? undefined : aged(advanceLock(previous, event), staleBefore);
      if (previous === undefined || lock === undefined || lock === previous) {
        continue;
      }
      this.#locks.set(id, lock);
      if (isOnlyFresher(previous, lock)) {
        refreshed.push(lock);
      } else {
        this.#emit({ type: 'lock-changed', lock, previous });
      }
    }
    if (refreshed.length > 0) {
      this.#emit({ type: 'locks-refreshed', locks: refreshed });
    }
  }

  remove(id: LockId): void {
    const lock = this.#locks.get(id);
    if (lock !== undefined) {
      this.#locks.delete(id);
      this.#emit({ type: 'lock-removed', id, name: lock.description.name });
    }
  }
}
