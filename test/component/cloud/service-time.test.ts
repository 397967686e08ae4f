// The service's time from whole-second Date headers: never ahead of the truth, never back, deaf to our own wall clock.
import { describe, expect, it } from 'vitest';
import { ServiceTime } from '../../../src/cloud/http/service-time.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const httpDate = (epochMs: number): string => new Date(epochMs).toUTCString();

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

  it.each([3_600_000, -3_600_000, 5_000])(
    'follows a clock that was set by %i ms, or a sleep of this machine, when a second answer agrees, and not before',
    (byMs) => {
      const time = new ServiceTime(new ManualClock());
      const start = Date.UTC(2026, 3, 14);
      const hears = (sentAt: number, aheadMs: number): void => {
        time.observe(httpDate(start + sentAt + aheadMs), sentAt, sentAt + 10);
      };
      hears(0, 0);
      const before = time.at(10_000);
      hears(1_000, byMs);
      expect(time.at(10_000)).toBe(before);
      hears(2_000, byMs);
      expect(Math.abs(time.at(2_005) - (start + 2_005 + byMs))).toBeLessThanOrEqual(1_010);
    },
  );

  it.each([undefined, '', 'now'])('learns nothing from the Date %j', (date) => {
    const clock = new ManualClock();
    const time = new ServiceTime(clock);
    time.observe(date, 0, 10);
    expect(time.now()).toBe(clock.now());
  });
});
