// What the service tells on its own, brought into the house: verified events are evidence, all others only a reason to ask.
import { type Instant, isBoltPosition } from '../../domain/bolt.ts';
import type { CommandReading } from '../../domain/command.ts';
import { raisesDoubt } from '../../domain/evidence-policy.ts';
import type { LockId } from '../../domain/lock.ts';
import type { Reported } from '../../domain/lock-event.ts';
import type { LinkPerson, ServiceClock, TrustedEvent } from '../../domain/ports.ts';
import { refusalHandling } from '../../domain/refusal.ts';
import type { AlertReport, BoltReport, ServiceEvent } from '../../domain/service-event.ts';
import type { IgnoredEvents } from '../../domain/webhook-report.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import type { Log } from '../../support/log.ts';
import type { LockStore } from '../state/lock-store.ts';
import { MoveAttribution } from './move-attribution.ts';
import type { WebhookMonitor } from './webhook-monitor.ts';

export interface IntakeParts {
  readonly store: LockStore;
  readonly webhooks: WebhookMonitor;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly person: LinkPerson;
  readonly log: Log;
  /** Whether an account is linked: what the service goes on telling without one is nobody's business here. */
  readonly isLinked: () => boolean;
  /** The present state is to be asked for now. */
  readonly read: () => void;
  /** What was true before that instant is no longer fresh. */
  readonly staleBefore: () => Instant;
  /** A person signed out everywhere; false when it is not certain that this ended the link. */
  readonly signedOut: (userId: string | null, at: Instant) => boolean;
  /** A command has ended; false when it is none of ours. */
  readonly commandEnded: (id: LockId, reading: CommandReading, at: Instant) => boolean;
  /** A verified event about a lock of this account that says when it happened. */
  readonly heard: (event: ServiceEvent) => void;
  /** Something came in that nothing proves. */
  readonly hinted: () => void;
  readonly alert: (id: LockId, alert: AlertReport['type'], at: Instant) => void;
}

/** Events that nothing proves cause one listing in this time at the most, in milliseconds (a rule of the house). */
const UNVERIFIED_READS_EVERY_MS = 10_000;

/**
 * The service's time is taken for the earliest that its answers, dated to the second, allow: what has just happened seems to be
 * ahead of it by up to this, in milliseconds (a second, and a slow answer), and keeps its place among what else has.
 */
const TIME_KNOWN_TO_MS = 2_000;

/** An alert that is told later than this is none any more, in milliseconds (our choice). */
const RECENT_FOR_MS = 120_000;

