// When the service is asked next.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FIRST_OUTCOME_READ_MS,
  type ListingFacts,
  nextListingAt,
  nextOutcomeReadMs,
  PACED_LISTINGS,
  paceMs,
  watchedClosely,
} from '../../../../src/domain/polling/poll-policy.ts';

const usual: ListingFacts = {
  now: 100_000,
  lastAskedAt: 90_000,
  outage: null,
  watchedSince: [],
  emptyInDoubt: false,
  webhooks: 'absent',
  idleMs: 30_000,
  healthyMs: 60_000,
  random: 0,
};

const after = (failures: number, notBefore: number | null = null): Partial<ListingFacts> => ({
  outage: { since: 90_000, failures, notBefore },
});

describe('the next listing', () => {
  it.each<[string, Partial<ListingFacts>, number]>([
    ['is due at once before the first', { lastAskedAt: null }, 100_000],
    ['comes after the idle interval', {}, 120_000],
    ['comes after the wide one while webhooks arrive', { webhooks: 'healthy' }, 150_000],
    ['comes after the idle interval while webhooks are doubted', { webhooks: 'degraded' }, 120_000],
    ['comes close after something stirred', { watchedSince: [95_000] }, 96_500],
    ['watches on at growing distances', { watchedSince: [88_000], lastAskedAt: 90_000 }, 94_000],
    ['looks nine and a half seconds later, for lists that lag', { watchedSince: [82_000] }, 91_500],
    ['goes on with an earlier watch', { watchedSince: [81_000, 99_000] }, 90_500],
    ['returns to the interval when the close watch is over', { watchedSince: [69_000] }, 120_000],
    ['comes soon after an empty one that is in doubt', { emptyInDoubt: true }, 95_000],
    ['is earlier by chance, never later', { webhooks: 'healthy', random: 1 }, 145_200],
    ['backs off after a failure', after(1), 92_000],
    ['backs off twice as far after the next', after(2), 94_000],
    ['backs off to two minutes at the most', after(40), 210_000],
    ['obeys a wait that the service named', after(1, 500_000), 500_000],
    ['obeys it a little longer by chance', { ...after(1, 200_000), random: 1 }, 208_000],
    ['obeys a wait even when something stirred', { ...after(1, 500_000), watchedSince: [95_000] }, 500_000],
  ])('%s', (_title, facts, at) => {
    expect(nextListingAt({ ...usual, ...facts })).toBe(at);
  });

  it('is never before the time that the service named (faults#38)', () => {
    const facts = fc.record({
      now: fc.nat(1e6),
      lastAskedAt: fc.option(fc.nat(1e6), { nil: null }),
      outage: fc.record({ since: fc.nat(1e6), failures: fc.nat(50), notBefore: fc.nat(2e6) }),
      watchedSince: fc.array(fc.nat(1e6)),
      emptyInDoubt: fc.boolean(),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
      webhooks: fc.constantFrom('absent' as const, 'healthy' as const, 'degraded' as const),
      idleMs: fc.integer({ min: 1000, max: 1e6 }),
      healthyMs: fc.integer({ min: 1000, max: 1e6 }),
    });
    fc.assert(
      fc.property(facts, (given) => {
        expect(nextListingAt(given)).toBeGreaterThanOrEqual(given.outage.notBefore);
      }),
    );
  });
});

describe('the close watches', () => {
  it('go on side by side until each is over, eight at most: the latest replaces the one before it', () => {
    expect(watchedClosely([79_000, 79_001, 90_000], 100_000)).toEqual([79_001, 90_000, 100_000]);
    const eight = Array.from({ length: 8 }, (_, index) => index * 1_000);
    expect(watchedClosely(eight, 8_000)).toEqual([...eight.slice(0, 7), 8_000]);
  });

  it('serve what happens within half a second, but no chain of it', () => {
    expect(watchedClosely([90_000], 90_500)).toEqual([90_000]);
    expect(watchedClosely([90_000], 90_501)).toEqual([90_000, 90_501]);
  });

  it('are asked for at their times, which are not shortened by chance', () => {
    const facts = { ...usual, random: 1, watchedSince: [95_000], lastAskedAt: 95_000 };
    expect(nextListingAt(facts)).toBe(96_500);
  });
});

