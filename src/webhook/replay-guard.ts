// Whether an event is news: each has its effect once, across restarts, and what is too old has none.
import type { Instant } from '../domain/bolt.ts';
import type { EventLedger, ServiceClock } from '../domain/ports.ts';
import type { ServiceEvent } from '../domain/service-event.ts';
import { isCredible, isTooOldToDeliver } from '../domain/time.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { type Fingerprint, fingerprintOf, SeenIds } from './seen-ids.ts';

/**
 * `news`: never heard of. `told`: heard of, and not known to be on the disk yet. `kept`: heard of, and on the disk.
 * `too-old`: not to be heard of.
 */
export type Standing = 'news' | 'told' | 'kept' | 'too-old';

/** Ids held in memory at most (faults#48): more than a house sees in a day. All others are asked of the ledger. */
export const MOST_IDS_HELD = 10_000;

/** Half of what is held: events that were met one after the other. */
interface Stretch {
  readonly ids: SeenIds;
  /** When the newest of them happened; 0 when none said so. */
  newestAt: Instant;
}

export interface ReplayGuardParts {
  readonly ledger: EventLedger;
  readonly serviceClock: ServiceClock;
  readonly log: Log;
}

export class ReplayGuard {
  readonly #parts: ReplayGuardParts;
  /** Half of the ids at most: those that were met last. */
  #present = emptyStretch();
  /** The half before them. */
  #past = emptyStretch();
  /** What happened later than this is held in memory if it was ever met: the disk need not be asked. */
  #forgottenUntil: Instant;

  constructor(parts: ReplayGuardParts) {
    this.#parts = parts;
    this.#forgottenUntil = this.#askLedger((ledger) => ledger.newestAt() ?? 0, Number.POSITIVE_INFINITY);
  }

  /** Ids held in memory now; one that was met in both halves counts twice. */
  get held(): number {
    return this.#present.ids.size + this.#past.ids.size;
  }

  /** Judges an event and remembers that it was heard of. */
  meet(event: ServiceEvent): Standing {
    const { eventId, at } = event;
    if (at !== null && isTooOldToDeliver(at, this.#parts.serviceClock.now())) {
      return 'too-old';
    }
    const fingerprint = fingerprintOf(eventId);
    const held = this.#present.ids.get(fingerprint) ?? this.#past.ids.get(fingerprint);
    const kept = held ?? (this.#isInLedger(event) || null);
    this.#hold(fingerprint, at, kept ?? false);
    return kept === null ? 'news' : kept ? 'kept' : 'told';
  }

  /** The event is on the disk. */
  keep({ eventId, at }: ServiceEvent): void {
    this.#hold(fingerprintOf(eventId), at, true);
  }

  /** The event with a time that can be true, or without one: a time to come would let it be repeated until then. */
  withCredibleTime(event: ServiceEvent): ServiceEvent {
    const now = this.#parts.serviceClock.now();
    return event.at === null || isCredible(event.at, now) ? event : { ...event, at: null };
  }

  #hold(fingerprint: Fingerprint, at: Instant | null, kept: boolean): void {
    if (this.#present.ids.size >= MOST_IDS_HELD / 2 && this.#present.ids.get(fingerprint) === null) {
      this.#beginStretch();
    }
    this.#present.ids.set(fingerprint, kept);
    this.#present.newestAt = Math.max(this.#present.newestAt, at ?? 0);
  }

  /** The older half is forgotten, and its memory is used again. */
  #beginStretch(): void {
    const emptied = this.#past;
    this.#forgottenUntil = Math.max(this.#forgottenUntil, emptied.newestAt);
    this.#past = this.#present;
    this.#present = emptied;
    emptied.ids.clear();
    emptied.newestAt = 0;
  }

  #isInLedger(event: ServiceEvent): boolean {
    return event.at !== null && event.at > this.#forgottenUntil
      ? false
      : this.#askLedger((ledger) => ledger.has(event), false);
  }

  /** When the disk cannot tell, an event is news: what it says is ordered by its own time anyway. */
  #askLedger<T>(question: (ledger: EventLedger) => T, unanswered: T): T {
    try {
      return question(this.#parts.ledger);
    } catch (error) {
      this.#parts.log.debug(`The ledger of events could not be read: ${messageOf(error)}`);
      return unanswered;
    }
  }
}

function emptyStretch(): Stretch {
  return { ids: new SeenIds(MOST_IDS_HELD / 2), newestAt: 0 };
}
