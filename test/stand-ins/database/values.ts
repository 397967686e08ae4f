// The tables of single values: what stores of codes, guests, stays and names keep goes through them.
import type { KeptValue, Values } from '../../../src/storage/account/settings.ts';
import { RetryError } from '../../../src/support/errors.ts';

/** It outlives a process that crashes, as a disk does. */
export class MemoryValues implements Values {
  readonly #kept = new Map<string, string>();
  /** While set, nothing can be written. */
  isFailing = false;

  get size(): number {
    return this.#kept.size;
  }

  read(key: string): unknown {
    const text = this.#kept.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  all(): ReadonlyMap<string, unknown> {
    return new Map([...this.#kept.keys()].sort().map((key) => [key, this.read(key)]));
  }

  write(key: string, value: KeptValue): void {
    this.#assertWhole();
    this.#kept.set(key, JSON.stringify(value));
  }

  erase(key: string): void {
    this.#assertWhole();
    this.#kept.delete(key);
  }

  #assertWhole(): void {
    if (this.isFailing) {
      throw new RetryError('storage-failed', 'The disk is full.');
    }
  }
}
