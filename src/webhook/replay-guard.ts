// Whether an event is news: each has its effect once, across restarts, and what is too old has none.
import type { Instant } from '../domain/bolt.ts';
import type { EventLedger, ServiceClock } from '../domain/ports.ts';
import type { ServiceEvent } from '../domain/service-event.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

/**
 * `news`: never heard of. `told`: heard of, and not known to be on the disk yet. `kept`: heard of, and on the disk.
 * `too-old`: not to be heard of.
 */
export type Standing = 'news' | 'told' | 'kept' | 'too-old';

/** The service gives up after 24 hours (wire contract 7, delivery rules); an hour is for clocks that disagree. */
const OLDEST_MS = 25 * 3_600_000;

/** An event cannot be from further ahead than clocks disagree (our choice). */
const MOST_AHEAD_MS = 5 * 60_000;

/** Ids held in memory (faults#48): more than a house sees in a day. All others are asked of the ledger. */
export const MOST_IDS_HELD = 10_000;

export class ReplayGuard {
  readonly #ledger: EventLedger;
  readonly #serviceClock: ServiceClock;
  readonly #log: Log;
  /** Whether each is on the disk; the one that was met last is at the end. */
  readonly #ids = new Map<string, boolean>();

  constructor({
    ledger,
    serviceClock,
    log,
  }: {
    readonly ledger: EventLedger;
    readonly serviceClock: ServiceClock;
    readonly log: Log;
  }) {
    this.#ledger = ledger;
    this.#serviceClock = serviceClock;
    this.#log = log;
  }

  /** Ids held in memory now. */
  get held(): number {
    return this.#ids.size;
  }

  /** Judges an event and remembers that it was heard of. */
  meet({ eventId, at }: ServiceEvent): Standing {
    if (at !== null && this.#serviceClock.now() - at > OLDEST_MS) {
      return 'too-old';
    }
    const kept = this.#ids.get(eventId) ?? (this.#isInLedger(eventId) || null);
    this.#hold(eventId, kept ?? false);
    return kept === null ? 'news' : kept ? 'kept' : 'told';
  }

  /** The event is on the disk. */
  keep(eventId: string): void {
    this.#hold(eventId, true);
  }

  /** The event with a time that can be true, or without one: a time to come would let it be repeated until then. */
  withCredibleTime(event: ServiceEvent): ServiceEvent {
    const latest: Instant = this.#serviceClock.now() + MOST_AHEAD_MS;
    return event.at !== null && event.at > latest ? { ...event, at: null } : event;
  }

  #hold(eventId: string, kept: boolean): void {
    this.#ids.delete(eventId);
    this.#ids.set(eventId, kept);
    if (this.#ids.size > MOST_IDS_HELD) {
      const [oldest = ''] = this.#ids.keys();
      this.#ids.delete(oldest);
    }
  }

  /** When the disk cannot tell, the event is news: what it says is ordered by its own time anyway. */
  #isInLedger(eventId: string): boolean {
    try {
      return this.#ledger.has(eventId);
    } catch (error) {
      this.#log.debug(`The ledger of events could not be read: ${messageOf(error)}`);
      return false;
    }
  }
}
