// One voice, many listeners: a listener that throws harms neither the speaker nor the other listeners.
import { messageOf } from './errors.ts';
import type { Log } from './log.ts';

export class Emitter<T> {
  #listeners = new Set<(news: T) => void>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Adds a listener, behind the others or before them; the returned function removes it. */
  subscribe(listener: (news: T) => void, place: 'first' | 'last' = 'last'): () => void {
    const entry = (news: T): void => {
      listener(news);
    };
    this.#listeners = new Set(place === 'first' ? [entry, ...this.#listeners] : [...this.#listeners, entry]);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  /** Tells every listener at once, one after the other. */
  emit(news: T): void {
    // oxlint-disable-next-line unicorn/no-array-for-each -- the steps of for-of are much of the garbage of a quiet house
    this.#listeners.forEach((listener) => {
      try {
        listener(news);
      } catch (error) {
        this.#log.error(`A listener failed: ${messageOf(error)}`);
      }
    });
  }
}
