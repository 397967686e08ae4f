// Gathers changes of what accessories consist of: each makes Homebridge write all accessories, and Home read all of them again.
import type { CancelTimer, Clock } from '../../support/clock.ts';

/** How long the first of them waits for others, in milliseconds: histories of many locks are read one after another (our choice). */
const GATHERED_FOR_MS = 600_000;

export class ShapeChanges {
  readonly #clock: Clock;
  readonly #waiting = new Map<object, () => void>();
  #cancel: CancelTimer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes the change later, together with others. Of one `owner` the last change counts. */
  later(owner: object, change: () => void): void {
    this.#waiting.set(owner, change);
    this.#cancel ??= this.#clock.after(GATHERED_FOR_MS, () => {
      const changes = [...this.#waiting.values()];
      this.dispose();
      for (const make of changes) {
        make();
      }
    });
  }

  dispose(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#waiting.clear();
  }
}
