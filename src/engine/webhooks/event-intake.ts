// Takes in events of the service: verified ones are evidence, all others only cause a reading.

import type { CommandReading } from '../../domain/commands/command.ts';
import { refusalHandling } from '../../domain/commands/refusal.ts';
import { type AttributionFacts, attributeMove } from '../../domain/history/move-attribution-policy.ts';
import { isBoltPosition } from '../../domain/locks/bolt.ts';
import type { Reported } from '../../domain/locks/event.ts';
import { raisesDoubt } from '../../domain/locks/evidence-policy.ts';
import type { Lock, LockId } from '../../domain/locks/lock.ts';
import { type Instant } from '../../domain/time/instant.ts';
import { isLate, isPlaceable, REPORTED_WITHIN_MS } from '../../domain/time/time.ts';
import type { TrustedEvent } from '../../domain/webhooks/ports.ts';
import {
  type AlertReport,
  type BoltReport,
  isAlert,
  type ServiceEvent,
} from '../../domain/webhooks/service-event.ts';
import type { CancelTimer } from '../../support/clock.ts';
import type { LockCommands } from '../commands/lock-commands.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { WebhookMonitor } from './monitor.ts';

/** Unverified events cause at most one listing in this time, in milliseconds (a rule of the project). */
const UNVERIFIED_READS_EVERY_MS = 10_000;

export class EventIntake {
  readonly #parts;
  /** The latest date of the events of a lock that are ahead of the clock. */
  readonly #aheadUntil = new Map<LockId, Instant>();
  #lastUnverifiedRead: number | null = null;
  #trailingRead: CancelTimer | null = null;
  /** Verified events that were understood and changed nothing. */
  readonly ignored = { foreign: 0, unrecognised: 0 };

  constructor(
    parts: CommonParts & {
      readonly webhooks: WebhookMonitor;
      /** What tells who made a move. */
      readonly attribution: (lockId: LockId) => AttributionFacts;
      readonly commands: Pick<LockCommands, 'ended'>;
    },
  ) {
    this.#parts = parts;
  }

  /** Takes one event in. Its effect is complete when this returns. */
  take({ event, trust }: TrustedEvent): void {
    const { link } = this.#parts;
    if (trust === 'unverified') {
      this.#parts.bus.emit({ type: 'unverified-received' });
      this.#readSparingly();
      return;
    }
    if (link.state() !== 'linked') {
      this.ignored.foreign += 1;
      this.#parts.log.debug('An event was ignored, because no account is connected.');
      return;
    }
    if (event.type === 'signed-out') {
      if (event.at === null || !link.signedOut(event.userId, event.at)) {
        // A listing shows whether the sign-out ended our link.
        this.#read();
      }
      return;
    }
    this.#takeOfLock(event);
  }

