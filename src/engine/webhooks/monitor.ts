// The health of webhooks: healthy while they arrive, degraded when one was missed or all are silent.
import type { BoltPosition } from '../../domain/locks/bolt.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { WebhookHealth } from '../../domain/polling/poll-policy.ts';
import { REPORTED_WITHIN_MS } from '../../domain/time/time.ts';
import type { HealthReason, HealthReport } from '../../domain/webhooks/report.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { t } from '../../words/translate.ts';
import { HEALTH_NEWS } from '../../words/webhooks.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { EventOf } from '../locks/event-bus.ts';

export type WebhookMonitorParts = Pick<CommonParts, 'bus' | 'clock' | 'log'>;

/** One lost event is chance; a lock with two lost events and none between may send none at all (our choice). */
const MISSED_FOR_GOOD = 2;

interface Suspicion {
  readonly to: BoltPosition;
  readonly cancel: CancelTimer;
}

export class WebhookMonitor {
  readonly #parts: WebhookMonitorParts;
  readonly #suspicions = new Map<LockId, Suspicion>();
  #report: HealthReport = { health: 'absent', because: 'not-open' };
  #lastEventAt: number | null = null;
  #lastUnverifiedAt: number | null = null;
  /** A change was missed, and no event has made up for it since. */
  #unforgiven = false;
  /** How many changes of a lock were missed since its last event, at most one for each time webhooks were healthy. */
  readonly #missed = new Map<LockId, number>();
  #disposed = false;

  constructor(parts: WebhookMonitorParts) {
    this.#parts = parts;
    const { bus } = parts;
    bus.on('unverified-received', () => {
      // An unverified event is no proof of health, but it explains changes that its reading finds.
      this.#lastUnverifiedAt = parts.clock.monotonic();
      this.#forgive();
      this.#dropSuspicions();
    });
    bus.on('move-found', ({ id, to }) => this.#suspect(id, to));
    bus.on('move-missed', ({ id }) => this.#changeMissed(id));
    bus.on('lock-removed', ({ id }) => this.#missed.delete(id));
  }

  /** Calls `listener` with each report that differs from the last, until the returned function is called. */
  subscribe(listener: (change: EventOf<'webhooks-changed'>) => void): () => void {
    return this.#parts.bus.on('webhooks-changed', listener);
  }

  get health(): WebhookHealth {
    return this.#report.health;
  }

  get report(): HealthReport {
    return this.#report;
  }

  /** When the last event arrived, by the monotonic clock; null without one since the listener opened. */
  get lastEventAt(): number | null {
    return this.#lastEventAt;
  }

  /** The listener is open; no event has been received yet, and earlier ones are lost. */
  opened(): void {
    this.#lastEventAt = null;
    this.#lastUnverifiedAt = null;
    this.#forgive();
    this.#become('degraded', 'none-received');
    this.#emitGap();
  }

  closed(): void {
    this.#dropSuspicions();
    this.#become('absent', 'not-open');
  }

  /** The registration was made, or made again: until now the service sent no event. */
  registered(): void {
    this.#emitGap();
  }

  /** A verified event makes up for one missed change of any lock, and for all of its own lock. */
  proved(id: LockId): void {
    if (this.health === 'absent') {
      return;
    }
    this.#lastEventAt = this.#parts.clock.monotonic();
    this.#missed.delete(id);
    if ([...this.#missed.values()].every((count) => count < MISSED_FOR_GOOD)) {
      this.#unforgiven = false;
      this.#prove('event');
    }
  }

  /** A self-test shows that the path is open, not that the service uses it: it makes up for no missed change. */
  cameThrough(): void {
    if (this.health !== 'absent' && !this.#unforgiven) {
      this.#prove('self-test');
    }
  }

  /** No event has arrived for so long that one is overdue. */
  fellSilent(): void {
    if (this.health === 'healthy') {
      this.#become('degraded', 'silent');
    }
  }

  /** An event reports that position: a move to it that a poll found is explained. */
  announced(id: LockId, to: BoltPosition): void {
    const suspicion = this.#suspicions.get(id);
    if (suspicion?.to === to) {
      suspicion.cancel();
      this.#suspicions.delete(id);
    }
    this.proved(id);
  }

  dispose(): void {
    this.#disposed = true;
    this.#dropSuspicions();
  }

  /** A webhook may be slower than the poll that saw the same change: it is missed only when its time has passed. */
  #suspect(id: LockId, to: BoltPosition): void {
    const { clock } = this.#parts;
    const sinceUnverifiedMs = clock.monotonic() - (this.#lastUnverifiedAt ?? Number.NEGATIVE_INFINITY);
    if (this.health !== 'healthy' || this.#disposed || sinceUnverifiedMs <= REPORTED_WITHIN_MS) {
      return;
    }
    this.#suspicions.get(id)?.cancel();
    const cancel = clock.after(REPORTED_WITHIN_MS, () => {
      this.#suspicions.delete(id);
      this.#changeMissed(id);
    });
    this.#suspicions.set(id, { to, cancel });
  }

  #changeMissed(id: LockId): void {
    if (this.health !== 'absent') {
      this.#unforgiven = true;
      this.#missed.set(id, (this.#missed.get(id) ?? 0) + 1);
      this.#become('degraded', 'missed-change');
    }
  }

  #prove(because: 'event' | 'self-test'): void {
    const missed = this.#report.because === 'silent' || this.#report.because === 'missed-change';
    this.#become('healthy', because);
    if (missed) {
      this.#emitGap();
    }
  }

  #emitGap(): void {
    if (!this.#disposed) {
      this.#parts.bus.emit({ type: 'gap' });
    }
  }

  #forgive(): void {
    this.#unforgiven = false;
    this.#missed.clear();
  }

  #dropSuspicions(): void {
    for (const { cancel } of this.#suspicions.values()) {
      cancel();
    }
    this.#suspicions.clear();
  }

  #become(health: WebhookHealth, because: HealthReason): void {
    const previous = this.health;
    const isAsBefore = health === previous && because === this.#report.because;
    if (this.#disposed || isAsBefore) {
      return;
    }
    this.#report = { health, because };
    if (health !== previous) {
      this.#parts.log.info(t(HEALTH_NEWS[health]));
    }
    this.#parts.bus.emit({ type: 'webhooks-changed', report: this.report, previous });
  }
}
