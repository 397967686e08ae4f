// Logs each unknown word of the service once, up to a number of words.
import { type Log, oneLine } from '../log.ts';

/** After so many unknown words the service speaks another language anyway (our choice). */
const MOST_NAMED = 20;

export class UnknownWords {
  readonly #log: Log;
  readonly #beginning: string;
  readonly #named = new Set<string>();

  /** `beginning` stands before each word in the log. */
  constructor(log: Log, beginning: string) {
    this.#log = log;
    this.#beginning = beginning;
  }

  name(words: readonly string[]): void {
    for (const word of words) {
      if (!this.#named.has(word) && this.#named.size < MOST_NAMED) {
        this.#named.add(word);
        this.#log.warn(`${this.#beginning}: ${oneLine(word)}`);
      }
    }
  }
}
