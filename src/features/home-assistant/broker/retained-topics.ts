// Keeps retained messages at the broker as they should be: the latest of each topic, again after a loss.

import type { Carrier } from '../../../carrier/carrier.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import type { CancelTimer, Clock } from '../../../support/clock.ts';
import { asLatchkeyError, wordsOf } from '../../../support/errors.ts';
import type { Log } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';

/** Pause after a message that was not acknowledged, in milliseconds (our choice): an outdated one would be false. */
const RETRY_AFTER_MS = 1_000;

export interface RetainedOptions {
  /** The broker drops the topic when it was not renewed for that long, in seconds. Left out: it stays. */
  readonly expirySeconds?: number;
  /** Waits until the broker has acknowledged these topics. */
  readonly after?: readonly string[];
}

interface Entry {
  /** Empty removes it. */
  payload: string;
  options: RetainedOptions;
  /** The broker may hold something else. */
  isDirty: boolean;
  isPublishing: boolean;
  /** The broker does not take it, as long as a person changes nothing. */
  isRefused: boolean;
}

export class RetainedTopics {
  readonly #parts;
  readonly #entries = new Map<string, Entry>();
  readonly #retries = new Set<CancelTimer>();
  /** Why the broker takes some topic not; null while it takes all. */
  #trouble: Message | null = null;

  constructor(parts: {
    readonly carrier: Pick<Carrier, 'state' | 'publish'>;
    readonly clock: Clock;
    readonly log: Log;
    /** Travels with each message. */
    readonly mark?: string;
    /** The broker has removed a topic. */
    readonly onRemoved: (topic: string) => void;
    /** The broker refuses a topic, or takes one again that it refused. */
    readonly onRefusals: () => void;
  }) {
    this.#parts = parts;
  }

  get trouble(): Message | null {
    return this.#trouble;
  }

  isRefused(topic: string): boolean {
    return this.#entries.get(topic)?.isRefused ?? false;
  }

  /** Published now, with the next connection, or when the topic that it waits for is acknowledged. */
  set(topic: string, payload: string, options: RetainedOptions = {}): void {
    const entry = this.#entries.get(topic);
    if (entry === undefined) {
      const added = { payload, options, isDirty: true, isPublishing: false, isRefused: false };
      this.#entries.set(topic, added);
      void this.#publish(topic, added);
    } else {
      Object.assign(entry, { payload, options, isDirty: true });
      void this.#publish(topic, entry);
    }
  }

  /** The broker may keep the topic; it is not published any more. */
  drop(topic: string): void {
    this.#entries.delete(topic);
  }

  /** Publishes all of them again: the broker or its listeners may have lost them. */
  renew(): void {
    for (const entry of this.#entries.values()) {
      entry.isDirty = true;
    }
    this.retry();
  }

  /** Publishes topics that the broker refused before: its rights may have been corrected. */
  retry(): void {
    for (const [topic, entry] of this.#entries) {
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
    let hasTried = false;
    entry.isPublishing = true;
    try {
      while (this.#isDue(topic, entry)) {
        const { payload, options } = entry;
        const expiry = options.expirySeconds === undefined ? {} : { expirySeconds: options.expirySeconds };
        hasTried = true;
        entry.isDirty = false;
        const { carrier, mark } = this.#parts;
        const marked = mark === undefined ? {} : { mark };
        await carrier.publish({ topic, payload, retain: true, ...expiry, ...marked });
        this.#acknowledged(topic, entry, payload);
      }
    } catch (error) {
      this.#failed(topic, entry, error);
    } finally {
      entry.isPublishing = false;
    }
    if (hasTried) {
      this.#publishWaiting();
    }
  }

  #isDue(topic: string, entry: Entry): boolean {
    const isOpen = this.#entries.get(topic) === entry && this.#parts.carrier.state.kind === 'connected';
    return isOpen && entry.isDirty && this.#mayFollow(entry);
  }

  #mayFollow({ options: { after = [] } }: Entry): boolean {
    return after.every((topic) => {
      const other = this.#entries.get(topic);
      return other === undefined || (!other.isDirty && !other.isPublishing);
    });
  }

  #publishWaiting(): void {
    for (const [topic, entry] of this.#entries) {
      if (entry.options.after !== undefined && entry.isDirty && !entry.isRefused) {
        void this.#publish(topic, entry);
      }
    }
  }

  #acknowledged(topic: string, entry: Entry, payload: string): void {
    const wasRefused = entry.isRefused;
    entry.isRefused = false;
    if (payload === '' && !entry.isDirty) {
      this.#entries.delete(topic);
      this.#parts.onRemoved(topic);
    }
    if (this.#trouble !== null && ![...this.#entries.values()].some(({ isRefused }) => isRefused)) {
      this.#trouble = null;
      this.#parts.log.info(t('The MQTT broker takes every topic again.'));
    }
    if (wasRefused) {
      this.#parts.onRefusals();
    }
  }

  /** A lost connection needs no retry: the next one begins with all messages. */
  #failed(topic: string, entry: Entry, error: unknown): void {
    const { disposition } = asLatchkeyError(error);
    entry.isDirty = true;
    if (this.#parts.carrier.state.kind !== 'connected' || this.#entries.get(topic) !== entry) {
      return;
    }
    if (disposition === 'final') {
      entry.isRefused = true;
      this.#say(message('The broker does not take {topic}: {why}', { topic, why: wordsOf(error) }));
      this.#parts.onRefusals();
      return;
    }
    const cancel = this.#parts.clock.after(RETRY_AFTER_MS, () => {
      this.#retries.delete(cancel);
      void this.#publish(topic, entry);
    });
    this.#retries.add(cancel);
  }

  /** Logged for the first topic alone: a missing right concerns all of them, and is tried again for hours. */
  #say(trouble: Message): void {
    if (this.#trouble === null) {
      this.#trouble = trouble;
      this.#parts.log.error(t(trouble));
    }
  }
}
