// One voice, many listeners: a listener that throws harms neither the speaker nor the other listeners.
import { messageOf } from './errors.ts';
import type { Log } from './log.ts';

export class Broadcast<T> {
  readonly #listeners = new Set<(news: T) => void>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Adds a listener; the returned function removes it. */
  subscribe(listener: (news: T) => void): () => void {
    const entry = (news: T): void => {
      listener(news);
    };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  /** Tells every listener, in the order in which they came, at once. */
  tell(news: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(news);
      } catch (error) {
        this.#log.error(`A listener failed: ${messageOf(error)}`);
      }
    }
  }
}
