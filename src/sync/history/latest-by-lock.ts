// Up to when something is known of each lock: the latest instant that was noted for it, or for all of them.
import type { Instant } from '../../domain/bolt.ts';
import type { LockId } from '../../domain/lock.ts';

export class LatestByLock {
  readonly #locks = new Map<LockId, Instant>();
  #everywhere: Instant = Number.NEGATIVE_INFINITY;

  /** Notes an instant for one lock, or for all of them. What is earlier than before changes nothing. */
  note(at: Instant, id?: LockId): void {
    if (id === undefined) {
      this.#everywhere = Math.max(this.#everywhere, at);
    } else {
      this.#locks.set(id, Math.max(this.of(id), at));
    }
  }

  /** Minus infinity when nothing was noted. */
  of(id: LockId): Instant {
    return Math.max(this.#everywhere, this.#locks.get(id) ?? Number.NEGATIVE_INFINITY);
  }

  forget(id: LockId): void {
    this.#locks.delete(id);
  }
}