export class EventIntake {
  readonly #parts: IntakeParts;
  readonly #ownMoves: MoveAttribution;
  #lastUnverifiedRead: number | null = null;
  #trailingRead: CancelTimer | null = null;
  #foreign = 0;
  #unrecognised = 0;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
    this.#ownMoves = new MoveAttribution(parts);
  }

  /** Verified events that were understood and changed nothing. */
  get ignored(): IgnoredEvents {
    return { foreign: this.#foreign, unrecognised: this.#unrecognised };
  }

  /** Takes one event in. Its effect on the house is complete when this returns. */
  take({ event, trust }: TrustedEvent): void {
    if (trust === 'unverified') {
      this.#parts.hinted();
      this.#readSparingly();
      return;
    }
    if (!this.#parts.isLinked()) {
      this.#foreign += 1;
      this.#parts.log.debug('An event was ignored, because no account is linked.');
      return;
    }
    if (event.type === 'signed-out') {
      if (event.at === null || !this.#parts.signedOut(event.userId, event.at)) {
        // A listing shows whether it was ours.
        this.#parts.read();
      }
      return;
    }
    const lock = event.lockId === null ? undefined : this.#parts.store.get(event.lockId);
    const isListed = lock !== undefined && lock.presence !== 'missing';
    if (isListed) {
      // A subscription of somebody else's may lead here as well: only what tells of our own locks shows that ours works.
      this.#parts.webhooks.proved(lock.id);
    }
    if (event.type === 'unrecognised') {
      this.#unrecognised += 1;
    } else if (lock === undefined) {
      this.#foreign += 1;
      this.#parts.log.debug('An event about a lock that this account does not have was ignored.');
    } else if (!isListed) {
      // Of a former account, or on its way back: only a listing knows.
      this.#foreign += 1;
      this.#readSparingly();
    } else if (event.at === null) {
      // It cannot be told from a repeat, so it proves nothing about now.
      this.#parts.read();
    } else {
      // Nobody can tell of the future: a wrong clock at the lock must not outlast everything that comes after.
      const now = this.#parts.serviceClock.now();
      const at = event.at - now > TIME_KNOWN_TO_MS ? now : event.at;
      const told = this.#ownMoves.told(event, lock.id, at);
      this.#learn(told, lock.id, at);
      this.#parts.heard({ ...told, at, lockId: lock.id });
    }
  }

  #learn(event: ServiceEvent, id: LockId, at: Instant): void {
    switch (event.type) {
      case 'bolt':
        this.#boltMoved(event, id, at);
        return;
      case 'connectivity':
        this.#connectivityChanged(event.connected, id, at);
        return;
      case 'battery':
        this.#report(id, { at, battery: event.battery });
        return;
      case 'command-ended':
        this.#commandEnded(event.reading, id, at);
        return;
      case 'wrong-code':
      case 'keypad-locked-out':
      case 'alarm':
        this.#alerted(event.type, id, at);
        return;
      // Access codes are read when somebody looks at them.
      case 'code-added':
      case 'code-updated':
      case 'code-deleted':
      case 'signed-out':
      case 'unrecognised':
        return;
    }
  }

  #boltMoved({ bolt, accessor }: BoltReport, id: LockId, at: Instant): void {
    const { store, webhooks, read } = this.#parts;
    const lock = store.get(id);
    if (bolt === null || lock === undefined) {
      read();
      return;
    }
    const doubtful = raisesDoubt(lock.belief, { source: 'event', bolt, at });
    this.#report(id, { at, bolt, ...(accessor === null ? {} : { accessor }) });
    this.#ownMoves.moved(id);
    if (isBoltPosition(bolt)) {
      webhooks.announced(id, bolt, at);
    }
    if (doubtful || accessor?.method === 'unavailable') {
      read();
    }
  }

  /** After an outage the service repeats what is old: that is history, and alarms nobody. */
  #alerted(alert: AlertReport['type'], id: LockId, at: Instant): void {
    if (this.#parts.serviceClock.now() - at <= RECENT_FOR_MS) {
      this.#parts.alert(id, alert, at);
    }
  }

  /** Whatever happened while it was away is not told: after a return the present state is asked for. */
  #connectivityChanged(connected: boolean | null, id: LockId, at: Instant): void {
    if (connected !== null) {
      this.#report(id, { at, connected });
    }
    if (connected !== false) {
      this.#parts.read();
    }
  }

  /** The end of somebody else's command tells one thing for certain: that the bolt is jammed. */
  #commandEnded(reading: CommandReading, id: LockId, at: Instant): void {
    if (this.#parts.commandEnded(id, reading, at)) {
      if (reading.state === 'successful') {
        this.#ownMoves.ended(id, at);
      }
      return;
    }
    if (reading.state === 'failed' && refusalHandling(reading.reason) === 'jammed') {
      this.#report(id, { at, bolt: 'jammed' });
    } else {
      this.#parts.read();
    }
  }

  #report(id: LockId, said: Omit<Reported, 'type' | 'source' | 'staleBefore'>): void {
    const staleBefore = this.#parts.staleBefore();
    this.#parts.store.apply(id, { type: 'reported', source: 'event', staleBefore, ...said });
  }

  /** At once when none was caused for a while, else one at the end of that while: what came last is seen, too. */
  #readSparingly(): void {
    if (this.#trailingRead !== null) {
      return;
    }
    const sinceLastMs =
      this.#parts.clock.monotonic() - (this.#lastUnverifiedRead ?? -UNVERIFIED_READS_EVERY_MS);
    this.#trailingRead = this.#parts.clock.after(UNVERIFIED_READS_EVERY_MS - sinceLastMs, () => {
      this.#trailingRead = null;
      this.#lastUnverifiedRead = this.#parts.clock.monotonic();
      this.#parts.read();
    });
  }

  dispose(): void {
    this.#trailingRead?.();
  }
}
