// Takes in a listing: the reading of each lock, and the absence of known locks.
import { isEmptyBelieved } from '../../domain/locks/absence-policy.ts';
import type { Reported } from '../../domain/locks/event.ts';
import { undoesEvent } from '../../domain/locks/evidence-policy.ts';
import { foundMoved, type Lock, type LockId, unknownLock } from '../../domain/locks/lock.ts';
import { advanceLock } from '../../domain/locks/machine.ts';
import type { Listing, LockReading } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { KnownLocks } from '../locks/known-locks.ts';

export interface ListingReaderParts extends Pick<CommonParts, 'bus' | 'store'> {
  readonly knownLocks: Pick<KnownLocks, 'noteListing'>;
}

export class ListingReader {
  readonly #parts: ListingReaderParts;
  /** When the first of the empty listings in a row was requested; null when the last one was not empty. */
  #emptySince: Instant | null = null;

  constructor(parts: ListingReaderParts) {
    this.#parts = parts;
  }

  /** `in-doubt`: the listing was empty although locks are known, and only a second such one is believed. */
  take({ locks, askedAt, complete }: Listing): 'taken' | 'in-doubt' {
    const { store } = this.#parts;
    const before = new Map(store.all().map((lock) => [lock.id, lock]));
    const known = locks.filter(({ id }) => before.has(id));
    store.applyAll(known.map((reading) => [reading.id, reportOf(reading, askedAt)]));
    for (const { id } of known) {
      this.#noteMove(id, before.get(id));
    }
    const unknown = locks.filter(({ id }) => !before.has(id));
    store.add(
      ...unknown.map((reading) =>
        advanceLock(unknownLock(reading.id, reading.description), reportOf(reading, askedAt)),
      ),
    );
    if (complete && locks.length === 0) {
      return this.#takeEmpty(askedAt);
    }
    this.#emptySince = null;
    if (complete) {
      this.#noteAbsences(new Set(locks.map(({ id }) => id)), askedAt);
    }
    return 'taken';
  }

  #noteMove(id: LockId, before: Lock | undefined): void {
    const { store, bus } = this.#parts;
    const after = store.get(id);
    if (before === undefined || after === undefined) {
      return;
    }
    const to = foundMoved(before, after);
    if (to !== null) {
      const { rest, confirmedAt } = before.belief;
      bus.emit({ type: 'move-found', id, to, since: Math.max(rest?.at ?? 0, confirmedAt ?? 0) });
    }
    if (undoesEvent(before.belief, after.belief)) {
      bus.emit({ type: 'reading-wanted' });
    }
    if (after.belief.disputed && !before.belief.disputed) {
      bus.emit({ type: 'poll-soon' });
    }
  }

  /** An account may lose all its locks, but an empty listing never removes one (faults#34): they do not respond. */
  #takeEmpty(askedAt: Instant): 'taken' | 'in-doubt' {
    const { store } = this.#parts;
    const listedBefore = store.all().filter(({ presence }) => presence !== 'missing');
    if (listedBefore.length === 0) {
      return 'taken';
    }
    if (!isEmptyBelieved(this.#emptySince, askedAt)) {
      this.#emptySince ??= askedAt;
      return 'in-doubt';
    }
    store.applyAll(listedBefore.map(({ id }) => [id, { type: 'missed', at: askedAt }]));
    return 'taken';
  }

  #noteAbsences(listed: ReadonlySet<LockId>, at: Instant): void {
    const { knownLocks, store } = this.#parts;
    const { missing, gone } = knownLocks.noteListing(store.all(), listed, at);
    store.applyAll(missing.map((id) => [id, { type: 'missed', at }]));
    for (const id of gone) {
      store.remove(id);
    }
  }
}

/** The members that a reading and a report have in common: the compiler demands each of them here. */
type SharedFacts = Pick<LockReading, Exclude<keyof LockReading & keyof Reported, 'connected' | 'device'>>;

/** An offline lock's position is as old as its last report, or of unknown age. */
function reportOf(reading: LockReading, askedAt: Instant): Reported {
  const { bolt, battery, wifiDbm, description, device } = reading;
  const facts: SharedFacts = { bolt, battery, wifiDbm, description };
  const offline = reading.connected === false;
  return {
    type: 'reported',
    source: 'poll',
    at: askedAt,
    ...facts,
    ...(device === undefined ? {} : { device }),
    ...(offline ? { boltAt: Math.min(reading.lastConnectedAt ?? 0, askedAt) } : {}),
    ...(reading.connected === null ? {} : { connected: reading.connected }),
  };
}
