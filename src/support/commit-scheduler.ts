// Runs blocking commits one at a time, so that I/O is polled between any two and a request waits for one commit at most.

/** Schedules blocking work. The process has one event loop, so the machine's clock holds the only scheduler. */
export interface CommitScheduler {
  /**
   * Runs the work once I/O has been polled since the last blocking work: at once or soon, in the order of the requests.
   * The work must not throw.
   */
  take(work: () => void): void;
  /** The same, ahead of all waiting work: a request waits for it. */
  takeFirst(work: () => void): void;
  /** Reports that unscheduled work has just blocked the event loop. */
  held(): void;
}

/** Runs all work at once, for processes without concurrent I/O. */
export const commitNow: CommitScheduler = {
  take: (work) => work(),
  takeFirst: (work) => work(),
  held: () => {},
};

/** Resolves when the work is done, and rejects with its error. */
export async function scheduleCommit(commits: CommitScheduler, work: () => void): Promise<void> {
  const done = Promise.withResolvers<void>();
  commits.take(() => {
    try {
      done.resolve(work());
    } catch (error) {
      done.reject(error);
    }
  });
  return done.promise;
}

/**
 * In each turn Node's event loop runs timers, then polls I/O, then runs immediates. So between two successive
 * immediates I/O is polled, wherever they were scheduled.
 */
const ROUNDS = 2;

export class LoopCommitScheduler implements CommitScheduler {
  readonly #waiting: (() => void)[] = [];
  /** The number of immediates until I/O has been polled. */
  #rounds = 0;

  take(work: () => void): void {
    this.#waiting.push(work);
    this.#goOn();
  }

  takeFirst(work: () => void): void {
    this.#waiting.unshift(work);
    this.#goOn();
  }

  held(): void {
    if (this.#rounds === 0) {
      setImmediate(this.#polled);
    }
    this.#rounds = ROUNDS;
  }

  #goOn(): void {
    const work = this.#rounds === 0 ? this.#waiting.shift() : undefined;
    if (work !== undefined) {
      this.held();
      work();
    }
  }

  readonly #polled = (): void => {
    this.#rounds -= 1;
    if (this.#rounds > 0) {
      setImmediate(this.#polled);
    } else {
      this.#goOn();
    }
  };
}
