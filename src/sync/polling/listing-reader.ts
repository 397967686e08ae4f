// Takes a listing in: what it says of each lock, what it does not say, and what it says again in the same words.
import type { Instant } from '../../domain/bolt.ts';
import { foundMoved, type Lock, type LockId, unknownLock } from '../../domain/lock.ts';
import type { Reported } from '../../domain/lock-event.ts';
import { advanceLock, refreshUnchanged } from '../../domain/lock-machine.ts';
import type { Listing, LockReading } from '../../domain/ports.ts';
import type { WebhookMonitor } from '../events/webhook-monitor.ts';
import type { KnownLocks } from '../state/known-locks.ts';
import type { LockStore } from '../state/lock-store.ts';

export interface ListingReaderParts {
  readonly store: LockStore;
  readonly knownLocks: Pick<KnownLocks, 'noteListing'>;
  readonly webhooks: Pick<WebhookMonitor, 'foundByPoll'>;
}

/** A listing that was taken in, and what each of its locks was then. */
interface Taken {
  readonly locks: readonly LockReading[];
  readonly listed: ReadonlySet<LockId>;
  readonly askedAt: Instant;
  readonly became: readonly (Lock | undefined)[];
}

export class ListingReader {
  readonly #parts: ListingReaderParts;
  #last: Taken | null = null;

  constructor(parts: ListingReaderParts) {
    this.#parts = parts;
  }

  take(listing: Listing): void {
    const taken =
      this.#last?.locks === listing.locks ? this.#again(this.#last, listing) : this.#anew(listing);
    this.#last = taken;
    // An empty list is more often a fault of the service than a house without doors: nothing is concluded from it.
    if (listing.complete && listing.locks.length > 0) {
      this.#noteAbsences(taken.listed, listing.askedAt);
    }
  }

  #anew({ locks, askedAt }: Listing): Taken {
    const became = locks.map((reading) => this.#read(reading, askedAt));
    return { locks, listed: new Set(locks.map(({ id }) => id)), askedAt, became };
  }

  /** The very same words: what nobody has touched since is only fresher, which is all that a quiet house hears. */
  #again({ locks, listed, askedAt: toldAt, became }: Taken, { askedAt }: Listing): Taken {
    const { store } = this.#parts;
    const now = locks.map((reading, index): Lock | null => {
      const lock = store.get(reading.id);
      const untouched = lock !== undefined && lock === became[index] && reading.connected !== null;
      return untouched ? refreshUnchanged(lock, { bolt: reading.bolt, at: toldAt }, askedAt) : null;
    });
    store.refresh(now.filter((lock) => lock !== null));
    return {
      locks,
      listed,
      askedAt,
      became: locks.map((reading, index) => now[index] ?? this.#read(reading, askedAt)),
    };
  }

  #read(reading: LockReading, askedAt: Instant): Lock | undefined {
    const { store, webhooks } = this.#parts;
    const report = reportOf(reading, askedAt);
    const before = store.get(reading.id);
    if (before === undefined) {
      store.add(advanceLock(unknownLock(reading.id, reading.description), report));
      return store.get(reading.id);
    }
    store.apply(reading.id, report);
    const after = store.get(reading.id);
    const found = after === undefined ? null : foundMoved(before, after);
    if (found !== null) {
      webhooks.foundByPoll(reading.id, found);
    }
    return after;
  }

  #noteAbsences(listed: ReadonlySet<LockId>, at: Instant): void {
    const { knownLocks, store } = this.#parts;
    const { missing, gone } = knownLocks.noteListing(store.all(), listed, at);
    for (const id of missing) {
      store.apply(id, { type: 'missed', at });
    }
    for (const id of gone) {
      store.remove(id);
    }
  }
}

/** An offline lock's position is as old as its last word, or of no known age at all. */
function reportOf(reading: LockReading, askedAt: Instant): Reported {
  const offline = reading.connected === false;
  return {
    type: 'reported',
    source: 'poll',
    at: askedAt,
    bolt: reading.bolt,
    battery: reading.battery,
    description: reading.description,
    ...(offline ? { boltAt: Math.min(reading.lastHeardAt ?? 0, askedAt) } : {}),
    ...(reading.connected === null ? {} : { connected: reading.connected }),
  };
}
