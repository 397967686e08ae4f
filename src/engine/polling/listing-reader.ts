// Takes in a listing: the reading of each lock, and the absence of known locks.
import { isEmptyBelieved } from '../../domain/locks/absence-policy.ts';
import type { Reported } from '../../domain/locks/event.ts';
import { undoesEvent } from '../../domain/locks/evidence-policy.ts';
import { boltOf, foundMoved, type Lock, type LockId, unknownLock } from '../../domain/locks/lock.ts';
import { advanceLock } from '../../domain/locks/machine.ts';
import type { Listing, LockReading } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { LEFT_OUT_FOR_MS } from '../../domain/time/time.ts';
import type { CancelTimer } from '../../support/clock.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { KnownLocks } from '../locks/known-locks.ts';

export class ListingReader {
  readonly #parts;
  /** When the first of the empty listings in a row was requested; null when the last one was not empty. */
  #emptySince: Instant | null = null;
  /** Locks that were left out by a list of which a part is missing, and are unknown soon. */
  readonly #leftOut = new Map<LockId, CancelTimer>();
  /** As the disk has it; null before it was needed. */
  #unreadBeside: number | null = null;

  constructor(
    parts: Pick<CommonParts, 'bus' | 'store' | 'clock'> & {
      readonly knownLocks: Pick<KnownLocks, 'noteListing' | 'find' | 'unreadBeside' | 'noteUnreadBeside'>;
    },
  ) {
    this.#parts = parts;
  }

  /** `in-doubt`: the listing was empty although locks are known, and only a second such one is believed. */
  take({ locks, askedAt, unread }: Listing): 'taken' | 'in-doubt' {
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
    for (const { id } of locks) {
      this.#leftOut.get(id)?.();
      this.#leftOut.delete(id);
    }
    if (unread === 0 && locks.length === 0) {
      return this.#takeEmpty(askedAt);
    }
    this.#emptySince = null;
    const listed = new Set(locks.map(({ id }) => id));
    if (this.#provesAbsence(listed, unread)) {
      this.#noteAbsences(listed, askedAt);
    } else {
      this.#leaveOut(listed, askedAt);
    }
    return 'taken';
  }

  dispose(): void {
    for (const cancel of this.#leftOut.values()) {
      cancel();
    }
  }

  /** A member that cannot be read may be a lock that is absent, unless it was there beside all of them (faults#183). */
  #provesAbsence(listed: ReadonlySet<LockId>, unread: number): boolean {
    if (!Number.isFinite(unread)) {
      return false;
    }
    const { knownLocks } = this.#parts;
    let beside = this.#unreadBeside ?? knownLocks.unreadBeside();
    if (unread !== beside && this.#newlyAbsent(listed).length === 0) {
      knownLocks.noteUnreadBeside(unread);
      beside = unread;
    }
    this.#unreadBeside = beside;
    return unread <= beside;
  }

  /** Locks that a list does not have, and that were not found to be absent before. */
  #newlyAbsent(listed: ReadonlySet<LockId>): readonly Lock[] {
    const { store, knownLocks } = this.#parts;
    const absent = store.all().filter(({ id, presence }) => !listed.has(id) && presence !== 'missing');
    return absent.filter(({ id }) => (knownLocks.find(id)?.misses ?? 0) === 0);
  }

  /** A list says nothing of the locks that it leaves out. Where it is one fault of the service, the next list has them again. */
  #leaveOut(listed: ReadonlySet<LockId>, at: Instant): void {
    const { store, clock, bus } = this.#parts;
    const absent = store.all().filter(({ id, presence }) => !listed.has(id) && presence !== 'missing');
    for (const { id } of absent.filter((lock) => !this.#leftOut.has(lock.id))) {
      const cancel = clock.after(LEFT_OUT_FOR_MS, () => {
        this.#leftOut.delete(id);
        store.apply(id, { type: 'left-out', at });
      });
      this.#leftOut.set(id, cancel);
    }
    if (absent.some((lock) => boltOf(lock) !== 'unknown')) {
      bus.emit({ type: 'reading-wanted' });
    }
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
