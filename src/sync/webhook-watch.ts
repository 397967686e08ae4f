// How far webhooks can be relied on: proven by what arrives, doubted by a change that none announced.
import type { Rest } from '../domain/bolt.ts';
import type { LockId } from '../domain/lock.ts';
import type { WebhookHealth } from '../domain/poll-policy.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';

export interface WebhookWatchParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Called after every change of health: the next listing is due at another time. */
  readonly onChange: () => void;
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
  #disposed = false;

  constructor(parts: WebhookWatchParts) {
    this.#parts = parts;
  }

  get health(): WebhookHealth {
    return this.#health;
  }

  /** The listener is open; nothing has been heard yet. */
  opened(): void {
    this.#become('doubted');
  }

  closed(): void {
    this.#forget();
    this.#become('absent');
  }

  /** A verified event or the self-test has come in. */
  proved(): void {
    if (this.#health !== 'absent') {
      this.#become('proven');
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
      this.#become('doubted');
    });
    this.#suspicions.set(id, { rest, cancel });
  }

  /** Nothing is told any more. */
  dispose(): void {
    this.#disposed = true;
    this.#forget();
  }

  #forget(): void {
    for (const { cancel } of this.#suspicions.values()) {
      cancel();
    }
    this.#suspicions.clear();
  }

  #become(health: WebhookHealth): void {
    if (health !== this.#health && !this.#disposed) {
      this.#health = health;
      this.#parts.log.info(LINES[health]);
      this.#parts.onChange();
    }
  }
}
