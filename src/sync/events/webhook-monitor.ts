// How far webhooks can be relied on: proven by what comes in, doubted when a change was not announced or all is silent.
import type { BoltPosition, Instant } from '../../domain/bolt.ts';
import type { LockId } from '../../domain/lock.ts';
import { REPORTED_WITHIN_MS } from '../../domain/missed-event-policy.ts';
import type { WebhookHealth } from '../../domain/poll-policy.ts';
import type { HealthReason, HealthReport } from '../../domain/webhook-report.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { Emitter } from '../../support/emitter.ts';
import type { Log } from '../../support/log.ts';

export interface WebhookWatchParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Called after every change of health: the next listing is due at another time. */
  readonly onChange: () => void;
  /** Called when webhooks may have been missed until now: the present state is to be asked for. */
  readonly onGap: () => void;
}

/**
 * A webhook may be slower than the poll that saw the same change, by its way through the service: only one that has
 * not come after this long was lost, in milliseconds (our choice; a delivery has 30 s, wire contract 7).
 */
const ANNOUNCED_WITHIN_MS = 30_000;

/** One lost event happens; of a lock of which two were lost, with none between, none may come at all (our choice). */
const MISSED_FOR_GOOD = 2;

const LINES: Readonly<Record<WebhookHealth, string>> = {
  absent: 'Webhooks are not received; every change is found by asking.',
  healthy: 'Webhooks arrive; the service is asked less often.',
  degraded: 'Webhooks are not proven to arrive; the service is asked more often until they are.',
};

/** A move that was found and that no event has announced yet, of one of the two kinds in which moves are found. */
interface Suspicion {
  readonly isExplainedBy: (rest: BoltPosition, at: Instant) => boolean;
  readonly cancel: CancelTimer;
}

