// Histories that are to be read, one lock at a time: people's commands go first, and failures make it ever more patient.
import { type BackOff, backOffMs } from '../../domain/backoff-policy.ts';
import type { Instant } from '../../domain/bolt.ts';
import type { LockId } from '../../domain/lock.ts';
import { SAME_LOCK_AFTER_MS } from '../../domain/missed-event-policy.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { messageOf, WaitError } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { mayGoWellLater } from './history-reader.ts';

export interface HistoryQueueParts {
  /** Reads the history of a lock. Rejects as the service does. */
  readonly read: (id: LockId, updatedAt: Instant | null) => Promise<void>;
  /** Whether a command is under way: history can wait, a person cannot. */
  readonly busy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Between two calls, and before the first, in milliseconds (our choice): 149 locks take a quarter of an hour. */
const BETWEEN_CALLS_MS = 6_000;

/** After readings that failed (our choice). */
const BACK_OFF: BackOff = { firstMs: 60_000, longestMs: 3_600_000 };

interface Awaited {
  /** What the service said of the lock in the listing that showed that it has news. */
  readonly updatedAt: Instant | null;
  /** Monotonic milliseconds. */
  readonly notBefore: number;
}

export class HistoryQueue {
  readonly #parts: HistoryQueueParts;
  readonly #awaited = new Map<LockId, Awaited>();
  readonly #readAt = new Map<LockId, number>();
  #timer: CancelTimer | null = null;
  #reading = false;
  #failures = 0;
  #disposed = false;

  constructor(parts: HistoryQueueParts) {
    this.#parts = parts;
  }

  /** When a lock was read last, by the monotonic clock; null when it was not, or could not be for now. */
  readAt(id: LockId): number | null {
    return this.#readAt.get(id) ?? null;
  }

  add(id: LockId, updatedAt: Instant | null): void {
    const readAt = this.#readAt.get(id) ?? Number.NEGATIVE_INFINITY;
    this.#awaited.set(id, { updatedAt, notBefore: readAt + SAME_LOCK_AFTER_MS });
    this.#schedule(BETWEEN_CALLS_MS);
  }

  /** The lock need not be read any more. */
  drop(id: LockId): void {
    this.#awaited.delete(id);
  }

  /** The lock is gone. */
  forget(id: LockId): void {
    this.#awaited.delete(id);
    this.#readAt.delete(id);
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.();
  }

  #schedule(afterMs: number): void {
    if (this.#disposed || this.#reading || this.#timer !== null || this.#awaited.size === 0) {
      return;
    }
    const earliest = Math.min(...[...this.#awaited.values()].map(({ notBefore }) => notBefore));
    const waitMs = Math.max(afterMs, earliest - this.#parts.clock.monotonic());
    this.#timer = this.#parts.clock.after(waitMs, () => {
      this.#timer = null;
      void this.#readNext();
    });
  }

  async #readNext(): Promise<void> {
    const now = this.#parts.clock.monotonic();
    const next = [...this.#awaited].find(([, { notBefore }]) => notBefore <= now);
    if (next === undefined || this.#parts.busy()) {
      this.#schedule(BETWEEN_CALLS_MS);
      return;
    }
    const [id, { updatedAt }] = next;
    this.#awaited.delete(id);
    this.#reading = true;
    const pauseMs = await this.#read(id, updatedAt);
    this.#reading = false;
    this.#schedule(pauseMs);
  }

  /** How long to pause afterwards, in milliseconds. */
  async #read(id: LockId, updatedAt: Instant | null): Promise<number> {
    try {
      await this.#parts.read(id, updatedAt);
    } catch (error) {
      this.#parts.log.debug(`The history of a lock could not be read: ${messageOf(error)}`);
      if (mayGoWellLater(error)) {
        this.#awaited.set(id, { updatedAt, notBefore: 0 });
        this.#failures += 1;
        const askedMs = error instanceof WaitError ? error.waitMs : null;
        return askedMs ?? backOffMs(this.#failures, BACK_OFF);
      }
      // Whoever asks, or the next reason, tries again; the mark still says that it is to be read.
      this.#readAt.set(id, this.#parts.clock.monotonic());
      return BETWEEN_CALLS_MS;
    }
    this.#failures = 0;
    this.#readAt.set(id, this.#parts.clock.monotonic());
    return BETWEEN_CALLS_MS;
  }
}
