// The service before a relay: several senders that repeat each signed event until it is acknowledged.
import type { KeyObject } from 'node:crypto';
import { type Delivery, signed } from '../../../test/support/signed-events.ts';

export interface SendersOptions {
  readonly url: string;
  readonly key: KeyObject;
  readonly events: number;
  /** Pause of each sender after an event, in milliseconds. */
  readonly paceMs: number;
}

const SENDERS = 8;
const REPEAT_AFTER_MS = 50;
/** A relay that does not answer at all counts as gone. */
const ANSWERED_WITHIN_MS = 15_000;

export class Senders {
  /** Ids of events that were answered with 204. */
  readonly acknowledged: string[] = [];
  /** Requests that were not answered with 204, and so were repeated. */
  repeats = 0;
  /** Resolves when every event is acknowledged. */
  readonly done: Promise<void>;
  readonly #options: SendersOptions;
  #next = 0;
  /** Waiters for a number of acknowledged events. */
  readonly #waiting = new Map<() => void, number>();

  constructor(options: SendersOptions) {
    this.#options = options;
    this.done = this.#sendAll();
  }

  /** Resolves when this many events are acknowledged. */
  async reach(count: number): Promise<void> {
    if (this.acknowledged.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.set(resolve, count);
      await promise;
    }
  }

  async #sendAll(): Promise<void> {
    await Promise.all(Array.from({ length: SENDERS }, async () => this.#send()));
  }

  async #send(): Promise<void> {
    const { events, key, paceMs } = this.#options;
    while (this.#next < events) {
      this.#next += 1;
      const id = `e-${String(this.#next)}`;
      const delivery = await signed({ id, lockId: 'front', state: 'Locked', at: Date.now() }, key);
      while (!(await this.#isTaken(delivery))) {
        this.repeats += 1;
        await pause(REPEAT_AFTER_MS);
      }
      this.acknowledged.push(id);
      this.#report();
      await pause(paceMs);
    }
  }

  async #isTaken({ body, headers }: Delivery): Promise<boolean> {
    try {
      const answer = await fetch(this.#options.url, {
        method: 'POST',
        body: new Uint8Array(body),
        headers,
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      });
      await answer.arrayBuffer();
      return answer.status === 204;
    } catch {
      return false;
    }
  }

  #report(): void {
    for (const [resolve, count] of this.#waiting) {
      if (this.acknowledged.length >= count) {
        this.#waiting.delete(resolve);
        resolve();
      }
    }
  }
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
