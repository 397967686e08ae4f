// The partner's two subscription keys: either works, and the one that worked last is tried first.

export class SubscriptionKeys {
  readonly #keys: readonly string[];
  #preferred = 0;

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /** The keys in the order in which to try them. */
  inOrder(): readonly string[] {
    return [...this.#keys.slice(this.#preferred), ...this.#keys.slice(0, this.#preferred)];
  }

  /** Remembers the key that the service took. */
  prefer(key: string): void {
    this.#preferred = Math.max(this.#keys.indexOf(key), 0);
  }
}
