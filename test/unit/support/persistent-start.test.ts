// Starting while the disk fails: again and again with one line, and only once when a retry cannot help.
import { expect, it } from 'vitest';
import { FinalError, RetryError } from '../../../src/support/errors.ts';
import { type Log, silentLog } from '../../../src/support/log.ts';
import { startPersistently } from '../../../src/support/persistent-start.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';

/** A beginning that throws these, one a try, and then succeeds. */
function starting(obstacles: readonly Error[]) {
  const clock = new ManualClock(undefined, settlePromises);
  const lines: string[] = [];
  const log: Log = { ...silentLog, warn: (line) => lines.push(line), error: (line) => lines.push(line) };
  const tries: number[] = [];
  const stop = startPersistently(clock, log, () => {
    const obstacle = obstacles[tries.length];
    tries.push(clock.monotonic());
    if (obstacle !== undefined) {
      throw obstacle;
    }
  });
  return { clock, lines, tries, stop };
}

const locked = new RetryError('storage-failed', 'database is locked');

it('a start is tried again, ever less often and with one line, until the disk allows it', async () => {
  const { clock, lines, tries } = starting(Array.from({ length: 7 }, () => locked));
  await clock.advance(3_600_000);
  expect(tries).toEqual([0, 2_000, 6_000, 14_000, 30_000, 62_000, 122_000, 182_000]);
  expect(lines).toEqual(['Not started yet; retrying: database is locked']);
});

it.each([
  ['a configuration that is not finished', new FinalError('bad-configuration', 'Missing: clientId.')],
  ['a fault of ours', new TypeError('Missing: clientId.')],
])('a start gives up at once over %s, and says so', async (_, error) => {
  const { clock, lines, tries } = starting([error]);
  await clock.advance(3_600_000);
  expect([tries, lines]).toEqual([[0], ['Not started. Missing: clientId.']]);
});

it('a start ends with the process that wanted it', async () => {
  const { clock, tries, stop } = starting([locked, locked]);
  await clock.advance(2_000);
  stop();
  await clock.advance(3_600_000);
  expect([tries.length, clock.pendingTimers]).toEqual([2, 0]);
});
