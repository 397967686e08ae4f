// Calls that wait for the broker: each ends when its work does, its caller gives up, or the connection ends.

export class UnderWay {
  readonly #stops = new Set<() => void>();
  #isStopped = false;

  /** The result of `work`, or a rejection with `stopped` when it is too late for that. */
  async run<T>(work: Promise<T>, stopped: Error, signal: AbortSignal | undefined): Promise<T> {
    const end = Promise.withResolvers<never>();
    const giveUp = (): void => {
      end.reject(stopped);
    };
    if (this.#isStopped || signal?.aborted === true) {
      giveUp();
    }
    this.#stops.add(giveUp);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      return await Promise.race([end.promise, work]);
    } finally {
      this.#stops.delete(giveUp);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Ends all of them, and every later one at once. */
  stop(): void {
    this.#isStopped = true;
    for (const giveUp of this.#stops) {
      giveUp();
    }
  }
}
