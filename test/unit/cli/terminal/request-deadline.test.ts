// The validity of a request: counted on both clocks, from the moment of the command.
import { describe, expect, it } from 'vitest';
import { withinDeadline } from '../../../../src/cli/terminal/request-deadline.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** Finds something after this time on the monotonic clock, and this much more on the wall's. */
function finding(clock: ManualClock, afterMs: number, sleptMs = 0) {
  return async () =>
    new Promise<string>((resolve) => {
      clock.after(afterMs, () => {
        clock.jumpWallTo(clock.now() + sleptMs);
        resolve('found');
      });
    });
}

async function outcome(target: 'secured' | 'unsecured', afterMs: number, sleptMs = 0): Promise<unknown> {
  const clock = new ManualClock();
  const found = withinDeadline(target, clock, finding(clock, afterMs, sleptMs)).catch(
    (error: unknown) => error,
  );
  await clock.advance(afterMs + 1_000);
  return found;
}

describe('the preparation of a request', () => {
  it.each([
    ['unsecured', 9_900],
    ['secured', 64_900],
  ] as const)('is used while the request is still in time: %s after %i ms', async (target, afterMs) => {
    expect(await outcome(target, afterMs)).toBe('found');
  });

  it.each([
    ['unsecured', 10_100, 'within 10 s, and an unlock is never sent late: nothing was sent.'],
    ['secured', 65_100, 'within 65 s, so nothing was sent.'],
  ] as const)('comes too late for %s after %i ms (faults#29)', async (target, afterMs, words) => {
    expect(await outcome(target, afterMs)).toMatchObject({
      disposition: 'retry',
      message: `The account could not be reached ${words}`,
    });
  });

  it('comes too late when the machine slept meanwhile, whose timers did not notice (faults#29)', async () => {
    expect(await outcome('unsecured', 3_000, 3_600_000)).toMatchObject({ code: 'timed-out' });
    expect(await outcome('unsecured', 3_000, -3_600_000)).toBe('found');
  });

  it('leaves no timer behind', async () => {
    const clock = new ManualClock();
    await withinDeadline('unsecured', clock, async () => Promise.resolve('found'));
    expect(clock.pendingTimers).toBe(0);
  });
});
