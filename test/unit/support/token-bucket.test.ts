// How often something may happen.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBucket, type TokenBucketLimits } from '../../../src/support/token-bucket.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const limitsOf: fc.Arbitrary<TokenBucketLimits> = fc.record({
  burst: fc.integer({ min: 1, max: 20 }),
  everyMs: fc.integer({ min: 1, max: 5_000 }),
});
const pausesMs = fc.array(fc.nat(10_000), { maxLength: 60 });

describe('a token bucket', () => {
  it('has so many tokens at once, then one more at each interval, and never more than full', async () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket(clock, { burst: 3, everyMs: 100 });
    const take = (times: number): readonly (number | null)[] =>
      Array.from({ length: times }, () => bucket.take());
    expect(take(5)).toEqual([null, null, null, 100, 100]);
    await clock.advance(60);
    expect(take(1)).toEqual([40]);
    await clock.advance(40);
    expect(take(2)).toEqual([null, 100]);
    await clock.advance(3_600_000);
    expect(take(4)).toEqual([null, null, null, 100]);
  });

  it('gives no more tokens in any span than a full bucket and one for each interval', async () => {
    await fc.assert(
      fc.asyncProperty(limitsOf, pausesMs, async (limits, pauses) => {
        const clock = new ManualClock();
        const bucket = new TokenBucket(clock, limits);
        const tookAt: number[] = [];
        for (const pauseMs of pauses) {
          await clock.advance(pauseMs);
          while (bucket.take() === null) {
            tookAt.push(clock.monotonic());
          }
        }
        for (const [first, from] of tookAt.entries()) {
          for (const [more, to] of tookAt.slice(first).entries()) {
            expect(1 + more).toBeLessThanOrEqual(limits.burst + (to - from) / limits.everyMs);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('has a first token at any instant, however it is rounded', () => {
    const instant = fc.double({ min: 3_000, max: 7_000, noNaN: true });
    fc.assert(
      fc.property(instant, (at) => {
        const clock = Object.assign(new ManualClock(), { monotonic: () => at });
        expect(new TokenBucket(clock, { burst: 1, everyMs: 60_000 }).take()).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it('has a token again exactly when it said', async () => {
    await fc.assert(
      fc.asyncProperty(limitsOf, pausesMs, async (limits, pauses) => {
        const clock = new ManualClock();
        const bucket = new TokenBucket(clock, limits);
        for (const pauseMs of pauses) {
          await clock.advance(pauseMs);
          const waitMs = bucket.take();
          if (waitMs !== null) {
            await clock.advance(waitMs - 1);
            expect(bucket.take()).toBe(1);
            await clock.advance(1);
            expect(bucket.take()).toBeNull();
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
