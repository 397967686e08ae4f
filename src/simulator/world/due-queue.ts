// Due timers in a binary heap, so that a thousand quiet locks cost nothing.

/** Something that will happen. Cancelling it twice, or after it happened, does nothing. */
export interface DueTask {
  cancel(): void;
}

class Entry implements DueTask {
  readonly at: number;
  readonly order: number;
  /** Null once done or cancelled. */
  run: (() => void) | null;

  constructor(at: number, order: number, run: () => void) {
    this.at = at;
    this.order = order;
    this.run = run;
  }

  cancel(): void {
    this.run = null;
  }

  isBefore(other: Entry): boolean {
    return this.at < other.at || (this.at === other.at && this.order < other.order);
  }
}

/** Tasks by instant; those of the same instant in the order they were added. */
export class DueQueue {
  readonly #heap: Entry[] = [];
  #order = 0;

  add(at: number, run: () => void): DueTask {
    this.#order += 1;
    const entry = new Entry(at, this.#order, run);
    this.#heap.push(entry);
    this.#rise(this.#heap.length - 1);
    return entry;
  }

  /** The instant of the earliest live task; null when there is none. */
  nextAt(): number | null {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (top.run !== null) {
        return top.at;
      }
      this.#removeTop();
    }
    return null;
  }

  /** Takes the earliest live task out if it is due by `limit`. */
  take(limit: number): { readonly at: number; readonly run: () => void } | null {
    const at = this.nextAt();
    const run = this.#heap[0]?.run;
    if (at === null || at > limit || run === undefined || run === null) {
      return null;
    }
    this.#heap[0]?.cancel();
    this.#removeTop();
    return { at, run };
  }

  #removeTop(): void {
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
  }

  #rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfBefore(index, parent)) {
        return;
      }
      index = parent;
    }
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const child = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfBefore(child, index)) {
        return;
      }
      index = child;
    }
  }

  #isBefore(first: number, second: number): boolean {
    const [one, other] = [this.#heap[first], this.#heap[second]];
    return one !== undefined && other !== undefined && one.isBefore(other);
  }

  #swapIfBefore(first: number, second: number): boolean {
    const [one, other] = [this.#heap[first], this.#heap[second]];
    if (one === undefined || other === undefined || !one.isBefore(other)) {
      return false;
    }
    this.#heap[first] = other;
    this.#heap[second] = one;
    return true;
  }
}
