// Runs long work in short turns, so that Home, pages and sockets are answered in between.
import { setImmediate as immediate } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Far below what a person notices, and long enough that the pauses cost nothing (our choice). */
const TURN_MS = 8;

/** Lets everybody else run first. */
export async function nextTurn(): Promise<void> {
  await immediate();
}

/** Counts the time of the present turn. */
export class Turns {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #beganAt: number;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#beganAt = clock.monotonic();
  }

  /** True: the turn is used up, and `next` should be awaited before more work. */
  get isOver(): boolean {
    return this.#clock.monotonic() - this.#beganAt >= TURN_MS;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#beganAt = this.#clock.monotonic();
  }
}

/** The result of the steps; each may end a turn. */
export async function inTurns<T>(
  clock: Pick<Clock, 'monotonic'>,
  steps: Generator<undefined, T, undefined>,
): Promise<T> {
  const turns = new Turns(clock);
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
    if (turns.isOver) {
      await turns.next();
    }
  }
}
