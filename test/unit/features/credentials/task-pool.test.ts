// Tasks that have to wait: each is run again when it is due, also one that becomes due while others are picked.
import { expect, it } from 'vitest';
import { runTasks, type Task } from '../../../../src/features/credentials/import/task-pool.ts';
import type { Clock } from '../../../../src/support/clock.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

it('a task that becomes due while those that are due are picked is not lost (faults#105)', async () => {
  const manual = new ManualClock();
  const startedAt = manual.now();
  let looks = 0;
  // A millisecond passes with each look at the clock, as on a busy machine.
  const clock: Clock = {
    commits: manual.commits,
    now: () => {
      looks += 1;
      return manual.now() + looks;
    },
    monotonic: () => manual.monotonic(),
    after: (_, callback) => manual.after(0, callback),
  };
  const tried = new Map<number, number>();
  const tasks = Array.from(
    { length: 20 },
    (_, index): Task<number> =>
      async () => {
        const tries = (tried.get(index) ?? 0) + 1;
        tried.set(index, tries);
        const at = startedAt + 30 + 3 * index;
        return Promise.resolve(tries === 1 ? { kind: 'later', at } : { kind: 'done', result: index });
      },
  );
  const done: number[] = [];
  const running = runTasks(tasks, { clock, signal: undefined, onDone: (result) => done.push(result) });
  for (let turn = 0; turn < 100; turn += 1) {
    await manual.advance(1);
  }
  await running;
  expect(done.toSorted((a, b) => a - b)).toEqual([...tasks.keys()]);
});
