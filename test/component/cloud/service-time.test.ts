// The service's time from whole-second Date headers: never ahead of the truth, never back, deaf to our own wall clock.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceTime } from '../../../src/cloud/http/service-time.ts';
import { commitNow } from '../../../src/support/commit-scheduler.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const httpDate = (epochMs: number): string => new Date(epochMs).toUTCString();

/** One answer: its question and itself travel for so long, `sinceMs` after the answer before it. */
const answers = fc.array(
  fc.record({
    sinceMs: fc.integer({ min: 0, max: 120_000 }),
    outMs: fc.integer({ min: 0, max: 2_000 }),
    backMs: fc.integer({ min: 0, max: 2_000 }),
  }),
  { minLength: 1, maxLength: 40 },
);

describe('the time of the service', () => {
  it('is the machine’s until the first answer, and no jump of its wall clock moves it (faults#20)', async () => {
    const clock = new ManualClock();
    const time = new ServiceTime(clock);
    const start = clock.now();
    clock.jumpWallTo(start + 86_400_000);
    await clock.advance(1_000);
    expect(time.now()).toBe(start + 1_000);
    expect(time.skew()).toBeNull();
  });

  it('follows the first answer, a day away or not', () => {
    const clock = new ManualClock();
    const time = new ServiceTime(clock);
    const there = clock.now() - 86_400_000;
    time.observe(httpDate(there), 0, 100);
    expect(there - time.at(0)).toBeGreaterThanOrEqual(0);
    expect(there - time.at(0)).toBeLessThanOrEqual(1_100);
    expect(time.skew()?.aheadMs).toBeCloseTo(86_400_000, -3);
  });

  it('is never later than the truth, and never goes back, whatever the network does', () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: -1e10, max: 1e10 }), (exchanges, ahead) => {
        let monotonicMs = 0;
        const truth = (): number => Date.UTC(2026, 3, 14) + monotonicMs;
        const time = new ServiceTime({
          commits: commitNow,
          now: () => truth() + ahead,
          monotonic: () => monotonicMs,
          after: () => () => {},
        });
        let latest = Number.NEGATIVE_INFINITY;
        for (const { sinceMs, outMs, backMs } of exchanges) {
          monotonicMs += sinceMs;
          const sentAt = monotonicMs;
          monotonicMs += outMs;
          const date = httpDate(truth());
          monotonicMs += backMs;
          time.observe(date, sentAt, monotonicMs);
          expect(time.now()).toBeLessThanOrEqual(truth());
          expect(time.now()).toBeGreaterThanOrEqual(latest);
          latest = time.now();
          const skew = time.skew() ?? { aheadMs: 0, uncertaintyMs: 0 };
          expect(Math.abs(skew.aheadMs - ahead)).toBeLessThanOrEqual(skew.uncertaintyMs + 1);
        }
      }),
    );
  });

  it('dates a question after every event received and every question asked before it (faults#83)', () => {
    const clock = new ManualClock();
    const time = new ServiceTime(clock);
    time.observe(httpDate(clock.now()), 0, 40);
    const { latest } = time.bounds();
    time.received(latest);
    const first = time.asking();
    const second = time.asking();
    // An answer that comes from the end of its second: the event was dated ahead of the service's clock.
    time.observe(httpDate(clock.now() - 1_000), 0, 0);
    expect(time.bounds().latest).toBeLessThan(latest);
    expect([time.at(0, first), time.at(0, second)]).toEqual([latest + 1, latest + 2]);
  });

  it('gets sharper with every answer', () => {
    const clock = new ManualClock();
    const time = new ServiceTime(clock);
    const truth = (monotonicMs: number): number => Date.UTC(2026, 3, 14, 12) + 450 + monotonicMs;
    time.observe(httpDate(truth(20)), 0, 40);
    const first = time.skew()?.uncertaintyMs ?? 0;
    for (let monotonicMs = 1_000; monotonicMs < 60_000; monotonicMs += 1_370) {
      time.observe(httpDate(truth(monotonicMs)), monotonicMs - 20, monotonicMs + 20);
    }
    expect(first).toBeGreaterThan(500);
    expect(time.skew()?.uncertaintyMs).toBeLessThan(100);
    expect(truth(60_000) - time.at(60_000)).toBeLessThan(100);
  });

  it('follows two clocks that drift apart for a month without ever going back', () => {
    const clock = new ManualClock();
    const time = new ServiceTime(clock);
    const truth = (monotonicMs: number): number => Date.UTC(2026, 3, 14) + monotonicMs * 1.000_1;
    let latest = Number.NEGATIVE_INFINITY;
    for (let minute = 0; minute < 30 * 24 * 60; minute += 1) {
      const monotonicMs = minute * 60_000;
      time.observe(httpDate(truth(monotonicMs)), monotonicMs - 30, monotonicMs + 30);
      expect(time.at(monotonicMs)).toBeGreaterThanOrEqual(latest);
      expect(Math.abs(time.at(monotonicMs) - truth(monotonicMs))).toBeLessThan(1_100);
      latest = time.at(monotonicMs);
    }
  });

  const start = Date.UTC(2026, 3, 14);
  /** An answer that took 10 ms, from a clock that is so far ahead of the one that was known first. */
  const hears = (time: ServiceTime, sentAt: number, aheadMs: number): void => {
    time.observe(httpDate(start + sentAt + aheadMs), sentAt, sentAt + 10);
  };

  it.each([3_600_000, -3_600_000, 5_000])(
    'follows a clock that was set by %i ms, or a sleep of this machine, when a second answer agrees',
    (byMs) => {
      const time = new ServiceTime(new ManualClock());
      hears(time, 0, 0);
      hears(time, 1_000, byMs);
      hears(time, 2_000, byMs);
      expect(Math.abs(time.at(2_005) - (start + 2_005 + byMs))).toBeLessThanOrEqual(1_010);
    },
  );

  it.each([3_600_000, -3_600_000, 5_000])('is not moved by one Date that is %i ms off', (byMs) => {
    const time = new ServiceTime(new ManualClock());
    hears(time, 0, 0);
    const before = time.at(10_000);
    hears(time, 1_000, byMs);
    expect(time.at(10_000)).toBe(before);
    hears(time, 2_000, 0);
    hears(time, 3_000, byMs);
    expect(Math.abs(time.at(10_000) - before)).toBeLessThanOrEqual(5);
  });

  it('is not moved by strange Dates that contradict each other, nor by two of the same moment', () => {
    const time = new ServiceTime(new ManualClock());
    hears(time, 0, 0);
    const before = time.at(10_000);
    hears(time, 1_000, 3_600_000);
    hears(time, 2_000, 7_200_000);
    hears(time, 3_000, 3_600_000);
    hears(time, 3_005, 3_600_000);
    expect(time.at(10_000)).toBe(before);
    hears(time, 4_000, 3_600_000);
    expect(time.at(10_000) - before).toBeGreaterThan(3_500_000);
  });

  it.each([undefined, '', 'now'])('learns nothing from the Date %j', (date) => {
    const clock = new ManualClock();
    const time = new ServiceTime(clock);
    time.observe(date, 0, 10);
    expect(time.now()).toBe(clock.now());
  });
});