  #takeOfLock(event: ServiceEvent): void {
    const lock = event.lockId === null ? undefined : this.#parts.store.get(event.lockId);
    const isListed = lock !== undefined && lock.presence !== 'missing';
    if (isListed) {
      // A subscription of another client may lead here as well: only an event of our own locks proves that ours works.
      this.#parts.webhooks.proved(lock.id);
      this.#parts.link.signOfLife();
    }
    if (event.type === 'unrecognised') {
      this.ignored.unrecognised += 1;
    } else if (!isListed) {
      // The lock belongs to another account, is new, or is about to return: only a listing can show which, and one that is under
      // way may be older than the event.
      this.ignored.foreign += 1;
      this.#readSparingly();
    } else if (event.at === null) {
      // The event could be a repeat, so it proves nothing about now.
      this.#readFor(event);
    } else if (this.#isPlaceable(lock.id, event.at)) {
      this.#placed(event, lock, event.at);
    } else {
      this.#unplaceable(event, lock.id);
    }
  }

  #placed(event: ServiceEvent, { id }: Lock, at: Instant): void {
    const { bus, serviceClock, attribution } = this.#parts;
    serviceClock.received(at);
    const received = attributeMove(event, at, attribution(id));
    this.#learn(received, id, at);
    bus.emit({ type: 'event-received', event: { ...received, at, lockId: id } });
  }

  /**
   * Neither ahead of the service's clock, nor before an event of the same lock that was: that one cannot be overtaken. A date
   * from further ahead than a delivery takes is wrong, and orders no other.
   */
  #isPlaceable(id: LockId, at: Instant): boolean {
    const bounds = this.#parts.serviceClock.bounds();
    const isBehind = at <= (this.#aheadUntil.get(id) ?? Number.NEGATIVE_INFINITY);
    if (!isBehind && isPlaceable(at, bounds)) {
      return true;
    }
    if (!isBehind && at - bounds.latest <= REPORTED_WITHIN_MS) {
      this.#aheadUntil.set(id, at);
    }
    return false;
  }

  /**
   * An event that is dated ahead of the service's clock has no known order: one of the two dates is wrong. The readings that it
   * causes settle that, and the changes found then are expected. An alert needs no order.
   */
  #unplaceable(event: ServiceEvent, id: LockId): void {
    const { bus, serviceClock, store } = this.#parts;
    if (isAlert(event.type)) {
      bus.publish({ type: 'alert', id, alert: event.type, at: serviceClock.now() });
      return;
    }
    if (event.type === 'bolt' && event.bolt === 'secured') {
      store.apply(id, { type: 'order-unknown' });
    }
    bus.emit({ type: 'unverified-received' });
    this.#readFor(event);
  }

  #learn(event: ServiceEvent, id: LockId, at: Instant): void {
    switch (event.type) {
      case 'bolt':
        return this.#boltMoved(event, id, at);
      case 'connectivity':
        return this.#connectivityChanged(event.connected, id, at);
      case 'battery':
        return this.#report(id, { at, battery: event.battery });
      case 'command-ended':
        return this.#commandEnded(event.reading, id, at);
      case 'wrong-code':
      case 'keypad-locked-out':
      case 'alarm':
        return this.#alerted(event.type, id, at);
      // Access codes are read on demand.
      case 'code-added':
      case 'code-updated':
      case 'code-deleted':
      case 'signed-out':
      case 'unrecognised':
        return;
    }
  }

  #boltMoved({ bolt, accessor }: BoltReport, id: LockId, at: Instant): void {
    const { store, webhooks, serviceClock } = this.#parts;
    const lock = store.get(id);
    if (bolt === null || lock === undefined) {
      this.#readClosely(at);
      return;
    }
    const doubtful = raisesDoubt(lock.belief, { source: 'event', bolt, at }, serviceClock.now());
    this.#report(id, { at, bolt, ...(accessor === null ? {} : { accessor }) });
    if (isBoltPosition(bolt)) {
      webhooks.announced(id, bolt);
    }
    if (doubtful || !isBoltPosition(bolt) || accessor?.method === 'unavailable') {
      this.#readClosely(at);
    }
  }

  /** After an outage the service repeats old events: they belong to the history and raise no alert. */
  #alerted(alert: AlertReport['type'], id: LockId, at: Instant): void {
    if (!isLate(at, this.#parts.serviceClock.now())) {
      this.#parts.bus.publish({ type: 'alert', id, alert, at });
    }
  }

  /** Events during a disconnection are not sent: after a return the present state is read. */
  #connectivityChanged(connected: boolean | null, id: LockId, at: Instant): void {
    if (connected !== null) {
      this.#report(id, { at, connected });
    }
    if (connected !== false) {
      this.#readClosely(at);
    }
  }

  /** The end of another client's command proves only one thing: that the bolt is jammed. */
  #commandEnded(reading: CommandReading, id: LockId, at: Instant): void {
    if (this.#parts.commands.ended(id, reading, at)) {
      return;
    }
    if (reading.state === 'failed' && refusalHandling(reading.reason) === 'jammed') {
      this.#report(id, { at, bolt: 'jammed' });
    } else {
      this.#readClosely(at);
    }
  }

  #report(id: LockId, said: Omit<Reported, 'type' | 'source'>): void {
    this.#parts.store.apply(id, { type: 'reported', source: 'event', ...said });
  }

  #read(): void {
    this.#parts.bus.emit({ type: 'reading-wanted' });
  }

  #readFor({ type, at }: ServiceEvent): void {
    if (type === 'bolt' || type === 'connectivity' || type === 'command-ended') {
      this.#readClosely(at);
    } else {
      this.#read();
    }
  }

  /** Something changed at the lock, and only listings can say what: they may lag behind, so one alone proves nothing (faults#140). */
  #readClosely(at: Instant | null): void {
    this.#read();
    if (at === null || !isLate(at, this.#parts.serviceClock.now())) {
      this.#parts.bus.emit({ type: 'poll-soon' });
    }
  }

  /** Causes a reading at once, or at the end of the pause after the last one, so that the latest event counts, too. */
  #readSparingly(): void {
    if (this.#trailingRead !== null) {
      return;
    }
    const sinceLastMs =
      this.#parts.clock.monotonic() - (this.#lastUnverifiedRead ?? -UNVERIFIED_READS_EVERY_MS);
    this.#trailingRead = this.#parts.clock.after(UNVERIFIED_READS_EVERY_MS - sinceLastMs, () => {
      this.#trailingRead = null;
      this.#lastUnverifiedRead = this.#parts.clock.monotonic();
      this.#read();
    });
  }

  dispose(): void {
    this.#trailingRead?.();
  }
}
