// Waiting on a clock: to the end, not at all, or until it is abandoned, with nothing left behind.
import { describe, expect, it } from 'vitest';
import { delay } from '../../../src/support/clock.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';

describe('a delay', () => {
  it('ends after its time and not before', async () => {
    const clock = new ManualClock();
    let ended = false;
    const wait = async (): Promise<void> => {
      await delay(clock, 1_000);
      ended = true;
    };
    const waiting = wait();
    await clock.advance(999);
    expect(ended).toBe(false);
    await clock.advance(1);
    await waiting;
    expect(ended).toBe(true);
  });

  it('that is abandoned rejects with the reason and leaves no timer', async () => {
    const clock = new ManualClock();
    const abandon = new AbortController();
    const waiting = delay(clock, 1_000, abandon.signal);
    abandon.abort(new Error('the house was closed'));
    await expect(waiting).rejects.toThrow('the house was closed');
    expect(clock.pendingTimers).toBe(0);
  });

  it('for which nobody waits any more never begins', async () => {
    const clock = new ManualClock();
    await expect(delay(clock, 1_000, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(clock.pendingTimers).toBe(0);
  });

  it('that ended does not listen to its signal any more', async () => {
    const clock = new ManualClock();
    const abandon = new AbortController();
    const waiting = delay(clock, 10, abandon.signal);
    await clock.advance(10);
    await waiting;
    abandon.abort();
    await settle();
    await expect(waiting).resolves.toBeUndefined();
  });
});