export class WebhookMonitor {
  readonly #parts: WebhookWatchParts;
  readonly #doubts: Emitter<HealthReason>;
  readonly #changes: Emitter<HealthReport>;
  readonly #suspicions: Readonly<Record<'poll' | 'history', Map<LockId, Suspicion>>> = {
    poll: new Map(),
    history: new Map(),
  };
  #health: WebhookHealth = 'absent';
  #because: HealthReason = 'not-open';
  #lastEventAt: number | null = null;
  #lastHintAt: number | null = null;
  /** A change was missed, and nothing has come in since that makes up for it. */
  #unforgiven = false;
  /** How many changes of a lock were missed since its last event, at most one for each time webhooks were proven. */
  readonly #missed = new Map<LockId, number>();
  #disposed = false;

  constructor(parts: WebhookWatchParts) {
    this.#parts = parts;
    this.#doubts = new Emitter(parts.log);
    this.#changes = new Emitter(parts.log);
  }

  /** Calls `listener` whenever webhooks that were proven are doubted, until the returned function is called. */
  whenDoubted(listener: (because: HealthReason) => void): () => void {
    return this.#doubts.subscribe(listener);
  }

  /** Calls `listener` with each report that is another than the last, until the returned function is called. */
  whenChanged(listener: (report: HealthReport) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  get health(): WebhookHealth {
    return this.#health;
  }

  get report(): HealthReport {
    return { health: this.#health, because: this.#because };
  }

  /** When the last event came in, by the monotonic clock; null when none has since the listener opened. */
  get lastEventAt(): number | null {
    return this.#lastEventAt;
  }

  /** The listener is open; nothing has been heard yet, and what was told before was told to nobody. */
  opened(): void {
    this.#lastEventAt = null;
    this.#lastHintAt = null;
    this.#forgive();
    this.#become('degraded', 'none-received');
    this.#parts.onGap();
  }

  closed(): void {
    this.#dropSuspicions();
    this.#become('absent', 'not-open');
  }

  /**
   * A verified event of that lock has come in. It shows that events arrive, and makes up for one change of any lock that
   * did not; but where one lock is missed again and again while others are told of, only an event of its own does.
   */
  proved(id: LockId): void {
    if (this.#health === 'absent') {
      return;
    }
    this.#lastEventAt = this.#parts.clock.monotonic();
    this.#missed.delete(id);
    if ([...this.#missed.values()].every((count) => count < MISSED_FOR_GOOD)) {
      this.#unforgiven = false;
      this.#prove('event');
    }
  }

  /**
   * A self-test has come in. It shows that the way is open, not that the service uses it: what the service did not
   * announce is forgiven only after an event.
   */
  cameThrough(): void {
    if (this.#health !== 'absent' && !this.#unforgiven) {
      this.#prove('self-test');
    }
  }

  /** Nothing has come in for so long that something should have. */
  fellSilent(): void {
    if (this.#health === 'healthy') {
      this.#become('degraded', 'silent');
    }
  }

  /** An event told that the bolt rests there since that instant: what was found of the same is explained by it. */
  announced(id: LockId, rest: BoltPosition, at: Instant): void {
    for (const suspicions of Object.values(this.#suspicions)) {
      const suspicion = suspicions.get(id);
      if (suspicion?.isExplainedBy(rest, at) === true) {
        suspicion.cancel();
        suspicions.delete(id);
      }
    }
    this.proved(id);
  }

  /**
   * Something has come in that nothing proves. It proves no health, either; but it explains what the reading finds that it
   * caused, and a self-test may vouch again.
   */
  hinted(): void {
    this.#lastHintAt = this.#parts.clock.monotonic();
    this.#forgive();
    this.#dropSuspicions();
  }

  /** A poll found the bolt moved, and no command of ours moved it. */
  foundByPoll(id: LockId, found: BoltPosition): void {
    const sinceHintMs = this.#parts.clock.monotonic() - (this.#lastHintAt ?? Number.NEGATIVE_INFINITY);
    if (sinceHintMs > ANNOUNCED_WITHIN_MS) {
      this.#suspect('poll', id, (rest) => rest === found);
    }
  }

  /** The history shows that the bolt moved at that instant, and nothing that came in explains it. */
  foundInHistory(id: LockId, movedAt: Instant): void {
    this.#suspect('history', id, (_rest, at) => at >= movedAt - REPORTED_WITHIN_MS);
  }

  /** The lock is gone: nothing is expected of it any more. */
  forget(id: LockId): void {
    this.#missed.delete(id);
  }

  /** Nothing is told any more. */
  dispose(): void {
    this.#disposed = true;
    this.#dropSuspicions();
  }

  #prove(because: 'event' | 'self-test'): void {
    const missed = this.#because === 'silent' || this.#because === 'missed-change';
    this.#become('healthy', because);
    if (missed && !this.#disposed) {
      this.#parts.onGap();
    }
  }

  #suspect(how: 'poll' | 'history', id: LockId, isExplainedBy: Suspicion['isExplainedBy']): void {
    if (this.#health !== 'healthy' || this.#disposed) {
      return;
    }
    const suspicions = this.#suspicions[how];
    suspicions.get(id)?.cancel();
    const cancel = this.#parts.clock.after(ANNOUNCED_WITHIN_MS, () => {
      suspicions.delete(id);
      this.#unforgiven = true;
      this.#missed.set(id, (this.#missed.get(id) ?? 0) + 1);
      this.#become('degraded', 'missed-change');
    });
    suspicions.set(id, { isExplainedBy, cancel });
  }

  #forgive(): void {
    this.#unforgiven = false;
    this.#missed.clear();
  }

  #dropSuspicions(): void {
    for (const suspicions of Object.values(this.#suspicions)) {
      for (const { cancel } of suspicions.values()) {
        cancel();
      }
      suspicions.clear();
    }
  }

  #become(health: WebhookHealth, because: HealthReason): void {
    if (this.#disposed) {
      return;
    }
    const wasProven = this.#health === 'healthy';
    const isAsBefore = health === this.#health && because === this.#because;
    this.#because = because;
    if (health !== this.#health) {
      this.#health = health;
      this.#parts.log.info(LINES[health]);
      this.#parts.onChange();
    }
    if (wasProven && health === 'degraded') {
      this.#doubts.emit(because);
    }
    if (!isAsBefore) {
      this.#changes.emit(this.report);
    }
  }
}
