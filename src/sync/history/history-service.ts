// The past of a house's locks: what was told of it as it happened, and what has to be read because nobody told.
import type { Instant } from '../../domain/bolt.ts';
import type { HistoryQuestion } from '../../domain/history.ts';
import type { LockId } from '../../domain/lock.ts';
import { missedRelock } from '../../domain/missed-event-policy.ts';
import type { HistoryArchive, Listing, LockHistory, ServiceClock } from '../../domain/ports.ts';
import type { ServiceEvent } from '../../domain/service-event.ts';
import type { Clock } from '../../support/clock.ts';
import type { Log } from '../../support/log.ts';
import type { LockChange } from '../state/lock-store.ts';
import { HistoryCatchUp } from './history-catch-up.ts';
import { type Historian, type HistoryAnswer, HistoryReader } from './history-reader.ts';

/** Who remembers the past: the service for a while, the archive for longer. */
export interface Memory {
  readonly service: LockHistory;
  readonly archive: HistoryArchive;
}

export interface HistoryServiceParts extends Memory {
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly log: Log;
  /** Whether a command is under way. */
  readonly busy: () => boolean;
  /** Whether webhooks are proven. */
  readonly relied: () => boolean;
  /** A bolt moved at that instant, and no event and no command of ours explains it. */
  readonly unannounced: (lockId: LockId, at: Instant) => void;
}

export class HistoryService implements Historian {
  readonly #serviceClock: ServiceClock;
  readonly #book: HistoryReader;
  readonly #catchUp: HistoryCatchUp;

  constructor(parts: HistoryServiceParts) {
    this.#serviceClock = parts.serviceClock;
    this.#book = new HistoryReader(parts);
    this.#catchUp = new HistoryCatchUp({ ...parts, book: this.#book });
  }

  async history(lockId: LockId, question: HistoryQuestion): Promise<HistoryAnswer> {
    return this.#book.history(lockId, question);
  }

  /** A verified event. One that does not say who moved the bolt is about a time when the lock was out of reach. */
  heard(event: ServiceEvent): void {
    this.#book.told(event);
    const { lockId, at } = event;
    if (lockId === null || at === null) {
      return;
    }
    this.#catchUp.told(at, lockId);
    if (event.type === 'bolt' && event.accessor?.method === 'unavailable') {
      this.#missedUntil(at, lockId);
    }
  }

  /** Something came in that nothing proves: whatever happened until now may have been announced by it. */
  hinted(): void {
    this.#catchUp.explained(this.#serviceClock.now());
  }

  /** Webhooks may have been missed until now. */
  gap(): void {
    this.#catchUp.missed(this.#serviceClock.now());
  }

  listed(listing: Listing): void {
    this.#catchUp.listed(listing);
  }

  happened(event: LockChange): void {
    if (event.type === 'lock-removed') {
      this.#catchUp.forget(event.id);
      this.#book.forget(event.id);
    } else if (event.type === 'lock-changed') {
      const { lock, previous } = event;
      const found = missedRelock(previous, lock);
      if (found !== null) {
        this.#catchUp.returned(lock.id, found);
      }
      if (previous.presence !== 'reachable' && lock.presence === 'reachable') {
        this.#missedUntil(lock.presenceAt, lock.id);
      }
      if (lock.inFlight !== null) {
        this.#catchUp.explained(lock.inFlight.until ?? this.#serviceClock.now(), lock.id);
      }
    }
  }

  /** What was told is kept; what was not read is, by whoever comes next. */
  dispose(): void {
    this.#catchUp.dispose();
    this.#book.keepReported();
  }

  /** What has just happened may seem to be ahead of our time of the service; a listing that is asked now has seen it. */
  #missedUntil(at: Instant, lockId: LockId): void {
    this.#catchUp.missed(Math.min(at, this.#serviceClock.now()), lockId);
  }
}
