// Bolts that are told to rest where they rested already: noticed, looked into seldom, and found out by the history.
import type { Instant } from '../../domain/bolt.ts';
import type { HistoryEntry } from '../../domain/history.ts';
import type { LockId } from '../../domain/lock.ts';
import { isRelockCheckDue, leftAt, type MissedRelock } from '../../domain/missed-event-policy.ts';
import type { Clock } from '../../support/clock.ts';

/** What is known of one lock. */
interface Case {
  /** It waits for the history; null when nothing does. */
  open: MissedRelock | null;
  /** Monotonic milliseconds. */
  readonly askedAt: number;
  /** The history of the last one showed that the bolt had not moved, or has not been read. */
  vain: boolean;
}

export class MissedRelocks {
  readonly #clock: Clock;
  readonly #cases = new Map<LockId, Case>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True when the history of the lock is to be read for it. */
  notice(id: LockId, found: MissedRelock): boolean {
    const known = this.#cases.get(id);
    const now = this.#clock.monotonic();
    if (known !== undefined && !isRelockCheckDue(now, known.askedAt, known.vain)) {
      return false;
    }
    this.#cases.set(id, { open: found, askedAt: now, vain: true });
    return true;
  }

  /** Whether one waits for the history of the lock. */
  isOpen(id: LockId): boolean {
    return (this.#cases.get(id)?.open ?? null) !== null;
  }

  /** An event told of that instant: what happened in between was told after all, if late. */
  told(at: Instant, id: LockId): void {
    const known = this.#cases.get(id);
    const open = known?.open ?? null;
    if (known !== undefined && open !== null && at > open.since && at < open.until) {
      known.open = null;
    }
  }

  /** The history was read: when the bolt left without a word, or null. `explainedUntil`: see `leftAt`. */
  judge(id: LockId, entries: readonly HistoryEntry[], explainedUntil: Instant): Instant | null {
    const known = this.#cases.get(id);
    if (known === undefined || known.open === null) {
      return null;
    }
    const at = leftAt(entries, known.open, explainedUntil);
    known.open = null;
    known.vain = at === null;
    return at;
  }

  forget(id: LockId): void {
    this.#cases.delete(id);
  }
}
