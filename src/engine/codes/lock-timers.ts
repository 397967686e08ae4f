// When each lock is to be looked at again: at a time, or with the first listing of the locks after it.
import { LISTS_APART_MS } from '../../domain/codes/absence.ts';
import type { GuestCode } from '../../domain/codes/guest.ts';
import { LIST_PAUSE_MS, pauseMs } from '../../domain/codes/retry-policy.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { CancelTimer } from '../../support/clock.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { GuestBook } from './book.ts';

export interface LockTimersParts extends Pick<CommonParts, 'clock' | 'serviceClock'> {
  readonly book: Pick<GuestBook, 'proofDueAt'>;
}

export class LockTimers {
  readonly #parts: LockTimersParts;
  readonly #reconcile: (id: LockId) => void;
  /** Looks that wait for their time, and then for a listing of the locks, in monotonic milliseconds. */
  readonly #later = new Map<LockId, number>();
  readonly #timers = new Map<LockId, CancelTimer>();
  /** How often in a row a lock was looked at in vain. */
  readonly #vainTries = new Map<LockId, number>();

  constructor(parts: LockTimersParts, reconcile: (id: LockId) => void) {
    this.#parts = parts;
    this.#reconcile = reconcile;
  }

  dispose(): void {
    for (const cancel of this.#timers.values()) {
      cancel();
    }
    this.#timers.clear();
  }

  later(id: LockId, ms: number): void {
    this.#later.set(id, this.#parts.clock.monotonic() + ms);
  }

  soon(id: LockId, ms: number): void {
    this.#timers.get(id)?.();
    this.#timers.set(
      id,
      this.#parts.clock.after(ms, () => {
        this.#timers.delete(id);
        this.#reconcile(id);
      }),
    );
  }

  /** The locks were listed: that sets the pace of looks that have waited for their time. */
  listed(): void {
    for (const id of [...this.#later].flatMap(([one, at]) =>
      this.#parts.clock.monotonic() >= at ? one : [],
    )) {
      this.#later.delete(id);
      this.#reconcile(id);
    }
  }

  /** A look was in vain: the pause before the next one, in milliseconds. */
  pause(id: LockId): number {
    const tries = (this.#vainTries.get(id) ?? 0) + 1;
    this.#vainTries.set(id, tries);
    return pauseMs(tries, 'not-ready');
  }

  /** Whether an earlier list tells nothing new: a command may have taken effect since, or an absence is to be proven. */
  needsNewList(id: LockId): boolean {
    const { book, clock } = this.#parts;
    return clock.monotonic() >= book.proofDueAt(id) || this.#vainTries.has(id);
  }

  /** In how many milliseconds a command has taken effect or cannot any more, a failed step may be tried again, or an absence is proven. */
  remind(id: LockId, codes: readonly (GuestCode | null)[], isAwaited: boolean): number {
    const { book, clock, serviceClock } = this.#parts;
    const now = serviceClock.now();
    const times = codes.flatMap((code) => [code?.unsettledUntil ?? now, code?.setback?.retryAt ?? now]);
    let leftMs = Math.min(...times.filter((at) => at > now)) - now;
    if (codes.some((code) => code !== null && code.unsettledUntil !== null)) {
      leftMs = Math.min(leftMs, this.pause(id));
    } else {
      this.#vainTries.delete(id);
    }
    const proofMs = book.proofDueAt(id) - clock.monotonic();
    // A person does not wait for a listing. One list without a code proves nothing: the next one comes a pause later where it was asked for earlier.
    const soonMs = Math.min(
      leftMs < LIST_PAUSE_MS || isAwaited ? leftMs : Number.POSITIVE_INFINITY,
      proofMs > 0 ? proofMs : LISTS_APART_MS,
    );
    this.later(id, leftMs);
    this.#timers.get(id)?.();
    if (soonMs < Number.POSITIVE_INFINITY) {
      this.soon(id, soonMs);
    }
    return soonMs;
  }
}
