// An answer in time, or none.
import { describe, expect, it } from 'vitest';
import { withTimeout } from '../../../../src/homekit/hap/with-timeout.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

describe('an answer', () => {
  it('in time is passed on, and the timer is cleared', async () => {
    const clock = new ManualClock();
    expect(await withTimeout(clock, 2_000, Promise.resolve('yes'))).toBe('yes');
    expect(clock.pendingTimers).toBe(0);
  });

  it('after the timeout is null', async () => {
    const clock = new ManualClock();
    const answer = withTimeout(clock, 2_000, new Promise<string>(() => {}));
    await clock.advance(2_000);
    expect(await answer).toBeNull();
  });

  it('that fails in time fails, and the timer is cleared', async () => {
    const clock = new ManualClock();
    await expect(withTimeout(clock, 2_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(clock.pendingTimers).toBe(0);
  });
});
