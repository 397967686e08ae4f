// When a battery is low: the word and the number together, with a gap in which the verdict stays.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLow } from '../../../../src/domain/locks/battery-policy.ts';
import type { Battery, BatteryGrade } from '../../../../src/domain/locks/lock.ts';

const limits = { thresholdPercent: 20, clearPercent: 25 };

describe('a battery', () => {
  it.each<[BatteryGrade, number | null, boolean, boolean]>([
    ['low', 100, false, true],
    ['critical', null, false, true],
    ['normal', null, true, false],
    ['normal', null, false, false],
    ['normal', 19, false, true],
    ['normal', 20, false, true],
    ['normal', 21, false, false],
    ['normal', 21, true, true],
    ['normal', 24, true, true],
    ['normal', 25, true, false],
    ['unknown', 0, false, true],
    ['unknown', 60, true, false],
    ['unknown', null, true, true],
    ['unknown', null, false, false],
  ])('%s at %s percent, low before: %s, is low: %s', (grade, percent, wasLow, low) => {
    expect(isLow({ grade, percent }, limits, wasLow)).toBe(low);
  });

  const battery: fc.Arbitrary<Battery> = fc.record({
    grade: fc.constantFrom<BatteryGrade>('normal', 'low', 'critical', 'unknown'),
    percent: fc.option(fc.integer({ min: 0, max: 100 })),
  });

  it('that is reported again is judged the same', () => {
    fc.assert(
      fc.property(battery, fc.boolean(), (reported, wasLow) => {
        const first = isLow(reported, limits, wasLow);
        expect(isLow(reported, limits, first)).toBe(first);
      }),
    );
  });

  it('that wavers within the gap changes its verdict at most once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 21, max: 24 })), fc.boolean(), (percents, wasLow) => {
        for (const percent of percents) {
          expect(isLow({ grade: 'normal', percent }, limits, wasLow)).toBe(wasLow);
        }
      }),
    );
  });
});
