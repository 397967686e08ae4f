// When the keeper of guests looks at a lock again: with a later listing of the locks, or soon, to prove an absence.
import { LISTS_APART_MS } from '../../../domain/codes/absence.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { CancelTimer, Clock } from '../../../support/clock.ts';

export class GuestLookTimes {
  readonly #clock: Clock;
  readonly #lookAt: (id: LockId) => void;
  /** When to look again at the earliest, in monotonic milliseconds. */
  readonly #later = new Map<LockId, number>();
  readonly #second = new Map<LockId, CancelTimer>();

  constructor(clock: Clock, lookAt: (id: LockId) => void) {
    this.#clock = clock;
    this.#lookAt = lookAt;
  }

  /** Plans a look with the first listing of the locks after this pause. */
  after(id: LockId, ms: number): void {
    this.#later.set(id, this.#clock.monotonic() + ms);
  }

  /** The regular listing of the locks sets the pace: a look that has waited for its time comes with it. */
  listed(): void {
    const now = this.#clock.monotonic();
    for (const [id, at] of this.#later) {
      if (now >= at) {
        this.#later.delete(id);
        this.#lookAt(id);
      }
    }
  }

  /** One list without a code proves nothing: another one follows at that time. One that was asked for earlier comes a pause later. */
  again(id: LockId, at: number): void {
    this.#second.get(id)?.();
    const leftMs = at - this.#clock.monotonic();
    const cancel = this.#clock.after(leftMs > 0 ? leftMs : LISTS_APART_MS, () => {
      this.#second.delete(id);
      this.#lookAt(id);
    });
    this.#second.set(id, cancel);
  }

  dispose(): void {
    for (const cancel of this.#second.values()) {
      cancel();
    }
    this.#second.clear();
  }
}
