// When the service is asked next.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ListingFacts, nextListingAt, nextOutcomeReadMs } from '../../../src/domain/poll-policy.ts';

const usual: ListingFacts = {
  now: 100_000,
  lastAskedAt: 90_000,
  failures: 0,
  lastStirAt: null,
  notBefore: null,
  webhooks: 'absent',
  idleMs: 30_000,
  healthyMs: 300_000,
};

describe('the next listing', () => {
  it.each<[string, Partial<ListingFacts>, number]>([
    ['is due at once before the first', { lastAskedAt: null }, 100_000],
    ['comes after the idle interval', {}, 120_000],
    ['comes after the wide one while webhooks are proven', { webhooks: 'proven' }, 390_000],
    ['comes after the idle interval while webhooks are doubted', { webhooks: 'doubted' }, 120_000],
    ['comes close after something stirred', { lastStirAt: 95_000 }, 96_500],
    ['watches on at growing distances', { lastStirAt: 88_000, lastAskedAt: 90_000 }, 94_000],
    ['returns to the interval when the close watch is over', { lastStirAt: 70_000 }, 120_000],
    ['backs off after a failure', { failures: 1 }, 92_000],
    ['backs off twice as far after the next', { failures: 2 }, 94_000],
    ['backs off to two minutes at the most', { failures: 40 }, 210_000],
    ['obeys a wait that the service named', { notBefore: 500_000 }, 500_000],
    ['obeys a wait even when something stirred', { notBefore: 500_000, lastStirAt: 95_000 }, 500_000],
  ])('%s', (_title, facts, at) => {
    expect(nextListingAt({ ...usual, ...facts })).toBe(at);
  });

  it('is never before the time the service named (faults#38)', () => {
    const facts = fc.record({
      now: fc.nat(1e6),
      lastAskedAt: fc.option(fc.nat(1e6), { nil: null }),
      failures: fc.nat(50),
      lastStirAt: fc.option(fc.nat(1e6), { nil: null }),
      notBefore: fc.nat(2e6),
      webhooks: fc.constantFrom('absent' as const, 'proven' as const, 'doubted' as const),
      idleMs: fc.integer({ min: 1000, max: 1e6 }),
      healthyMs: fc.integer({ min: 1000, max: 1e6 }),
    });
    fc.assert(
      fc.property(facts, (given) => {
        expect(nextListingAt(given)).toBeGreaterThanOrEqual(given.notBefore);
      }),
    );
  });
});

describe('reading a command back', () => {
  it('takes twelve readings at most for a travel of eight seconds, none later than a fifth and a bit', () => {
    const reads: number[] = [];
    for (let at = nextOutcomeReadMs(0); reads.at(-1) === undefined || (reads.at(-1) ?? 0) < 8_000; ) {
      reads.push(at);
      at += nextOutcomeReadMs(at);
    }
    expect(reads.length).toBeLessThanOrEqual(12);
    for (const [index, at] of reads.entries()) {
      const previous = reads[index - 1] ?? 0;
      expect(at - previous).toBeLessThanOrEqual(Math.max(405, previous * 0.218) + 1e-6);
    }
  });

  it('never waits longer than five seconds', () => {
    expect(nextOutcomeReadMs(60_000)).toBe(5_000);
  });
});