describe('the pace of listings', () => {
  it.each<[string, readonly number[], number, readonly number[], number]>([
    ['lets the first two go', [100_000], 100_000, [], 0],
    ['holds the third back', [100_000, 101_000], 101_000, [], 4_000],
    ['lets it go five seconds after the first', [100_000, 101_000], 105_000, [], 0],
    ['lets it go 9.5 s after news (faults#140)', [106_000, 110_000], 110_500, [101_500], 500],
    ['is over by then', [102_000, 106_000], 108_000, [104_500], 0],
    ['holds the next one back', [110_000, 114_000], 114_500, [104_500], 500],
  ])('%s', (_title, askedAt, now, watchedSince, waitMs) => {
    expect(paceMs(askedAt, now, watchedSince)).toBe(waitMs);
  });

  it('allows two in any five seconds, for all causes together, and the late one of each close watch', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(2_000), { maxLength: 60 }),
        fc.array(fc.nat(60_000), { maxLength: 3 }),
        (gaps, watchedSince) => {
          let now = 0;
          const asked: number[] = [];
          for (const gapMs of gaps) {
            now += gapMs;
            const waitMs = paceMs(asked.slice(-PACED_LISTINGS), now, watchedSince);
            expect(waitMs).toBeLessThanOrEqual(5_000);
            now += waitMs;
            asked.push(now);
          }
          for (const [index, at] of asked.entries()) {
            const beside = watchedSince.filter((since) => since + 9_500 >= at && since + 9_500 <= at + 5_000);
            const third = asked[index + PACED_LISTINGS + beside.length];
            expect((third ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(5_000);
          }
        },
      ),
    );
  });
});

describe('reading a command back', () => {
  /** When a command's end is read, in milliseconds, while every answer takes `tookMs`. */
  function readings(untilMs: number, tookMs: number): number[] {
    const reads: number[] = [];
    for (let at = FIRST_OUTCOME_READ_MS; reads.at(-1) === undefined || (reads.at(-1) ?? 0) < untilMs; ) {
      reads.push(at);
      at += tookMs + nextOutcomeReadMs(at, tookMs);
    }
    return reads;
  }

  it('takes twelve readings at most for a travel of eight seconds', () => {
    expect(readings(8_000, 0).length).toBeLessThanOrEqual(12);
  });

  it('begins within half a second, so that a bolt that jams at once is seen soon', () => {
    expect(FIRST_OUTCOME_READ_MS).toBeLessThan(500 - 10);
  });

  it('is late, by more than 400 ms and a fifth of the travel, for 3 of 100 travels at most', () => {
    // Log-uniform from 0.2 to 8 s, every answer after 3 ms, another 3 ms until Home has heard.
    const travels = Array.from({ length: 10_000 }, (_, index) => 200 * 40 ** ((index + 0.5) / 10_000));
    const reads = readings(8_000, 3);
    const late = travels.filter((travelMs) => {
      const seenAt = (reads.find((at) => at >= travelMs) ?? Number.POSITIVE_INFINITY) + 6;
      return seenAt - travelMs > Math.max(400, 0.2 * travelMs);
    });
    expect(late.length / travels.length).toBeLessThan(0.03);
  });

  it('keeps its distances however long an answer takes, and gives a slow service more time', () => {
    expect(readings(2_000, 150)).toEqual(readings(2_000, 0));
    expect(nextOutcomeReadMs(1_000, 300)).toBe(300);
    expect(nextOutcomeReadMs(1_000, 30_000)).toBe(392);
  });

  it('never waits longer than five seconds', () => {
    expect(nextOutcomeReadMs(60_000, 0)).toBe(5_000);
  });
});
