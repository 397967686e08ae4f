// The validity of a request: counted on both clocks, from the moment of the command.
import { describe, expect, it } from 'vitest';
import { withinDeadline } from '../../../../src/cli/terminal/request-deadline.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** How it ends when something is found after this time on the monotonic clock, and this much more on the wall's. */
async function outcome(target: 'secured' | 'unsecured', afterMs: number, sleptMs = 0): Promise<unknown> {
  const clock = new ManualClock();
  const find = Promise.withResolvers<string>();
  clock.after(afterMs, () => {
    clock.jumpWallTo(clock.now() + sleptMs);
    find.resolve('found');
  });
  const found = withinDeadline(target, clock, async () => find.promise).catch((error: unknown) => error);
  await clock.advance(afterMs + 1_000);
  expect(clock.pendingTimers).toBe(0);
  return found;
}

describe('the preparation of a request', () => {
  it.each([
    ['unsecured', 9_900, 10_100, 'within 10 s, and an unlock is never sent late: nothing was sent.'],
    ['secured', 64_900, 65_100, 'within 65 s, so nothing was sent.'],
  ] as const)(
    'is in time for %s after %i ms, comes too late after %i ms, and leaves no timer (faults#29)',
    async (target, inTimeMs, lateMs, words) => {
      expect(await outcome(target, inTimeMs)).toBe('found');
      expect(await outcome(target, lateMs)).toMatchObject({
        disposition: 'retry',
        message: `The account could not be reached ${words}`,
      });
    },
  );

  it('comes too late when the machine slept meanwhile, whose timers did not notice (faults#29)', async () => {
    expect(await outcome('unsecured', 3_000, 3_600_000)).toMatchObject({ code: 'timed-out' });
    expect(await outcome('unsecured', 3_000, -3_600_000)).toBe('found');
  });
});
