// Waiting on a clock: to the end, not at all, or until it is abandoned, without a trace.
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { delay, untilBeat } from '../../../src/support/clock.ts';
import { ManualClock } from '../../support/manual-clock.ts';

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
    abandon.abort(new Error('the account was closed'));
    await expect(waiting).rejects.toThrow('the account was closed');
    expect(clock.pendingTimers).toBe(0);
  });

  it('that its caller gave up before does not begin', async () => {
    const clock = new ManualClock();
    await expect(delay(clock, 1_000, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(clock.pendingTimers).toBe(0);
  });

  it('that has ended no longer listens to its signal', async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const waiting = delay(clock, 10, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await clock.advance(10);
    await waiting;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a beat', () => {
  const at = (monotonicMs: number) => ({ monotonic: () => monotonicMs });

  it.each([
    [0, 12_000],
    [1, 11_999],
    [11_000.5, 999.5],
    [12_000, 12_000],
    [1_000_000, 8_000],
  ])('is the same for all callers that wait for it from %d ms on', (now, wait) => {
    expect(untilBeat(at(now), 12_000)).toBe(wait);
  });

  it('is not waited for again when its timer fired a moment early', () => {
    expect(untilBeat(at(23_998.9), 12_000)).toBeCloseTo(12_001.1);
    expect(untilBeat(at(23_900), 12_000)).toBe(12_100);
  });
});
