// Due timers in the order of time, so that a thousand quiet locks cost nothing.

/** Something that will happen. Cancelling it twice, or after it happened, does nothing. */
export interface DueTask {
  cancel(): void;
}

interface Entry {
  readonly at: number;
  /** Null once done or cancelled. */
  run: (() => void) | null;
}

/** Tasks by instant; those of the same instant in the order they were added. */
export class DueQueue {
  /** The latest first: what is due next is taken from the end. */
  readonly #entries: Entry[] = [];

  add(at: number, run: () => void): DueTask {
    const entry: Entry = { at, run };
    this.#entries.splice(this.#placeFor(at), 0, entry);
    return {
      cancel: () => {
        entry.run = null;
      },
    };
  }

  /** The instant of the earliest live task; null when there is none. */
  nextAt(): number | null {
    while (this.#entries.at(-1)?.run === null) {
      this.#entries.pop();
    }
    return this.#entries.at(-1)?.at ?? null;
  }

  /** Takes the earliest live task out if it is due by `limit`. */
  take(limit: number): { readonly at: number; readonly run: () => void } | null {
    const at = this.nextAt();
    const run = this.#entries.at(-1)?.run;
    if (at === null || at > limit || run === undefined || run === null) {
      return null;
    }
    this.#entries.pop();
    return { at, run };
  }

  /** In front of all that is due by then: what was added earlier comes first. */
  #placeFor(at: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.at ?? 0) > at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
