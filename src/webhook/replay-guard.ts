// Tells whether an event is new: each has its effect once, across restarts, and one that is too old has none.

import type { ServiceClock } from '../domain/ports.ts';
import type { Instant } from '../domain/time/instant.ts';
import { isCredible, isTooOldToDeliver } from '../domain/time/time.ts';
import type { EventLedger } from '../domain/webhooks/ports.ts';
import type { ServiceEvent } from '../domain/webhooks/service-event.ts';
import { tryDisk } from '../support/files/try-disk.ts';
import type { Log } from '../support/log.ts';

/**
 * `new`: never received. `emitted`: received, and not known to be on the disk yet. `kept`: received, and on the disk.
 * `too-old`: the event is refused.
 */
export type Standing = 'new' | 'emitted' | 'kept' | 'too-old';

/** Ids held in memory at most (faults#48): more than a home sees in a day. The ledger knows all others. */
export const MOST_IDS_HELD = 10_000;

/** Half of the ids held: events that were received one after the other. */
interface Generation {
  /** Tells, by id, whether the event is on the disk. */
  readonly kept: Map<string, boolean>;
  /** When the newest of them happened; 0 when none has a time. */
  newestAt: Instant;
}

export class ReplayGuard {
  readonly #parts;
  #present: Generation = { kept: new Map(), newestAt: 0 };
  #past: Generation = { kept: new Map(), newestAt: 0 };
  /** An event after this instant is in memory if it was ever received: the ledger need not be asked. */
  #forgottenUntil: Instant;

  constructor(parts: {
    readonly ledger: EventLedger;
    readonly serviceClock: ServiceClock;
    readonly log: Log;
  }) {
    this.#parts = parts;
    this.#forgottenUntil = this.#askLedger((ledger) => ledger.newestAt() ?? 0, Number.POSITIVE_INFINITY);
  }

  /** Ids held in memory now; one that was met in both generations counts twice. */
  get held(): number {
    return this.#present.kept.size + this.#past.kept.size;
  }

  /** Judges an event and remembers that it was received. */
  meet(event: ServiceEvent): Standing {
    if (event.at !== null && isTooOldToDeliver(event.at, this.#parts.serviceClock.now())) {
      return 'too-old';
    }
    const held = this.#present.kept.get(event.eventId) ?? this.#past.kept.get(event.eventId);
    const isKept = held ?? this.#isInLedger(event);
    this.#remember(event, isKept);
    if (isKept) {
      return 'kept';
    }
    return held === undefined ? 'new' : 'emitted';
  }

  add(event: ServiceEvent): void {
    this.#remember(event, true);
  }

  /** The event with a credible time, or without one: a future time would let the event be replayed until then. */
  withCredibleTime(event: ServiceEvent): ServiceEvent {
    const now = this.#parts.serviceClock.now();
    return event.at === null || isCredible(event.at, now) ? event : { ...event, at: null };
  }

  #remember({ eventId, at }: ServiceEvent, isKept: boolean): void {
    if (this.#present.kept.size >= MOST_IDS_HELD / 2 && !this.#present.kept.has(eventId)) {
      this.#forgottenUntil = Math.max(this.#forgottenUntil, this.#past.newestAt);
      this.#past = this.#present;
      this.#present = { kept: new Map(), newestAt: 0 };
    }
    this.#present.kept.set(eventId, isKept);
    this.#present.newestAt = Math.max(this.#present.newestAt, at ?? 0);
  }

  #isInLedger(event: ServiceEvent): boolean {
    return event.at !== null && event.at > this.#forgottenUntil
      ? false
      : this.#askLedger((ledger) => ledger.has(event), false);
  }

  /** When the disk fails, an event counts as new: its own time orders it anyway. */
  #askLedger<T>(question: (ledger: EventLedger) => T, unanswered: T): T {
    const { ledger, log } = this.#parts;
    return (
      tryDisk(log, 'The ledger of events could not be read', () => question(ledger), 'debug') ?? unanswered
    );
  }
}
