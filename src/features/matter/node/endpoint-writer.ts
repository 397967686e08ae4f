// Writes one lock's attributes and events to its Matter endpoint in order, and retries until it succeeds.
import type { CancelTimer, Clock } from '../../../support/clock.ts';
import { messageOf } from '../../../support/errors.ts';
import type { Log } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';
import type { LockAttributes } from './lock-attributes.ts';
import type { MatterEvent } from './lock-operations.ts';
import type { LockBehaviorType, LockEndpoint } from './matter-api.ts';

/** Pause after a failed write, in milliseconds (our choice): an outdated position on the endpoint would be false. */
const RETRY_AFTER_MS = 1_000;

export class EndpointWriter {
  readonly #parts;
  #endpoint: LockEndpoint | null = null;
  #wanted: LockAttributes | null = null;
  #written: LockAttributes | null = null;
  #events: MatterEvent[] = [];
  #isWriting = false;
  #cancelRetry: CancelTimer | null = null;

  constructor(parts: {
    readonly behavior: LockBehaviorType;
    readonly clock: Clock;
    readonly log: Log;
    /** The lock's name in log lines. */
    readonly name: () => string;
  }) {
    this.#parts = parts;
  }

  /** Starts writing to this endpoint, with the latest attributes first. */
  open(endpoint: LockEndpoint): void {
    this.#endpoint = endpoint;
    this.#written = null;
    void this.#write();
  }

  /** Stops writing; the endpoint is about to be removed. */
  close(): void {
    this.#endpoint = null;
    this.#events = [];
    this.#cancelRetry?.();
    this.#cancelRetry = null;
  }

  /** Only the latest attributes are written. */
  show(attributes: LockAttributes): void {
    this.#wanted = attributes;
    void this.#write();
  }

  /** Emits events in order, each after the attributes that were set before it. Without an endpoint the event is dropped. */
  emit(event: MatterEvent): void {
    if (this.#endpoint !== null) {
      this.#events.push(event);
      void this.#write();
    }
  }

  /** One write at a time. Never rejects. */
  async #write(): Promise<void> {
    if (this.#isWriting || this.#cancelRetry !== null) {
      return;
    }
    this.#isWriting = true;
    try {
      while (this.#endpoint !== null && (await this.#step(this.#endpoint))) {
        // The next step writes values set meanwhile.
      }
    } catch (error) {
      this.#retryLater(error);
    } finally {
      this.#isWriting = false;
    }
  }

  /** False when there is nothing more to write. */
  async #step(endpoint: LockEndpoint): Promise<boolean> {
    await endpoint.construction;
    const wanted = this.#wanted;
    if (wanted !== null && !isSame(wanted, this.#written)) {
      await endpoint.set(wanted);
      this.#written = wanted;
      return true;
    }
    const event = this.#events.shift();
    if (event === undefined) {
      return false;
    }
    await endpoint.act((agent) => {
      const { events, context } = agent.get(this.#parts.behavior);
      events[event.name].emit(event.payload, context);
    });
    return true;
  }

  #retryLater(error: unknown): void {
    const { clock, log, name } = this.#parts;
    if (this.#endpoint === null) {
      return;
    }
    log.warn(
      t('{name}: Matter did not take an update, which is tried again: {why}', {
        name: name(),
        why: messageOf(error),
      }),
    );
    this.#written = null;
    this.#cancelRetry = clock.after(RETRY_AFTER_MS, () => {
      this.#cancelRetry = null;
      void this.#write();
    });
  }
}

function isSame(a: LockAttributes, b: LockAttributes | null): boolean {
  return b !== null && JSON.stringify(a) === JSON.stringify(b);
}
