// Runs tasks a few at a time, retries each through outages, and defers those that must wait to the end.
import { backOffMs } from '../../../domain/polling/backoff-policy.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import { type Clock, delay } from '../../../support/clock.ts';
import { RetryError, WaitError } from '../../../support/errors.ts';

export type TaskOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** To be retried, not before this instant of this machine. */
  | { readonly kind: 'later'; readonly at: Instant };

export type Task<Result> = () => Promise<TaskOutcome<Result>>;

export interface TaskPoolParts<Result> {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly onDone: (result: Result) => void;
}

/** Concurrent tasks (our choice): enough for a service that takes two seconds to answer. */
const MAX_CONCURRENT = 4;

/** Consecutive failures after which the run ends, and the pauses between them (our choice). */
const MAX_FAILURES = 8;
const PAUSES = { firstMs: 1_000, longestMs: 60_000 } as const;

/**
 * Resolves when every task is done. Rejects with the first failure that a retry cannot fix, with the last of many in a
 * row, and with `aborted` on the signal; no task is running by then.
 */
export async function runTasks<Result>(
  tasks: readonly Task<Result>[],
  parts: TaskPoolParts<Result>,
): Promise<void> {
  const [first, ...others] = tasks;
  const pool = new TaskPool(parts);
  // The first task runs alone: its answer reports the limits.
  await pool.run(first === undefined ? [] : [first]);
  await pool.run(others);
  await pool.runDeferred();
}

class TaskPool<Result> {
  readonly #parts: TaskPoolParts<Result>;
  #queue: Task<Result>[] = [];
  #deferred: { readonly at: Instant; readonly task: Task<Result> }[] = [];
  #failures = 0;

  constructor(parts: TaskPoolParts<Result>) {
    this.#parts = parts;
  }

  async run(tasks: readonly Task<Result>[]): Promise<void> {
    this.#queue = [...tasks];
    const workers = Array.from({ length: Math.min(MAX_CONCURRENT, tasks.length) }, async () => this.#work());
    const outcomes = await Promise.allSettled(workers);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) {
      throw failure.reason;
    }
  }

  async runDeferred(): Promise<void> {
    const { clock, signal } = this.#parts;
    while (this.#deferred.length > 0) {
      const next = Math.min(...this.#deferred.map(({ at }) => at));
      await stoppable(delay(clock, next - clock.now(), signal), signal);
      // One instant for both, or a task that becomes due between them is lost, and its row with it.
      const now = clock.now();
      const due = this.#deferred.filter(({ at }) => at <= now);
      this.#deferred = this.#deferred.filter(({ at }) => at > now);
      await this.run(due.map(({ task }) => task));
    }
  }

  async #work(): Promise<void> {
    try {
      for (let task = this.#queue.shift(); task !== undefined; task = this.#queue.shift()) {
        const outcome = await this.#persist(task);
        if (outcome.kind === 'later') {
          this.#deferred.push({ at: outcome.at, task });
        } else {
          this.#parts.onDone(outcome.result);
        }
      }
    } catch (error) {
      // The other workers finish their current task.
      this.#queue = [];
      throw error;
    }
  }

  async #persist(task: Task<Result>): Promise<TaskOutcome<Result>> {
    const { clock, signal } = this.#parts;
    for (;;) {
      try {
        const outcome = await task();
        this.#failures = 0;
        return outcome;
      } catch (error) {
        const mayHelp =
          (error instanceof RetryError && error.code !== 'aborted') || error instanceof WaitError;
        this.#failures += 1;
        if (!mayHelp || this.#failures >= MAX_FAILURES || signal?.aborted === true) {
          throw error;
        }
        await stoppable(delay(clock, backOffMs(this.#failures, PAUSES), signal), signal);
      }
    }
  }
}

async function stoppable(wait: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait;
  } catch (error) {
    throw signal?.aborted === true
      ? new RetryError('aborted', 'Stopped before it was done.', { cause: error })
      : error;
  }
}
