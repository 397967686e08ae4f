// Reads what was missed: after a gap the history of each lock of which the service knows something new, one at a time.
//
// It is for the archive alone. Home is shown the present, which a listing has told by then; nobody is alarmed by the past.
import { type BackOff, backOffMs } from '../domain/backoff-policy.ts';
import type { Instant } from '../domain/bolt.ts';
import type { LockId } from '../domain/lock.ts';
import type { HistoryArchive, Listing } from '../domain/ports.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { LatchkeyError, messageOf, WaitError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import type { HistoryBook } from './history-book.ts';

export interface CatchUpParts {
  readonly book: Pick<HistoryBook, 'read'>;
  readonly archive: Pick<HistoryArchive, 'mark' | 'begin'>;
  /** Whether a command is under way: history can wait, a person cannot. */
  readonly busy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Between two calls, and before the first, in milliseconds (our choice): 149 locks take a quarter of an hour. */
const BETWEEN_CALLS_MS = 6_000;

/** One lock is not read again before, in milliseconds (our choice): a lock that comes and goes must not fill the line. */
const SAME_LOCK_AFTER_MS = 300_000;

/** After readings that failed (our choice). */
const BACK_OFF: BackOff = { firstMs: 60_000, longestMs: 3_600_000 };

interface Awaited {
  /** What the service said of the lock in the listing that showed that it has news. */
  readonly updatedAt: Instant | null;
  /** Monotonic milliseconds. */
  readonly notBefore: number;
}

export class HistoryCatchUp {
  readonly #parts: CatchUpParts;
  /** Since when something may have been missed, for all locks and for single ones; the next listing from then on tells. */
  #missedSince: Instant | null = 0;
  readonly #lockMissedSince = new Map<LockId, Instant>();
  readonly #queue = new Map<LockId, Awaited>();
  readonly #readAt = new Map<LockId, number>();
  /** Locks that have a mark for certain. */
  readonly #begun = new Set<LockId>();
  #timer: CancelTimer | null = null;
  #reading = false;
  #failures = 0;
  #disposed = false;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  /** Something may have been missed until that instant, at one lock or at all. */
  missed(until: Instant, lockId?: LockId): void {
    if (lockId === undefined) {
      this.#missedSince = until;
    } else {
      this.#lockMissedSince.set(lockId, until);
    }
  }

  /** A listing has come in: where it is newer than what may have been missed, it tells which locks have news. */
  listed({ askedAt, locks }: Listing): void {
    const everywhere = this.#missedSince !== null && askedAt >= this.#missedSince;
    this.#begin(locks);
    for (const { id, updatedAt } of locks) {
      const here = (this.#lockMissedSince.get(id) ?? Number.POSITIVE_INFINITY) <= askedAt;
      if (here) {
        this.#lockMissedSince.delete(id);
      }
      if ((here || everywhere) && this.#hasNews(id, updatedAt)) {
        this.#enqueue(id, updatedAt);
      }
    }
    if (everywhere) {
      this.#missedSince = null;
    }
    this.#schedule(BETWEEN_CALLS_MS);
  }

  /** The lock is gone. */
  forget(lockId: LockId): void {
    this.#queue.delete(lockId);
    this.#lockMissedSince.delete(lockId);
    this.#readAt.delete(lockId);
    this.#begun.delete(lockId);
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.();
  }

  /** Nothing can have been missed of a lock before it was known: what it did then is read when somebody asks. */
  #begin(locks: Listing['locks']): void {
    const unknown = locks.filter(({ id }) => !this.#begun.has(id));
    if (unknown.length === 0) {
      return;
    }
    try {
      this.#parts.archive.begin(unknown.map(({ id, updatedAt }) => ({ lockId: id, updatedAt })));
      for (const { id } of unknown) {
        this.#begun.add(id);
      }
    } catch (error) {
      this.#parts.log.debug(`It could not be noted from where a history begins: ${messageOf(error)}`);
    }
  }

  /** Only where the service knows something new; where it does not say, it may. */
  #hasNews(id: LockId, updatedAt: Instant | null): boolean {
    try {
      return updatedAt === null || this.#parts.archive.mark(id) !== updatedAt;
    } catch (error) {
      this.#parts.log.debug(`It is not known how far a history was read: ${messageOf(error)}`);
      return false;
    }
  }

  #enqueue(id: LockId, updatedAt: Instant | null): void {
    const readAt = this.#readAt.get(id) ?? Number.NEGATIVE_INFINITY;
    this.#queue.set(id, { updatedAt, notBefore: readAt + SAME_LOCK_AFTER_MS });
  }

  #schedule(afterMs: number): void {
    if (this.#disposed || this.#reading || this.#timer !== null || this.#queue.size === 0) {
      return;
    }
    const earliest = Math.min(...[...this.#queue.values()].map(({ notBefore }) => notBefore));
    const waitMs = Math.max(afterMs, earliest - this.#parts.clock.monotonic());
    this.#timer = this.#parts.clock.after(waitMs, () => {
      this.#timer = null;
      void this.#readNext();
    });
  }

  async #readNext(): Promise<void> {
    const now = this.#parts.clock.monotonic();
    const next = [...this.#queue].find(([, { notBefore }]) => notBefore <= now);
    if (next === undefined || this.#parts.busy()) {
      this.#schedule(BETWEEN_CALLS_MS);
      return;
    }
    const [id, { updatedAt }] = next;
    this.#queue.delete(id);
    this.#reading = true;
    const pauseMs = await this.#read(id, updatedAt);
    this.#reading = false;
    this.#schedule(pauseMs);
  }

  /** How long to pause afterwards, in milliseconds. */
  async #read(id: LockId, updatedAt: Instant | null): Promise<number> {
    try {
      await this.#parts.book.read(id, updatedAt);
      this.#failures = 0;
      this.#readAt.set(id, this.#parts.clock.monotonic());
      return BETWEEN_CALLS_MS;
    } catch (error) {
      this.#parts.log.debug(`The history of a lock could not be read: ${messageOf(error)}`);
      const passes = error instanceof LatchkeyError && ['retry', 'wait'].includes(error.disposition);
      if (!passes) {
        // The next gap, or whoever asks, tries again; the mark still says that it is to be read.
        return BETWEEN_CALLS_MS;
      }
      this.#queue.set(id, { updatedAt, notBefore: 0 });
      this.#failures += 1;
      const askedMs = error instanceof WaitError ? error.waitMs : null;
      return askedMs ?? backOffMs(this.#failures, BACK_OFF);
    }
  }
}
