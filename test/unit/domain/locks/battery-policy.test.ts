// When a battery is low: the word and the number together, with a gap in which the verdict stays.
import { expect, it } from 'vitest';
import { isLow } from '../../../../src/domain/locks/battery-policy.ts';
import type { BatteryGrade } from '../../../../src/domain/locks/lock.ts';

const LOW_PERCENT = 20;

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
])('a battery %s at %s percent, low before: %s, is low: %s', (grade, percent, wasLow, low) => {
  expect(isLow({ grade, percent }, LOW_PERCENT, wasLow)).toBe(low);
});
