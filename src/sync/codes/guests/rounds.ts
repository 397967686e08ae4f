// Looks at locks one after another, each once for any number of requests, and tells callers when all were compared.
import type { LockId } from '../../../domain/locks/lock.ts';
import type { Clock } from '../../../support/clock.ts';

export interface GuestRoundsParts {
  readonly clock: Pick<Clock, 'after'>;
  /** Compares a lock. Resolves with whether the shown standings of its guests are up to date. Never rejects. */
  readonly look: (id: LockId) => Promise<boolean>;
}

interface Waiting {
  readonly open: Set<LockId>;
  readonly end: (isCompared: boolean) => void;
}

/** How long a person waits for locks that are slow or at work, in milliseconds (our choice). */
const COMPARED_WITHIN_MS = 10_000;

export class GuestRounds {
  readonly #parts: GuestRoundsParts;
  readonly #due = new Set<LockId>();
  readonly #waiting = new Set<Waiting>();
  #isWorking = false;
  #isRunning = false;

  constructor(parts: GuestRoundsParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  start(): void {
    this.#isRunning = true;
  }

  dispose(): void {
    this.#isRunning = false;
    this.#due.clear();
    for (const { end } of this.#waiting) {
      end(false);
    }
  }

  isDue(id: LockId): boolean {
    return this.#due.has(id);
  }

  lookAt(id: LockId): void {
    this.#due.add(id);
    if (!this.#isWorking && this.#isRunning) {
      void this.#work();
    }
  }

  /** Looks at these locks. Resolves with true once each was compared, and with false after ten seconds. */
  async compare(ids: ReadonlySet<LockId>): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(COMPARED_WITHIN_MS, () => waiting.end(false));
      const waiting: Waiting = {
        open: new Set(ids),
        end: (isCompared) => {
          cancel();
          this.#waiting.delete(waiting);
          resolve(isCompared);
        },
      };
      this.#waiting.add(waiting);
      endWhenEmpty(waiting);
      for (const id of ids) {
        this.lookAt(id);
      }
    });
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (const id of this.#due) {
      this.#due.delete(id);
      const waiting = [...this.#waiting];
      if (await this.#parts.look(id)) {
        for (const one of waiting) {
          one.open.delete(id);
          endWhenEmpty(one);
        }
      }
    }
    this.#isWorking = false;
  }
}

function endWhenEmpty({ open, end }: Waiting): void {
  if (open.size === 0) {
    end(true);
  }
}
