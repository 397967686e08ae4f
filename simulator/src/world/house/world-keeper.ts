// Ties the pure world to a clock: the world has lived up to now before anyone looks at it, and wakes when it has to.
import type { CancelTimer, Clock } from '../../../../src/support/clock.ts';
import type { World } from '../world-types.ts';

export class WorldKeeper {
  readonly #world: World;
  readonly #clock: Clock;
  #armedFor: number | null = null;
  #cancel: CancelTimer | undefined;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
    this.arm();
  }

  /** Lets the world live up to the clock's now. Called before every request and every hand at a door. */
  catchUp(): void {
    this.#world.advance(this.#clock.now());
    this.arm();
  }

  /** Sets the timer for the next due instant. Called after every call that may have changed it. */
  arm(): void {
    const dueAt = this.#world.nextDueAt();
    if (dueAt === this.#armedFor) {
      return;
    }
    this.stop();
    if (dueAt !== null) {
      this.#armedFor = dueAt;
      this.#cancel = this.#clock.after(dueAt - this.#clock.now(), () => {
        this.#armedFor = null;
        this.catchUp();
      });
    }
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#armedFor = null;
  }
}
