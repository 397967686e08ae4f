// The partner's two subscription keys: either works, and the one that worked last is tried first.

export class SubscriptionKeys {
  readonly #keys: () => readonly string[];
  #preferred: string | null = null;

  /** `keys`: the current ones, read before each call. May throw an error for the caller. */
  constructor(keys: () => readonly string[]) {
    this.#keys = keys;
  }

  /** The keys in the order in which to try them. Throws the error of their source. */
  inOrder(): readonly string[] {
    const keys = this.#keys();
    const preferred = Math.max(this.#preferred === null ? 0 : keys.indexOf(this.#preferred), 0);
    return [...keys.slice(preferred), ...keys.slice(0, preferred)];
  }

  prefer(key: string): void {
    this.#preferred = key;
  }
}
