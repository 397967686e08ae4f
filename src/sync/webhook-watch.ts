// How far webhooks can be relied on: proven by what comes in, doubted when a change was not announced or all is silent.
import type { Rest } from '../domain/bolt.ts';
import type { LockId } from '../domain/lock.ts';
import type { WebhookHealth } from '../domain/poll-policy.ts';
import type { HealthReason, HealthReport } from '../domain/webhook-report.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';

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

const LINES: Readonly<Record<WebhookHealth, string>> = {
  absent: 'Webhooks are not received; every change is found by asking.',
  proven: 'Webhooks arrive; the service is asked less often.',
  doubted: 'Webhooks are not proven to arrive; the service is asked more often until they are.',
};

export class WebhookWatch {
  readonly #parts: WebhookWatchParts;
  readonly #suspicions = new Map<LockId, { readonly rest: Rest; readonly cancel: CancelTimer }>();
  #health: WebhookHealth = 'absent';
  #because: HealthReason = 'not-open';
  #lastEventAt: number | null = null;
  #disposed = false;

  constructor(parts: WebhookWatchParts) {
    this.#parts = parts;
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
    this.#become('doubted', 'not-heard');
    this.#parts.onGap();
  }

  closed(): void {
    this.#forget();
    this.#become('absent', 'not-open');
  }

  /** A verified event has come in. */
  proved(): void {
    if (this.#health !== 'absent') {
      this.#lastEventAt = this.#parts.clock.monotonic();
      this.#prove('event');
    }
  }

  /**
   * A self-test has come in. It shows that the way is open, not that the service uses it: what the service did not
   * announce is forgiven only for an event.
   */
  cameThrough(): void {
    if (this.#health !== 'absent' && this.#because !== 'missed-change') {
      this.#prove('self-test');
    }
  }

  /** Nothing has come in for so long that something should have. */
  fellSilent(): void {
    if (this.#health === 'proven') {
      this.#become('doubted', 'silent');
    }
  }

  /** An event told that the bolt rests there: a poll that found the same is explained by it. */
  announced(id: LockId, rest: Rest): void {
    const suspicion = this.#suspicions.get(id);
    if (suspicion?.rest === rest) {
      suspicion.cancel();
      this.#suspicions.delete(id);
    }
    this.proved();
  }

  /** A poll found the bolt moved, and no command of ours moved it. */
  foundByPoll(id: LockId, rest: Rest): void {
    if (this.#health !== 'proven') {
      return;
    }
    this.#suspicions.get(id)?.cancel();
    const cancel = this.#parts.clock.after(ANNOUNCED_WITHIN_MS, () => {
      this.#suspicions.delete(id);
      this.#become('doubted', 'missed-change');
    });
    this.#suspicions.set(id, { rest, cancel });
  }

  /** Nothing is told any more. */
  dispose(): void {
    this.#disposed = true;
    this.#forget();
  }

  #prove(because: 'event' | 'self-test'): void {
    const missed = this.#because === 'silent' || this.#because === 'missed-change';
    this.#become('proven', because);
    if (missed && !this.#disposed) {
      this.#parts.onGap();
    }
  }

  #forget(): void {
    for (const { cancel } of this.#suspicions.values()) {
      cancel();
    }
    this.#suspicions.clear();
  }

  #become(health: WebhookHealth, because: HealthReason): void {
    if (this.#disposed) {
      return;
    }
    this.#because = because;
    if (health !== this.#health) {
      this.#health = health;
      this.#parts.log.info(LINES[health]);
      this.#parts.onChange();
    }
  }
}
