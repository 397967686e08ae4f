// The tolerances of time, each at its edge.
import { describe, expect, it } from 'vitest';
import {
  ageOf,
  countedMs,
  elapsedMs,
  isCredible,
  isKeepable,
  isLate,
  isPlaceable,
  isTooOldToDeliver,
  LATE_AFTER_MS,
  OUTAGE_GRACE_MS,
  staleBefore,
  suspendedMs,
  type TimeBounds,
} from '../../../../src/domain/time/time.ts';

const NOW = 1e12;
const HOUR = 3_600_000;
const bounds: TimeBounds = { earliest: NOW, latest: NOW + 800, unconfirmedSleepMs: 0, setBackMs: 0 };
const moment = (monotonicMs: number, wallMs: number) => ({ monotonicMs, wallMs });

describe('the length of a time', () => {
  it.each([
    ['both clocks agree', moment(100, 1_100), 100],
    ['the machine slept', moment(100, 9_000), 8_000],
    ['the wall clock was set back', moment(100, -9_000), 100],
  ])('is that of the clock which counted more of it: %s', (_when, to, expected) => {
    expect(elapsedMs(moment(0, 1_000), to)).toBe(expected);
  });

  it('counts as a sleep when only the wall clock counted more than 5 s of it', () => {
    const slept = [5_100, 5_101, -HOUR].map((wallMs) => suspendedMs(moment(0, 0), moment(100, wallMs)));
    expect(slept).toEqual([0, 5_001, 0]);
  });

  it('in a sum is that of the monotonic clock, up to a difference of 50 ms', () => {
    const counted = [350, 351, 0].map((wallMs) => countedMs(moment(0, 0), moment(300, wallMs)));
    expect(counted).toEqual([300, 351, 300]);
  });
});

describe('an event', () => {
  it('is placed up to the latest present time, and no further', () => {
    expect([isPlaceable(NOW + 800, bounds), isPlaceable(NOW + 801, bounds)]).toEqual([true, false]);
  });

  it('is late after two minutes, too old after 25 hours, and not credible from more than 5 minutes ahead', () => {
    expect([isLate(NOW - LATE_AFTER_MS, NOW), isLate(NOW - LATE_AFTER_MS - 1, NOW)]).toEqual([false, true]);
    const tooOld = [25 * HOUR, 25 * HOUR + 1].map((ms) => isTooOldToDeliver(NOW - ms, NOW));
    expect(tooOld).toEqual([false, true]);
    expect([isCredible(NOW + 300_000, NOW), isCredible(NOW + 300_001, NOW)]).toEqual([true, false]);
  });
});

describe('an age', () => {
  it('is never negative, and unknown for a date ahead of the service’s clock', () => {
    expect([NOW - 5, NOW + 800, NOW + 801].map((at) => ageOf(at, bounds))).toEqual([5, 0, null]);
  });

  it('counts a sleep that is not confirmed yet', () => {
    expect(ageOf(NOW, { ...bounds, unconfirmedSleepMs: HOUR })).toBe(HOUR);
  });
});

it('a history entry is kept for as long as the archive keeps any, up to a day ahead (faults#87)', () => {
  const KEPT = 30 * 24 * HOUR;
  const dates = [NOW - KEPT, NOW - KEPT + 1, NOW + 24 * HOUR, NOW + 24 * HOUR + 1];
  expect(dates.map((at) => isKeepable(at, NOW, KEPT))).toEqual([false, true, true, false]);
});

describe('freshness', () => {
  const maxAgeMs = 900_000;
  const failing = (forMs: number) => ({ forMs, isAsked: true });

  it('is judged by the age limit while the service answers and in the first minute of an outage', () => {
    expect(staleBefore(bounds, { maxAgeMs, failing: null })).toBe(NOW - maxAgeMs);
    expect(staleBefore(bounds, { maxAgeMs, failing: failing(OUTAGE_GRACE_MS - 1) })).toBe(NOW - maxAgeMs);
  });

  it('shrinks to five minutes in an outage that lasts (faults#172), and to one where the disk is what fails (faults#108)', () => {
    const outage = failing(OUTAGE_GRACE_MS);
    expect(staleBefore(bounds, { maxAgeMs, failing: outage })).toBe(NOW - 290_000);
    expect(staleBefore(bounds, { maxAgeMs: 10_000, failing: failing(10_000) })).toBe(NOW - 10_000);
    const unasked = { ...outage, isAsked: false };
    expect(staleBefore(bounds, { maxAgeMs, failing: unasked })).toBe(NOW - OUTAGE_GRACE_MS);
    expect(staleBefore(bounds, { maxAgeMs: 10_000, failing: unasked })).toBe(NOW - 10_000);
  });

  it('counts every sleep, confirmed or not', () => {
    const slept = { ...bounds, unconfirmedSleepMs: HOUR };
    expect(staleBefore(slept, { maxAgeMs, failing: null })).toBe(NOW + HOUR - maxAgeMs);
  });
});
