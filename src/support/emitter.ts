// Emits values to listeners; a listener that throws affects neither the emitter nor the other listeners.
import { messageOf } from './errors.ts';
import type { Log } from './log.ts';

export class Emitter<T> {
  #listeners: ReadonlySet<(value: T) => void> = new Set();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  subscribe(listener: (value: T) => void, place: 'first' | 'last' = 'last'): () => void {
    const entry = (value: T): void => listener(value);
    this.#listeners = new Set(place === 'first' ? [entry, ...this.#listeners] : [...this.#listeners, entry]);
    return () => {
      this.#listeners = new Set([...this.#listeners].filter((other) => other !== entry));
    };
  }

  /** Whether anybody would hear a value that is emitted now. */
  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  /** Calls the listeners of this moment, except those that another one removes meanwhile. */
  emit(value: T): void {
    for (const listener of this.#listeners) {
      if (!this.#listeners.has(listener)) {
        continue;
      }
      try {
        listener(value);
      } catch (error) {
        this.#log.error(`A listener failed: ${messageOf(error)}`);
        for (const line of stackOf(error)) {
          this.#log.debug(line);
        }
      }
    }
  }
}

/** Stack frames, one per line, to locate a defect of the plugin from a log. */
function stackOf(error: unknown): readonly string[] {
  const [, ...frames] = (error instanceof Error ? (error.stack ?? '') : '').split(/\n(?=\s+at )/u);
  return frames.map((frame) => frame.trim());
}
