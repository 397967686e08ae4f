// Turns of the event loop for what holds everything else up, as a commit to a slow disk does: never two of them in a row, so
// that whoever asks meanwhile is behind one at most.

/** Who hands out turns. The event loop is one for the whole process, and so is its keeper: the machine's clock has it. */
export interface CommitScheduler {
  /**
   * Does the work when everybody was listened to since the last that held things up: at once where that is so, else soon, and
   * in the order in which it was asked for. The work must not throw.
   */
  take(work: () => void): void;
  /** The same, before all that waits: for what somebody waits for. */
  takeFirst(work: () => void): void;
  /** Something held everything up just now, in a turn that was not asked for. */
  held(): void;
}

/** Where nobody else has to be listened to: everybody's turn is now. */
export const commitNow: CommitScheduler = {
  take: (work) => {
    work();
  },
  takeFirst: (work) => {
    work();
  },
  held: () => {},
};

/** Resolves when the work was done in a turn of its own. */
export async function scheduleCommit(commits: CommitScheduler, work: () => void): Promise<void> {
  return new Promise((resolve) => {
    commits.take(() => {
      work();
      resolve();
    });
  });
}

/**
 * Of each turn Node's event loop runs timers first, then listens, then runs what `setImmediate` was given. So two such
 * immediates after another have the loop listen in between, wherever they were asked for.
 */
const ROUNDS = 2;

export class LoopCommitScheduler implements CommitScheduler {
  readonly #waiting: (() => void)[] = [];
  /** So many immediates are still to come before everybody was listened to. */
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
      setImmediate(this.#listened);
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

  readonly #listened = (): void => {
    this.#rounds -= 1;
    if (this.#rounds > 0) {
      setImmediate(this.#listened);
    } else {
      this.#goOn();
    }
  };
}
