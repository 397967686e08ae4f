// Keeps retained messages at the broker as they should be: the latest of each topic, again after a loss.

import type { Carrier } from '../mqtt/carrier.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { asLatchkeyError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

/** Pause after a message that was not acknowledged, in milliseconds (our choice): an outdated one would be false. */
const RETRY_AFTER_MS = 1_000;

export interface RetainedMessage {
  /** Empty removes it. */
  readonly payload: string;
  /** The broker drops it when it was not renewed for that long, in seconds; null keeps it. */
  readonly expirySeconds: number | null;
}

interface Entry {
  wanted: RetainedMessage;
  /** The broker may hold something else. */
  isDirty: boolean;
  isPublishing: boolean;
}

export class RetainedTopics {
  readonly #carrier: Pick<Carrier, 'state' | 'publish'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #entries = new Map<string, Entry>();
  readonly #retries = new Set<CancelTimer>();

  constructor(carrier: Pick<Carrier, 'state' | 'publish'>, clock: Clock, log: Log) {
    this.#carrier = carrier;
    this.#clock = clock;
    this.#log = log;
  }

  /** Published now, or with the next connection. */
  set(topic: string, payload: string, expirySeconds: number | null = null): void {
    const entry = this.#entries.get(topic) ?? {
      wanted: { payload, expirySeconds },
      isDirty: true,
      isPublishing: false,
    };
    entry.wanted = { payload, expirySeconds };
    entry.isDirty = true;
    this.#entries.set(topic, entry);
    void this.#publish(topic, entry);
  }

  /** Publishes all of them again: the broker or its listeners may have lost them. */
  renew(): void {
    for (const [topic, entry] of this.#entries) {
      entry.isDirty = true;
      void this.#publish(topic, entry);
    }
  }

  /** Nothing is published afterwards. */
  close(): void {
    this.#entries.clear();
    for (const cancel of this.#retries) {
      cancel();
    }
    this.#retries.clear();
  }

  /** One message of a topic at a time, so that an older one never comes last. Never rejects. */
  async #publish(topic: string, entry: Entry): Promise<void> {
    if (entry.isPublishing) {
      return;
    }
    entry.isPublishing = true;
    try {
      while (this.#isDue(topic, entry)) {
        const { payload, expirySeconds } = entry.wanted;
        entry.isDirty = false;
        const expiry = expirySeconds === null ? {} : { expirySeconds };
        await this.#carrier.publish({ topic, payload, retain: true, ...expiry });
        if (payload === '' && !entry.isDirty) {
          this.#entries.delete(topic);
        }
      }
    } catch (error) {
      this.#failed(topic, entry, error);
    } finally {
      entry.isPublishing = false;
    }
  }

  #isDue(topic: string, entry: Entry): boolean {
    return entry.isDirty && this.#entries.get(topic) === entry && this.#carrier.state.kind === 'connected';
  }

  /** A lost connection needs no retry: the next one begins with all messages. */
  #failed(topic: string, entry: Entry, error: unknown): void {
    const { disposition, message } = asLatchkeyError(error);
    entry.isDirty = true;
    if (this.#carrier.state.kind !== 'connected' || this.#entries.get(topic) !== entry) {
      return;
    }
    if (disposition === 'final') {
      this.#log.error(`The broker does not take ${topic}: ${message}`);
      return;
    }
    const cancel = this.#clock.after(RETRY_AFTER_MS, () => {
      this.#retries.delete(cancel);
      void this.#publish(topic, entry);
    });
    this.#retries.add(cancel);
  }
}
